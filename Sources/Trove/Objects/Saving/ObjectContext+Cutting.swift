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
        let number = try domain.withLock {
            if !state.refusals.isEmpty {
                defer { state.refusals = [] }
                throw state.refusals[0]
            }
            state.saveNumber += 1
            return state.saveNumber
        }
        for _ in 0..<Self.maxRounds {
            if let cut = try cutIfValidated(number) { return cut }
            try callHooks(number)
        }
        return try domain.withLock {
            for _ in 0..<Self.maxRounds {
                if let cut = try cutIfValidated(number) { return cut }
                try callHooks(number)
            }
            throw TroveError.contextMisuse(
                reason: "the objects to be saved change at every validation, so a save cannot end; change them in willSave, not in validate")
        }
    }

    /// The cut, when the hooks of all objects have seen them as they are.
    private func cutIfValidated(_ number: UInt64) throws -> ChangeCut? {
        try domain.withLock {
            let isValidated = state.pending.allSatisfy { object in
                let live = object._$live
                if live.status == .deleted { return live.hooks.deletion == number }
                return !live.status.isStored || (live.hooks.save == number && live.hooks.validated == live.changeCount)
            }
            guard isValidated else { return nil }
            resetChangeLimit()
            state.history?.closeBeforeSave()
            return try cut(isSaving: true)
        }
    }

    /// Calls `willDelete` and `willSave` of each object at most once in a save, by what is to become of it, and `validate` whenever it has changed since.
    private func callHooks(_ number: UInt64) throws {
        let doomed = domain.withLock {
            let doomed = state.pending.filter { $0._$live.status == .deleted && $0._$live.hooks.deletion != number }
            for object in doomed { object._$live.hooks.deletion = number }
            return doomed
        }
        for object in doomed { try object.willDelete() }
        let unsaved = domain.withLock {
            let unsaved = state.pending.filter { $0._$live.status.isStored && $0._$live.hooks.save != number }
            for object in unsaved { (object._$live.hooks.save, object._$live.hooks.validated) = (number, .max) }
            return unsaved
        }
        for object in unsaved { try object.willSave() }
        let unvalidated = domain.withLock {
            let objects = state.pending.filter { object in
                let live = object._$live
                return live.status.isStored && live.hooks.save == number && live.hooks.validated != live.changeCount
            }
            // Noted before the call: a change that comes during it makes another one necessary.
            for object in objects { object._$live.hooks.validated = object._$live.changeCount }
            return objects
        }
        for object in unvalidated { try object.validate() }
    }

    /// All pending changes; the lock is held.
    ///
    /// - Parameter isSaving: whether they are going to be stored, so that the objects get the dates of the save.
    func cut(isSaving: Bool = false) throws -> ChangeCut {
        try checkNoChangeUnderWay()
        forgetSupersededAnnexes()
        var cut = ChangeCut()
        cut.derivation = state.derivation
        cut.reserve(state.pending.count)
        var buffer = RecordBuffer()
        var dating = SaveDating(core.clock, isSaving: isSaving)
        for object in state.pending {
            switch object._$live.status {
            case .inserted: try add(object, .insertion, &dating, &cut, &buffer)
            case .changed: try add(object, .change, &dating, &cut, &buffer)
            case .deleted: try add(object, .deletion, &dating, &cut, &buffer)
            case .detached, .clean, .gone: break
            }
        }
        cut.annexes = annexes.all
        cut.releasedCount = state.released.count
        cut.released = state.released.filter { $0.object._$live.status == .inserted }.map { ($0.object.reference, $0.rule) }
        cut.ghosts = state.ghosts.values.sorted { $0.number < $1.number }
        return cut
    }

    private func add<Object: LiveModel>(
        _ object: Object, _ kind: ChangeCut.Kind, _ dating: inout SaveDating, _ cut: inout ChangeCut, _ buffer: inout RecordBuffer
    ) throws {
        let binding = try core.binding(for: Object.self)
        try encode(object, binding, &buffer)
        var kind = kind
        let settled = state.history?.settledImage(of: object)
        if kind == .change, let image = object._$live.image, settled == nil || settled == image {
            // Clean again: nothing is written.
            if buffer.withBytes({ _, record in record.compare(to: image.span.bytes) == 0 }) { kind = .none }
        }
        if kind == .change || kind == .none { try checkIdentity(object, buffer) }
        if let dates = binding.savedDates, kind == .insertion || kind == .change { try date(object, kind, dates, &dating, binding, &buffer) }
        cut.add(object, kind, buffer, settled: kind == .none ? nil : settled)
    }

    /// Puts the dates of a save into the record of an object that was inserted or changed, and when it is going to be stored into the object too.
    private func date<Object: LiveModel>(
        _ object: Object, _ kind: ChangeCut.Kind, _ dates: SavedDates, _ dating: inout SaveDating, _ binding: ModelBinding, _ buffer: inout RecordBuffer
    ) throws {
        let key = object.contextKey.bytes
        let stored = try kind == .insertion ? nil : object._$live.image.map { try dates.dates(of: $0, key: key, binding.layout) }
        let present = try buffer.withBytes { key, record in try dates.dates(of: record, key: key, binding.layout) }
        let saved = present.saved(over: stored, isChanged: true, at: dating.date())
        if saved == present { return }
        buffer.set(saved, at: dates)
        if dating.isSaving { try assign(buffer.withBytes { _, record in [UInt8](copying: record) }, to: object) }
    }

    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the object has another id than its record.
    private func checkIdentity(_ object: some LiveModel, _ buffer: borrowing RecordBuffer) throws {
        let key = ObjectKey(ObjectIdentifier(type(of: object)), buffer.key.bytes)
        guard map.peek(key) === object else {
            throw TroveError.contextMisuse(
                reason: "the \(type(of: object).schema.name) \(object.shownID) was given another id; insert an object with the new id and delete this one")
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
