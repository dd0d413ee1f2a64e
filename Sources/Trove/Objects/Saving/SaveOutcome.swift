/// What became of a cut that was saved.
///
/// The cut's own changes were taken down by their numbers, in the cut's order; only what rules, inverses and additions changed beside them is
/// found by its key.
struct SaveOutcome: Sendable {
    let cut: ChangeCut
    /// What was done otherwise than the cut says, and what was stored before.
    let decisions: SaveDecisions
    private let journal: ChangeJournal

    init(_ cut: ChangeCut, _ decisions: SaveDecisions, _ journal: ChangeJournal) {
        self.cut = cut
        self.decisions = decisions
        self.journal = journal
    }

    /// That of a save that had nothing to write.
    init(_ cut: ChangeCut) {
        self.init(cut, SaveDecisions(cut), ChangeJournal())
    }

    /// Whether no record was changed.
    var isEmpty: Bool { journal.entries.isEmpty }

    /// The objects of all records that the save changed, some of them several times.
    func changedKeys(_ classes: [String: any LiveModel.Type]) -> [ObjectKey] {
        journal.entries.compactMap { entry in
            switch entry {
            case .numbered(let number): cut.contextKey(of: cut.entries[number])
            case .change(let change): classes[change.modelName].map { ObjectKey(ObjectIdentifier($0), change.key) }
            }
        }
    }

    /// What was changed beside the records that the cut itself wrote, or in these after it had written them.
    func changesBeside(_ classes: [String: any LiveModel.Type]) -> [ObjectKey: RecordChange] {
        var changes: [ObjectKey: RecordChange] = [:]
        for case .change(let change) in journal.entries {
            guard let type = classes[change.modelName] else { continue }
            let key = ObjectKey(ObjectIdentifier(type), change.key)
            if changes[key] == nil { changes[key] = change } else { changes[key]?.after = change.after }
        }
        return changes
    }

    /// All records that are not as they were, in the order in which they were first changed, and those of new objects that the same save deleted.
    var changes: [RecordChange] {
        struct Name: Hashable {
            let modelName: String
            let key: [UInt8]
        }
        var places: [Name: Int] = [:]
        var changes: [(change: RecordChange, isInsertion: Bool)] = []
        for entry in journal.entries {
            let isInsertion: Bool
            let change: RecordChange
            switch entry {
            case .numbered(let number): (change, isInsertion) = (self.change(number), cut.entries[number].kind == .insertion)
            case .change(let other): (change, isInsertion) = (other, false)
            }
            let name = Name(modelName: change.modelName, key: change.key)
            if let place = places[name] {
                changes[place].change.after = change.after
                changes[place].change.cause = changes[place].change.cause ?? change.cause
            } else {
                places[name] = changes.count
                changes.append((change, isInsertion))
            }
        }
        return changes.filter { $0.change.before != $0.change.after || $0.isInsertion }.map(\.change)
    }

    /// What the save itself made of an entry's record.
    private func change(_ number: Int) -> RecordChange {
        let entry = cut.entries[number]
        let before: [UInt8]?
        if case .some(let bytes) = decisions.stored[number] { before = bytes } else { before = nil }
        let after: [UInt8]? =
            switch decisions.settlement(at: number) {
            case .write(let other?): other
            case .delete: nil
            case .write(nil), .keep, nil: entry.kind == .deletion ? nil : cut.record(of: entry)
            }
        return RecordChange(modelName: entry.type.schema.name, key: cut.wholeKey(of: entry), before: before, after: after)
    }
}

/// What a save does about one object.
enum Settlement: Sendable {
    /// Stores its record, or another one.
    case write([UInt8]?)
    /// Deletes its record.
    case delete
    /// Leaves what is stored, which is this; nil when there is nothing.
    case keep(StoredVersion?)

    /// The record that it leaves instead of the object's own; nil when that is stored, or none.
    var record: [UInt8]? {
        switch self {
        case .write(let other): other
        case .keep(let stored): stored?.bytes
        case .delete: nil
        }
    }
}

/// What is done about an object that is inserted and whose id is taken.
struct SettledInsertion {
    let settlement: Settlement
    /// The record that is there.
    let stored: [UInt8]?
}

/// What is known in a transaction of the record that an entry of a cut is about.
enum KnownRecord: Sendable {
    /// Nothing.
    case unknown
    /// There is none.
    case none
    /// There is one, whose bytes nobody needs.
    case unread
    /// It is this.
    case some([UInt8])
}

/// What a save's transaction found out before it writes, by the positions of the cut's entries.
struct SaveDecisions: Sendable {
    /// What is done otherwise than the cut says.
    private(set) var settlements: [Int: Settlement] = [:]
    /// What is stored.
    var stored: [KnownRecord]

    init(_ cut: ChangeCut) {
        stored = [KnownRecord](repeating: .unknown, count: cut.entries.count)
    }

    func settlement(at position: Int) -> Settlement? { settlements.isEmpty ? nil : settlements[position] }

    /// Takes down that a record is as the context knows it.
    mutating func noteStored(_ bytes: [UInt8], at position: Int) { stored[position] = .some(bytes) }

    mutating func noteUnread(at position: Int) { stored[position] = .unread }

    /// - Parameter image: the record that the object's changes are changes of, which mostly is the one that is stored and then kept once.
    mutating func note(_ settlement: Settlement?, _ bytes: [UInt8]?, image: [UInt8]?, at position: Int) {
        if let settlement { settlements[position] = settlement }
        stored[position] = bytes.map { .some(image == $0 ? image ?? $0 : $0) } ?? .none
    }

    mutating func note(_ insertion: SettledInsertion, at position: Int) {
        note(insertion.settlement, insertion.stored, image: nil, at: position)
    }
}
