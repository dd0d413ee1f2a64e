extension ObjectContext {
    /// Takes all unsaved changes back: changed objects have the values they had when they were read or saved last, deleted ones are no longer, and
    /// inserted ones leave the context.
    ///
    /// It waits for a save that is under way; what that has stored stays.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a read, or a hook of a save.
    public func rollback() throws {
        try checkMayWait("roll back")
        try operations.run("roll back") {
            let unknown = try domain.withLock { try takeBack() }
            try bringUpToDate(unknown, keepingChanges: false)
        }
    }

    /// Takes all unsaved changes back and forgets all objects: the context is as new. Objects that the application still holds are in no context any more; they
    /// cannot be saved, unless they are inserted again.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` inside ``perform(_:)``, a read, or a hook of a save.
    public func reset() throws {
        try checkMayWait("be reset")
        try operations.run("reset the context") {
            try domain.withLock {
                _ = try takeBack()
                for object in map.objects {
                    object._$live.status = .detached
                    object._$live.forgetChanges()
                }
                map.removeAll()
                state.faultErrors = []
            }
        }
    }

    /// Takes all changes back, and returns the objects of which is not known how they were; the lock is held.
    private func takeBack() throws -> [any LiveModel] {
        var unknown: [any LiveModel] = []
        beginEpoch()
        for object in state.pending {
            let live = object._$live
            switch live.status {
            case .inserted: leave(object)
            case .changed, .deleted:
                if let image = live.image {
                    try assign(image, to: object)
                } else if live.status == .changed {
                    unknown.append(object)
                }
                live.changeCount &+= 1
                // Of one that is unknown no version is known either, so that it is read anew.
                live.becomeClean(version: live.image == nil && live.status == .changed ? 0 : live.version)
            case .detached, .clean, .gone: break
            }
        }
        _ = takePending()
        (state.outdated, state.derived) = ([], [])
        state.derivation &+= 1
        state.refusals = []
        resetChangeLimit()
        state.recorder?.didRollBack()
        return unknown
    }
}
