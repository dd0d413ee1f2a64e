/// Undo and redo, when ``ContextOptions/undo`` keeps steps.
extension ObjectContext {
    /// Runs `body` and makes its changes one undo step.
    ///
    /// ```swift
    /// let context = ObjectContext(store, options: ContextOptions(undo: .steps(100)))
    /// context.undoGroup("Rename") {
    ///     album.title = "Waltz for Debby"
    ///     for song in album.songs { song.isLive = true }
    /// }
    /// try context.undo()
    /// ```
    ///
    /// Groups may be nested; the outermost is the step. Changes outside of groups gather in a step without a name, which ends with the next group, save,
    /// undo, or ``endUndoStep()``. When `body` throws, what it has changed stays, and is a step too.
    ///
    /// A group is one of the context, not of a thread: what other threads change meanwhile belongs to it. One in a closure that changes a property in place
    /// is a part of the step that this change belongs to.
    public func undoGroup<Result>(_ name: String? = nil, _ body: () throws -> Result) rethrows -> Result {
        domain.withLock { state.history?.beginGroup(name) }
        defer { domain.withLock { state.history?.endGroup() } }
        return try body()
    }

    /// Ends the undo step that collects changes outside of groups; does nothing inside a group, and in a closure that changes a property in place.
    public func endUndoStep() {
        domain.withLock {
            guard let history = state.history, !history.isInGroup else { return }
            history.close()
        }
    }

    /// Undoes the last step: objects have the values they had, deleted ones are there again with their ids and relationships, inserted ones are deleted.
    ///
    /// What it does are changes like others, which the next save stores; so it works after a save too. Then it also brings back what the save did beside
    /// the step's objects by delete rules and inverses. Changes that other contexts have made to the same objects meanwhile are
    /// conflicts for the next save; where this context has taken them over already, by ``mergeChanges()``, a refresh or a save, they stay: the step's other
    /// properties go back, lists are merged, and an object that was deleted stays deleted.
    ///
    /// - Returns: whether there was a step.
    /// - Throws: ``TroveError/contextMisuse(reason:)`` in a context without ``ContextOptions/undo``, inside a group, ``perform(_:)``, a read or a hook of a
    ///   save; ``TroveError/alreadyExists(model:id:)`` when an object cannot come back because the context has another one with its id, and
    ///   ``TroveError/deletionNotSaved(model:id:)`` when the next save will free the id. Then nothing is changed.
    @discardableResult
    public func undo() throws -> Bool {
        try stepBack("undo") { history in
            guard history.canUndo else { return false }
            try history.undo { try self.withSideEffects($0) }
            return true
        }
    }

    /// Redoes the step that was undone last; a new change makes that impossible.
    ///
    /// - Returns: whether there was a step.
    /// - Throws: as ``undo()``.
    @discardableResult
    public func redo() throws -> Bool {
        try stepBack("redo") { history in
            guard !history.undone.isEmpty else { return false }
            try history.redo()
            return true
        }
    }

    /// Whether there is a step to undo.
    public var canUndo: Bool { domain.withLock { state.history?.canUndo ?? false } }

    /// Whether there is a step to redo.
    public var canRedo: Bool { domain.withLock { !(state.history?.undone.isEmpty ?? true) } }

    /// The names of the steps that can be undone, the last one first; nil for a step without a name. Changes that no group or save has ended yet are the first.
    public var undoNames: [String?] {
        domain.withLock {
            guard let history = state.history else { return [] }
            return (history.hasOpenChanges ? [history.openName] : []) + history.done.reversed().map(\.name)
        }
    }

    /// The names of the steps that can be redone, the next one first; nil for a step without a name.
    public var redoNames: [String?] { domain.withLock { state.history?.undone.reversed().map(\.name) ?? [] } }

    /// Forgets all steps. Changes stay. In a closure that changes a property in place the step that this change belongs to stays too.
    public func removeAllUndoSteps() {
        domain.withLock { forgetUndoSteps() }
    }

