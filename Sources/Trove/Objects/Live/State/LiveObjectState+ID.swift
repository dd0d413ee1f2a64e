import Synchronization

extension LiveObjectState {
    /// The id of an object whose model declares none, made when it is first asked for: one that is read from a store needs no new one.
    @inlinable public var objectID: ObjectID {
        hasID.load(ordering: .acquiring) ? storedID : makeID()
    }

    /// Gives a new object, which no other thread has yet, the id of its record.
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
