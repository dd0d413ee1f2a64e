import Foundation

extension ObjectContext {
    /// How often the hooks of objects that other threads change meanwhile are called without the lock.
    private static let maxRounds = 8

    /// All pending changes as they are now.
    func takeCut() throws -> ChangeCut {
        try domain.withLock { try cut() }
    }

    /// Calls the hooks of the objects to be saved and takes the cut.
    ///
    /// Hooks run without the lock. Objects that are changed after their validation, by hooks or other threads, are validated again; when that does
    /// not end, at last with the lock.
    func prepareCut() throws -> ChangeCut {
        try domain.withLock {
            if let refusal = state.refusal.take() { throw refusal }
            state.hooks = [HookMarks](repeating: HookMarks(), count: state.pending.count)
        }
        defer { domain.withLock { state.hooks = nil } }
        for _ in 0..<Self.maxRounds {
            if let cut = try cutIfValidated() { return cut }
            try callHooks()
        }
        return try domain.withLock {
            for _ in 0..<Self.maxRounds {
                if let cut = try cutIfValidated() { return cut }
                try callHooks()
            }
            throw TroveError.contextMisuse(
                reason: "the objects to be saved change at every validation, so a save cannot end; change them in willSave, not in validate")
        }
    }

    /// The cut, when the hooks of all objects have seen them as they are.
    private func cutIfValidated() throws -> ChangeCut? {
        try domain.withLock {
            guard areHooksCalled() else { return nil }
            if let history = state.history {
                // What rules and inverses make of the step that ends here are changes that nobody was asked about yet.
                history.closeBeforeSave()
                guard areHooksCalled() else { return nil }
            }
            resetChangeLimit()
            let cut = try cut(isSaving: true)
            state.saving = CutUnderWay(cut)
            return cut
        }
    }

    /// Whether the hooks of all pending objects have seen them as they are; the lock is held.
    private func areHooksCalled() -> Bool {
        guard let hooks = state.hooks else { return false }
        return hooks.indices.allSatisfy { position in
            let (status, marks) = (state.pending[position].status, hooks[position])
            if status == .deleted { return marks.isDoomed || state.pending[position].areIdle(.willDelete) }
            if !status.isStored { return true }
            let isValid = marks.isWilled && marks.validated == state.pending[position].changeCount
            return isValid || state.pending[position].areIdle([.willSave, .validate])
        }
    }

    /// Calls `willDelete` and `willSave` of each object at most once in a save, by what is to become of it, and `validate` whenever it has changed since.
    private func callHooks() throws {
        try call(.willDelete, { status, marks, _ in status == .deleted && !marks.isDoomed }, { marks, _ in marks.isDoomed = true }) { try $0.willDelete() }
        try call(.willSave, { status, marks, _ in status.isStored && !marks.isWilled }, { marks, _ in marks.isWilled = true }) { try $0.willSave() }
        // Noted before the call: a change that comes during it makes another one necessary.
        try call(.validate, { $0.isStored && $1.isWilled && $1.validated != $2 }, { $0.validated = $1 }) { try $0.validate() }
    }

    /// Calls a hook of the pending objects that are meant, in their order and without the lock, and marks it as called.
    private func call(
        _ hook: ObjectHooks, _ isMeant: (LiveObjectStatus, HookMarks, _ changeCount: UInt64) -> Bool, _ mark: (inout HookMarks, _ changeCount: UInt64) -> Void,
        _ body: (any LiveModel) throws -> Void
    ) throws {
        var position = 0
        while true {
            let objects = takeUnmarked(hook, from: &position, isMeant, mark)
            if objects.isEmpty { return }
            for object in objects { try body(object) }
        }
    }

    /// The next of the pending objects of which a hook is still to be called, and marks it as called.
    ///
    /// What a class has by default is called of one object and then left out, as most classes have few hooks or none: so they end with the first of a class of
    /// which that is not known.
    private func takeUnmarked(
        _ hook: ObjectHooks, from position: inout Int, _ isMeant: (LiveObjectStatus, HookMarks, _ changeCount: UInt64) -> Bool,
        _ mark: (inout HookMarks, _ changeCount: UInt64) -> Void
    ) -> [any LiveModel] {
        domain.withLock {
            guard var hooks = state.hooks.take() else { return [] }
            defer { state.hooks = hooks }
            let pending = state.pending
            var objects: [any LiveModel] = []
            while position < hooks.count {
                defer { position += 1 }
                let changeCount = pending[position].changeCount
                guard isMeant(pending[position].status, hooks[position], changeCount) else { continue }
                mark(&hooks[position], changeCount)
                if pending[position].areIdle(hook) { continue }
                objects.append(pending[position].object)
                if pending[position].isFirstCall(of: hook) { break }
            }
            return objects
        }
    }