    private func stepBack(_ name: String, _ body: (UndoHistory) throws -> Bool) throws -> Bool {
        try checkMayWait(name)
        return try operations.run(name) {
            try domain.withLock {
                guard let history = state.history else {
                    throw TroveError.contextMisuse(reason: "the context keeps no steps to \(name); create it with ContextOptions(undo: .unlimited)")
                }
                if history.isInGroup {
                    throw TroveError.contextMisuse(reason: "inside undoGroup a context cannot \(name); do it afterwards")
                }
                history.close()
                return try body(history)
            }
        }
    }

    /// The step with what a save did beside it among its entries.
    private func withSideEffects(_ step: UndoStep) throws -> UndoStep {
        if step.sideEffects.isEmpty { return step }
        var step = step
        let objects = state.history?.objects ?? [:]
        let places = Dictionary(
            step.entries.enumerated().map { ($0.element.object.contextKey, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for effects in chains(of: step.sideEffects) {
            guard let last = effects.last else { continue }
            if let place = places[last.key] {
                // The step changed the object, and the save went on from there.
                step.entries[place].after = try image(after: effects, of: step.entries[place])
            } else if var entry = try entry(last, objects) {
                for effect in effects.dropLast().reversed() { entry.before = try image(before: effect, of: entry.before) }
                step.entries.append(entry)
            }
        }
        step.sideEffects = []
        return step
    }

    /// What saves did, one record after the other: a step has several with a group in which there were several saves.
    private func chains(of effects: [SideEffect]) -> [[SideEffect]] {
        var places: [ObjectKey: Int] = [:]
        var chains: [[SideEffect]] = []
        for effect in effects {
            if let place = places[effect.key] {
                chains[place].append(effect)
            } else {
                places[effect.key] = chains.count
                chains.append([effect])
            }
        }
        return chains
    }

    /// What a save did to an object that the step itself did not change; nil when its record has become something else.
    private func entry(_ effect: SideEffect, _ objects: [ObjectKey: any LiveModel]) throws -> UndoEntry? {
        let key = effect.key.bytes
        if effect.after == nil {
            if let present = map.peek(effect.key), present.live.status != .gone { return nil }
            // An object that another step has is the one for this record.
            if let object = objects[effect.key] { return UndoEntry(object: object, before: effect.before, after: nil) }
            func object<Object: LiveModel>(_ type: Object.Type) throws -> any LiveModel {
                try detachedObject(effect.before, key: key, of: type)
            }
            return UndoEntry(object: try object(effect.type), before: effect.before, after: nil)
        }
        guard let object = try loaded(effect.key, effect.type), let now = state.history?.image(object) else { return nil }
        return UndoEntry(object: object, before: try image(before: effect, of: now), after: now)
    }

    /// The record of an object that a step changed, with what saves did to it then. What others have changed in between is not the step's.
    private func image(after effects: [SideEffect], of entry: UndoEntry) throws -> [UInt8]? {
        guard let first = effects.first, let last = effects.last else { return entry.after }
        guard let left = entry.after, let after = last.after, left != first.before else { return last.after }
        return try state.history?.merge(left, from: first.before, to: after, of: entry.object, keepingOwn: false)
    }

    /// A record without what a save did to it: only what the rule changed goes back, and keeps what came after it.
    private func image(before effect: SideEffect, of now: [UInt8]?) throws -> [UInt8] {
        guard let now, let after = effect.after else { return effect.before }
        let (key, type) = (effect.key.bytes, effect.type)
        let merged = try storedRecord(now, key: key, of: type).merging(
            changesFrom: storedRecord(after, key: key, of: type), to: storedRecord(effect.before, key: key, of: type), of: type)
        return try image(merged, core.binding(for: type))
    }

    private func loaded<Object: LiveModel>(_ key: ObjectKey, _ type: Object.Type) throws -> (any LiveModel)? {
        try map.object(key) ?? fetch(type, id: Object.ID(keyBytes: key.bytes))
    }
}

// With the lock of the domain held.
extension ObjectContext {
    func forgetUndoSteps() {
        state.history?.removeAll()
        state.keptAnnexes = 0
        forgetAnnexes()
    }

    /// A new object of a record, in no context.
    func detachedObject<Object: LiveModel>(_ image: [UInt8], key: [UInt8], of type: Object.Type) throws -> Object {
        let binding = try core.binding(for: type)
        return try binding.withDecoder(image, key: RecordKey(key), annexes: lazyValues(of: binding)) { try Object(from: &$0) }
    }
}
