/// Saves of objects that are handed over with them.
extension ObjectContext {
    /// Inserts objects and saves all changes. When that fails, those that it has brought in, with what they hold, leave the context again.
    @discardableResult
    package func save(inserting objects: [any LiveModel], durability: Durability? = nil) throws -> SaveSummary {
        let own = OwnChanges()
        return try save(durability, own: own) { try insert(objects, noting: own) }
    }

    /// Inserts objects and saves all changes, without blocking the task's thread; see ``save(inserting:durability:)``.
    @discardableResult
    package func save(inserting objects: [any LiveModel], durability: Durability? = nil) async throws -> SaveSummary {
        let own = OwnChanges()
        return try await save(durability, own: own) { try self.insert(objects, noting: own) }
    }

    /// Deletes objects and saves all changes. When that fails, they are as they were.
    @discardableResult
    package func save(deleting objects: [any LiveModel], durability: Durability? = nil) throws -> SaveSummary {
        let own = OwnChanges()
        return try save(durability, own: own) { try delete(objects, noting: own) }
    }

    /// Deletes objects and saves all changes, without blocking the task's thread; see ``save(deleting:durability:)``.
    @discardableResult
    package func save(deleting objects: [any LiveModel], durability: Durability? = nil) async throws -> SaveSummary {
        let own = OwnChanges()
        return try await save(durability, own: own) { try self.delete(objects, noting: own) }
    }
}

extension ObjectContext {
    /// Inserts objects, and notes those that come into the context by it, what they hold among them, also when it throws.
    func insert(_ objects: [any LiveModel], noting own: OwnChanges) throws {
        try domain.withLock {
            try checkNoChangeUnderWay()
            if objects.allSatisfy({ domain.isHome(of: $0.live) && $0.live.status.isInContext }) { return try insert(objects) }
            try noting(own) { try insert(objects) }
        }
    }

    /// Notes which objects come into the context and which change by what `body` does, also when it throws; the lock is held.
    func noting<Result>(_ own: OwnChanges, _ body: () throws -> Result) rethrows -> Result {
        var before: [ObjectIdentifier: (status: LiveObjectStatus, changeCount: UInt64, record: [UInt8]?)] = [:]
        for pending in state.pending where pending.status.isPending {
            before[ObjectIdentifier(pending.object)] = (pending.status, pending.changeCount, record(of: pending))
        }
        defer {
            var (inserted, linked): ([any LiveModel], [OwnChanges.Linked]) = ([], [])
            for pending in state.pending where pending.status.isStored {
                let (object, former) = (pending.object, before[ObjectIdentifier(pending.object)])
                if pending.status == .inserted, former?.status != .inserted { inserted.append(object) }
                guard pending.status == .changed || former?.status == .inserted, former?.changeCount != pending.changeCount else { continue }
                guard let before = former == nil ? object.live.image : former?.record, let after = record(of: pending) else { continue }
                linked.append(OwnChanges.Linked(object: object, before: before, after: after, annexes: annexOffers(in: before, of: type(of: object))))
            }
            own.content.withLock { content in
                content.inserted += inserted
                content.linked += linked
            }
        }
        return try body()
    }

    /// The record of an object that may be saved; nil of one that cannot be, as it cannot be encoded.
    private func record(of pending: PendingObject) -> [UInt8]? { pending.status.isStored ? try? encoded(pending.object) : nil }

    private func delete(_ objects: [any LiveModel], noting own: OwnChanges) throws {
        try domain.withLock {
            // What was deleted before stays so.
            let present = objects.filter { domain.isHome(of: $0.live) && !$0.live.isDeleted && !$0.live.isAway }
            try delete(objects)
            own.content.withLock { $0.deleted += present }
        }
    }

    /// Takes back what a save that has failed has done for itself, in its turn: no other save has its objects.
    /// With undo it stays as a step of its own, which undo takes back.
    func takeBack(_ own: OwnChanges) {
        domain.withLock { if state.history == nil { takeBackHere(own) } }
    }

    /// Takes back what was noted, with undo too.
    func takeBackHere(_ own: OwnChanges) {
        domain.withLock {
            let content = own.content.withLock { $0 }
            let replaced = content.replaced.filter { domain.isHome(of: $0.live) && $0.live.status == .detached }
            for object in replaced { attempt { try insertAgain(object) } }
            let inserted = content.inserted.filter { domain.isHome(of: $0.live) && $0.live.status == .inserted }
            // As if they had never been there: rules are for what is deleted.
            for object in inserted { attempt { try delete(object, leavingGhost: false) } }
            if !inserted.isEmpty || !replaced.isEmpty {
                for linked in content.linked where domain.isHome(of: linked.object.live) && linked.object.live.status.isStored {
                    attempt { try takeBack(linked) }
                }
                dropReferences(to: Set(inserted.map { $0.reference }))
            }
            let deleted = content.deleted.filter { domain.isHome(of: $0.live) }
            // Those that left the context may refer to those that are only marked.
            for object in deleted where object.live.status == .deleted { attempt { try undelete(object) } }
            for object in deleted where object.live.isAway { attempt { try insert(object) } }
            dropClean()
        }
    }

    /// Takes one thing back. When that fails, the others still are.
    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { report(error) }
    }

    /// Makes an object as it was before it was marked as deleted, changed or not.
    private func undelete(_ object: any LiveModel) throws {
        try insert(object)
        let live = object.live
        if live.status == .changed, let image = live.image, try encoded(object) == image { live.becomeClean(version: live.version) }
    }

    /// Makes an object as it was before an insertion, with what has been changed since.
    private func takeBack(_ linked: OwnChanges.Linked) throws {
        let (object, live) = (linked.object, linked.object.live)
        annexes.add(linked.annexes)
        let now = try encoded(object)
        let model = type(of: object)
        let merged = try storedRecord(linked.before, of: object).merging(
            changesFrom: storedRecord(linked.after, of: object), to: storedRecord(now, of: object), of: model)
        let image = now == linked.after ? linked.before : try image(merged, core.binding(for: model))
        // A later step of undo has to know of it.
        state.recorder?.willChange(object, field: 0)
        try assign(image, to: object)
        live.changeCount &+= 1
        if live.status == .changed, image == live.image { live.becomeClean(version: live.version) }
    }
}