    /// All pending changes; the lock is held.
    ///
    /// - Parameter isSaving: whether they are going to be stored, so that the objects get the dates of the save.
    func cut(isSaving: Bool = false) throws -> ChangeCut {
        try checkNoChangeUnderWay()
        forgetSupersededAnnexes()
        var cut = ChangeCut()
        cut.derivation = state.derivation
        cut.outdatedCount = state.outdatedCount
        cut.reserve(state.pending.count)
        var buffer = RecordBuffer()
        var dating = SaveDating(core.clock, isSaving: isSaving)
        for pending in state.pending {
            switch pending.status {
            case .inserted: try add(pending.object, pending, .insertion, &dating, &cut, &buffer)
            case .changed: try add(pending.object, pending, .change, &dating, &cut, &buffer)
            case .deleted: try add(pending.object, pending, .deletion, &dating, &cut, &buffer)
            case .detached, .clean, .gone: break
            }
        }
        cut.annexes = annexes.all
        cut.releasedCount = state.released.count
        cut.released = state.released.filter { $0.object.live.status == .inserted }.map { ($0.object.reference, $0.rule) }
        cut.ghosts = state.ghosts.values.sorted { $0.number < $1.number }
        return cut
    }

    private func add<Object: LiveModel>(
        _ object: Object, _ pending: PendingObject, _ kind: ChangeCut.Kind, _ dating: inout SaveDating, _ cut: inout ChangeCut, _ buffer: inout RecordBuffer
    ) throws {
        let binding = try binding(of: Object.self)
        if kind == .deletion {
            buffer.setKey(object.id)
        } else {
            try encode(object, binding, &buffer)
        }
        var kind = kind
        let settled = state.history?.settledImage(of: object)
        if kind == .change, let image = object.live.image, settled == nil || settled == image {
            // Clean again: nothing is written.
            if buffer.withBytes({ _, record in record.compare(to: image.span.bytes) == 0 }) { kind = .none }
        }
        try checkIdentity(object, buffer)
        if let dates = binding.savedDates, kind == .insertion || kind == .change { try date(object, kind, dates, &dating, binding, &buffer) }
        cut.add(pending, kind, buffer, settled: kind == .none ? nil : settled)
    }

    /// Puts the dates of a save into the record of an object that was inserted or changed, and when it is going to be stored into the object too.
    private func date<Object: LiveModel>(
        _ object: Object, _ kind: ChangeCut.Kind, _ dates: SavedDates, _ dating: inout SaveDating, _ binding: ModelBinding, _ buffer: inout RecordBuffer
    ) throws {
        let key = object.contextKey.bytes
        let stored = try kind == .insertion ? nil : object.live.image.map { try dates.dates(of: $0, key: key, binding.layout) }
        let present = try buffer.withBytes { key, record in try dates.dates(of: record, key: key, binding.layout) }
        let saved = present.saved(over: stored, isChanged: true, at: dating.date())
        if saved == present { return }
        buffer.set(saved, at: dates)
        if dating.isSaving { try assign(buffer.withBytes { _, record in [UInt8](copying: record) }, to: object) }
    }

    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the object has another id than its record.
    private func checkIdentity(_ object: some LiveModel, _ buffer: borrowing RecordBuffer) throws {
        let key = ObjectKey(ObjectIdentifier(type(of: object)), buffer.key.bytes)
        guard map.isKey(key, of: object) else {
            throw TroveError.contextMisuse(
                reason: "the \(type(of: object).schema.name) \(object.shownID) was given another id than the context knows it by; "
                    + "take that back, insert an object with the new id and delete this one")
        }
    }
}

/// The date that a cut gives to the objects it contains.
private struct SaveDating {
    private let clock: StoreClock
    /// Whether the objects are going to be stored.
    let isSaving: Bool
    private var known: Date?

    init(_ clock: StoreClock, isSaving: Bool) {
        self.clock = clock
        self.isSaving = isSaving
    }

    /// The date, which is one for all of them.
    mutating func date() -> Date {
        let date = known ?? clock.now
        known = date
        return date
    }
}

extension LiveObjectStatus {
    /// Whether a save stores the object's values.
    var isStored: Bool { self == .inserted || self == .changed }
}
