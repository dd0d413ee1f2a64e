import Synchronization

/// The state that Trove keeps of one live object. `@Model` gives each object of a class one.
///
/// It is `@unchecked Sendable` because the lock of the object's domain guards everything in it that changes but the domain itself, which is
/// atomic. Nothing in it is checked for exclusive access, which would take longer than the access: no code of others runs while it is used.
public final class _LiveObjectState: @unchecked Sendable {
    /// The object's ``ObjectDomain``, which the state keeps alive, or its group. It changes once, when the object comes into a context, by a thread that holds
    /// both locks, so it stays while a thread holds the lock of the one it found here.
    @usableFromInline let domainAddress: Atomic<UnsafeRawPointer>

    /// The id of an object whose model declares none; it stays once it is there.
    @exclusivity(unchecked) @usableFromInline var storedID = ObjectID(high: 0, low: 0)
    /// Whether ``storedID`` is there.
    @usableFromInline let hasID = Atomic<Bool>(false)

    @exclusivity(unchecked) @usableFromInline var status = LiveObjectStatus.detached
    /// Whether the context has forgotten the object: it was reset.
    @exclusivity(unchecked) @usableFromInline var isForgotten = false
    /// ``isListed`` and ``isOfRecord``, in one byte: a second one would make each object 16 bytes larger.
    @exclusivity(unchecked) private var marks = LiveObjectMarks()
    /// The object's place in the identity map of its context, whose lock guards it; ``IdentityMap/noPlace`` when it has none.
    @exclusivity(unchecked) var place = IdentityMap.noPlace
    /// The hash of the record that the object was read from or saved as; 0 when there is none.
    @exclusivity(unchecked) var version: UInt64 = 0
    /// The objects that were loaded together with this one. A group keeps the domain for all of them, and the state of one of them stays in its domain.
    @exclusivity(unchecked) private(set) var group: FaultGroup?
    /// What is kept of the changes since the object was as its record; nil when there are none.
    @exclusivity(unchecked) @usableFromInline var edits: ObjectEdits?
    /// Grows with each change, so that a save can tell whether the object changed after its values were taken.
    @exclusivity(unchecked) @usableFromInline var changeCount: UInt64 = 0
    /// Made when the object is read in a domain that can be observed.
    @exclusivity(unchecked) @usableFromInline var observers: ObjectObservers?

    /// The state of a new object without a context.
    public init() {
        // The domain of objects in no context is never freed, so it is not counted.
        domainAddress = Atomic(UnsafeRawPointer(Unmanaged.passUnretained(ObjectDomain.detached).toOpaque()))
    }

    deinit {
        let address = domainAddress.load(ordering: .acquiring)
        let domain = Unmanaged<ObjectDomain>.fromOpaque(address)
        if domain._withUnsafeGuaranteedRef({ $0 === ObjectDomain.detached }) { return }
        // Nobody else can reach the object any more, so its place is its own to read.
        if place != IdentityMap.noPlace { domain._withUnsafeGuaranteedRef { $0.identities.forget(place) } }
        if group == nil { domain.release() }
    }
}

extension _LiveObjectState {
    /// Whether the context has the object among its pending ones.
    var isListed: Bool {
        get { marks.contains(.listed) }
        set { marks = newValue ? marks.union(.listed) : marks.subtracting(.listed) }
    }

    /// Whether a store has made the object of a record, for no context.
    var isOfRecord: Bool {
        get { marks.contains(.ofRecord) }
        set { marks = newValue ? marks.union(.ofRecord) : marks.subtracting(.ofRecord) }
    }

    /// Whether nothing stores what is changed in the object: its record is deleted, or its context has forgotten it. The lock is held.
    @usableFromInline var isLost: Bool { status == .gone || isForgotten }

    /// Whether nothing may point at the object: it is lost, or the next save deletes it.
    @usableFromInline var isDeleted: Bool { isLost || status == .deleted }

    /// Whether the object, which is in a context's domain, has left the context as it was never stored: it has no part in it until it is inserted again.
    @usableFromInline var isAway: Bool { status == .detached && !isForgotten }

    /// The id of an object whose model declares none, generated at the first use: one that is read from a store needs no new one.
    @inlinable public var objectID: ObjectID {
        hasID.load(ordering: .acquiring) ? storedID : makeID()
    }

    /// Gives a new object, which no other thread can reach yet, the id of its record.
    public func assignID(_ id: ObjectID) {
        storedID = id
        hasID.store(true, ordering: .releasing)
    }

    @usableFromInline func makeID() -> ObjectID {
        let domain = lock().takeUnretainedValue()
        defer { domain.lock.unlock() }
        if !hasID.load(ordering: .relaxed) { assignID(ObjectID()) }
        return storedID
    }
}

/// What else is known of a live object.
private struct LiveObjectMarks: OptionSet {
    let rawValue: UInt8

    static let listed = Self(rawValue: 1)
    static let ofRecord = Self(rawValue: 2)
}

/// What a live object is to its context.
@usableFromInline enum LiveObjectStatus: Sendable, Hashable {
    /// In no context.
    case detached
    /// New, and not saved yet.
    case inserted
    /// As its record is.
    case clean
    /// Changed since it was read or saved.
    case changed
    /// To be deleted by the next save.
    case deleted
    /// Its record is deleted.
    case gone
}

extension _LiveObjectState {
    /// The domain the object is in. Without its lock, one of none may come into a context at any time.
    var domain: ObjectDomain {
        Unmanaged<ObjectDomain>.fromOpaque(domainAddress.load(ordering: .acquiring)).takeUnretainedValue()
    }

    /// Moves the object from no context into one. The caller holds the locks of both domains.
    func move(to domain: ObjectDomain) {
        status = .inserted
        edits = nil
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

extension _LiveObjectState {
    /// Takes an object that was just made of a record, and that nobody else has, into the context of a group.
    func join(_ group: FaultGroup, as status: LiveObjectStatus, version: UInt64) {
        self.status = status
        self.version = version
        self.group = group
        domainAddress.store(UnsafeRawPointer(Unmanaged.passUnretained(group.domain).toOpaque()), ordering: .releasing)
    }

    /// Makes the object one without changes: its record is of this version.
    func becomeClean(version: UInt64) {
        status = .clean
        self.version = version
        forgetChanges()
    }

    /// Forgets what was changed, so that the context is told of the next change.
    func forgetChanges() { edits = nil }
}
