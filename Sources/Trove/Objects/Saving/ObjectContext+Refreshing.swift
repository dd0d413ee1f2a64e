extension ObjectContext {
    /// Reads an object again from the store.
    ///
    /// - Parameter keepingChanges: whether its unsaved changes stay. Properties that were changed both here and in the store are then left as they are, and
    ///   the next save finds the conflict. Without, the object is as its record, deleted or not; one whose record is gone is gone.
    /// - Throws: ``TroveError/notInContext(model:id:)``; ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, reads and
    ///   transactions of the store; what reading throws.
    public func refresh(_ object: any LiveModel, keepingChanges: Bool = true) throws {
        guard object.live.domain === domain else { throw object.isNotInContext }
        try refresh([object], keepingChanges: keepingChanges)
    }

    /// Reads all objects in memory again from the store; see ``refresh(_:keepingChanges:)``.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, reads and transactions of the store; when the others are read, the error of an
    ///   object that could not be.
    public func refresh(keepingChanges: Bool = true) throws {
        try refresh(map.objects, keepingChanges: keepingChanges)
    }

    /// Reads all objects in memory again from the store, on a thread of the store.
    public func refresh(keepingChanges: Bool = true) async throws {
        let objects = map.objects
        let left = try await operate { try self.update(objects, keepingChanges: keepingChanges) }
        await store.readPool.runToEnd { self.tellLoaded(objects, left) }
        try left.check()
    }

    private func refresh(_ objects: [any LiveModel], keepingChanges: Bool) throws {
        try checkMayWait("refresh objects")
        let left = try operations.run("refresh objects") { try update(objects, keepingChanges: keepingChanges) }
        tellLoaded(objects, left)
        try left.check()
    }

    /// Calls `didLoad` of the objects that have a record, which was read.
    private func tellLoaded(_ objects: [any LiveModel], _ left: OutdatedObjects) {
        let unread = Set(left.failures.map { ObjectIdentifier($0.object) })
        for object in objects where !unread.contains(ObjectIdentifier(object)) && domain.withLock({ object.live.status.hasRecord }) { object.didLoad() }
    }

    /// Takes over what the store's other contexts have saved since the last call, for the objects in this context's memory.
    ///
    /// Unsaved changes stay. Properties that were changed on both sides are left as they are, and the next save finds the conflict.
    /// Objects whose records were deleted are gone, unless they have unsaved changes. What other processes have saved is taken over where the store was opened
    /// with ``OtherProcessObservation/every(_:)``, or told by ``ObjectStore/notifyChangesOfOtherProcesses()``. What this process stored otherwise than by a
    /// context, ``refresh(keepingChanges:)`` finds. An object that cannot be made of its record stays as it is until a later merge can;
    /// ``faultErrors`` says why, once for each time that another context has saved it so.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a read of the context, and a transaction that writes to the store; what reading
    ///   throws; where it looks for commits of other processes, ``StorageError/closed(_:)`` for a closed store, also when there is nothing to take over.
    public func mergeChanges() throws {
        try checkMayWait("merge changes")
        try operations.run("merge changes") { try mergeReceived() }
    }

    private func mergeReceived() throws {
        // Other processes tell nobody what they save. Where another thread looks, and does not come back, they may have saved anything.
        let knowsAll = try core.otherProcesses.look()
        let (received, unreadable) = inbox.withLock { ($0.take(), $0.unreadable) }
        let keys = knowsAll ? received : nil
        if unreadable.isEmpty, keys?.isEmpty ?? false { return }
        do {
            // Reads that are under way find out that they may have seen what was before.
            beginEpoch()
            let objects = try keys.map { keys in keys.compactMap { map.peek($0) } } ?? outdated(map.objects)
            let others = unreadable.isEmpty ? objects : objects.filter { !unreadable.contains(key(of: $0)) }
            var left = try update(others, keepingChanges: true)
            // Apart, so that the others need not be read one by one for them.
            if !unreadable.isEmpty { left.append(try update(unreadable.compactMap { map.peek($0) }, keepingChanges: true)) }
            // When their changes are no more, or their records can be read, they have still to be brought up to date.
            inbox.withLock { inbox in
                if !left.blocked.isEmpty { inbox.putBack(Set(left.blocked.map { key(of: $0) })) }
                inbox.noteUnreadable(left.failures.map { key(of: $0.object) })
            }
            domain.withLock { for failure in left.failures where !unreadable.contains(key(of: failure.object)) { noteFault(failure.error) } }
        } catch {
            inbox.withLock { $0.putBack(keys) }
            throw error
        }
    }

    /// Takes over what the store's other contexts have saved, on a thread of the store; see ``mergeChanges()``.
    public func mergeChanges() async throws {
        try await operate { try self.mergeReceived() }
    }

    /// Notes that anything may have been saved, nobody knows what.
    fileprivate func noteUnknownCommits() {
        inbox.withLock { $0.putBack(nil) }
        mergeLater()
    }

    /// Notes what another context has saved.
    func receive(_ keys: [ObjectKey]) {
        inbox.withLock { $0.add(keys) }
        mergeLater()
    }

    /// Merges what waits in the inbox, where that is done by itself.
    func mergeLater() {
        guard options.mergesChangesAutomatically else { return }
        let mustMerge = inbox.withLock { inbox in
            guard !inbox.isEmpty, !inbox.isQueued else { return false }
            inbox.isQueued = true
            return true
        }
        guard mustMerge else { return }
        queue.async { [weak self] in
            guard let self else { return }
            inbox.withLock { $0.isQueued = false }
            do {
                try mergeChanges()
            } catch {
                report(error)
            }
        }
    }
}

extension ContextRegistry: UnknownCommitListener {
    var isWaiting: Bool { all.contains { $0.options.mergesChangesAutomatically } }

    func noteUnknownCommits() -> [any AnyObject & Sendable] {
        let contexts = all
        for context in contexts { context.noteUnknownCommits() }
        return contexts
    }
}
