import Synchronization

extension LiveObjectState {
    /// The domain the object is in. Without its lock, one of none may come into a context at any time.
    var domain: ObjectDomain {
        Unmanaged<ObjectDomain>.fromOpaque(domainAddress.load(ordering: .acquiring)).takeUnretainedValue()
    }

    /// Moves the object from no context into one. The caller holds the locks of both domains.
    func move(to domain: ObjectDomain) {
        status = .inserted
        changedFields = FieldSet()
        notedEpoch = 0
        domainAddress.store(UnsafeRawPointer(Unmanaged.passRetained(domain).toOpaque()), ordering: .releasing)
    }

    /// Takes the lock of the object's domain.
    @inlinable @inline(__always)
    func lock() -> Unmanaged<ObjectDomain> {
        while true {
            let address = domainAddress.load(ordering: .acquiring)
            let domain = Unmanaged<ObjectDomain>.fromOpaque(address)
            domain._withUnsafeGuaranteedRef { $0.lock.lock() }
            if domainAddress.load(ordering: .relaxed) == address { return domain }
            domain._withUnsafeGuaranteedRef { $0.lock.unlock() }
        }
    }

    /// Runs `body` with the lock of the object's domain.
    func withLock<Result>(_ body: (ObjectDomain) throws -> Result) rethrows -> Result {
        let domain = lock().takeUnretainedValue()
        defer { domain.lock.unlock() }
        return try body(domain)
    }
}
