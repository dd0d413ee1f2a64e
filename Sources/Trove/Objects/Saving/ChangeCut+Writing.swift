extension ChangeCut {
    /// Does all changes in a transaction that is only looked at, whatever is stored.
    ///
    /// Of an object whose lazy values somebody else has replaced, which only a save has to judge, those count that are stored; one that was deleted with
    /// them is left out.
    ///
    /// - Parameter heedsOptions: false where it is asked for what rules and inverses do, which save the rest: fields that keep what is
    ///   stored are shown as the objects have them.
    func write(to transaction: WriteTransaction, heedsOptions: Bool = true) throws {
        var decisions = SaveDecisions(self)
        transaction.offers.keep(annexes)
        let settler = ConflictSettler(cut: self, policy: .objectWins, transaction: transaction, keepsDeleted: false)
        try bytes.withUnsafeBytes { bytes in
            for (position, entry) in entries.enumerated() where entry.kind == .insertion || entry.kind == .change {
                let model = try transaction.openForSaving(entry.type)
                let mayKeep = model.binding.keepsStoredValues && heedsOptions
                guard model.hasLazyFields || mayKeep else { continue }
                let (key, record) = ([UInt8](bytes[entry.key]), UnsafeRawBufferPointer(rebasing: bytes[entry.record]))
                let hasLost = try model.hasLazyFields && !transaction.lostLazyFields(of: record, key: key, model).isEmpty
                guard hasLost || mayKeep else { continue }
                let stored = try transaction.storedVersions(of: [wholeKey(of: entry)], entry.type)[0]
                if let stored {
                    let settlement = try settler.objectWins(entry, stored)
                    if case .write(nil) = settlement { continue }
                    decisions.note(settlement, stored.storedBytes, image: entry.image, at: position)
                } else if hasLost {
                    decisions.note(.keep(nil), nil, image: nil, at: position)
                }
            }
        }
        try write(to: transaction, &decisions, journal: nil) { _ in nil }
    }

    /// Does the changes in a transaction.
    ///
    /// - Parameters:
    ///   - decisions: what is done otherwise, and what is known of the records that are stored; those of insertions are added.
    ///   - journal: takes down the numbers of the entries that are written, in the order of the cut.
    ///   - settle: what to do about an object that is inserted, and whose record is there already; nil to store it.
    func write(
        to transaction: WriteTransaction, _ decisions: inout SaveDecisions, journal: ChangeJournal?, settle: (Entry) throws -> SettledInsertion?
    ) throws {
        transaction.offers.keep(annexes)
        let keeper = isSettled || !ghosts.isEmpty || !released.isEmpty ? try transaction.openRelationships() : nil
        try transaction.batch {
            if isSettled, let keeper {
                // Rules and inverses are done with these, and may only find what others have changed meanwhile.
                let restored = entries.filter { $0.isRestored && $0.kind != .deletion }
                keeper.spared = Set(restored.map { AnyReference(modelName: $0.type.schema.name, keyBytes: wholeKey(of: $0)) })
                let writing = CutWriting(transaction, journal, keeper)
                try writing.writeSettled(self, &decisions)
                try writing.write(self, &decisions, settle) { $0.isRestored }
                try writing.delete(self)
                // What is settled otherwise than the objects say may make orphans of some of them at the end.
                if decisions.settlements.isEmpty { keeper.spared = [] }
            }
            // Rules may have changed records since they were read.
            let writing = CutWriting(transaction, journal, nil, knowsStored: !isSettled)
            if let keeper { try writing.writeGhosts(ghosts, keeper) }
            try writing.write(self, &decisions, settle) { !$0.isRestored }
            for (reference, rule) in released { keeper?.noteOrphan(reference, rule) }
            try writing.delete(self)
            // Unique indexes judge the whole: what orphans have is free for others.
            try transaction.follower?.settle(since: nil)
        }
    }
}

/// The writing of a cut's entries, and the deletions that come last and together, so that their rules see the others' relationships as they will be, and
/// each other.
private final class CutWriting {
    private let transaction: WriteTransaction
    private let journal: ChangeJournal?
    /// What is not to be told of what is written; nil when it is.
    private let silent: RelationshipKeeper?
    /// Whether what was read of the stored records holds.
    private let knowsStored: Bool
    /// The positions of the deletions that no relationship has anything to do with.
    private var plainDeletions: [Int] = []
    /// The keys of the others, and of what is deleted though the cut does not say so, by model.
    private var deletions: [String: KeyList] = [:]
    /// Those of them whose keys of the engine are shortened.
    private var longDeletions: [AnyReference] = []
    private var last: OpenedClass?

    init(_ transaction: WriteTransaction, _ journal: ChangeJournal?, _ silent: RelationshipKeeper?, knowsStored: Bool = true) {
        self.knowsStored = knowsStored
        self.transaction = transaction
        self.journal = journal
        self.silent = silent
    }

    private func model(of type: any LiveModel.Type) throws -> OpenModel { try opened(type).model }

    private func opened(_ type: any LiveModel.Type) throws -> OpenedClass {
        if let last, last.type == type { return last }
        let model = try transaction.openForSaving(type)
        let isDeletedAlone = try journal != nil && !transaction.relationshipsConcernDeletion(of: model.binding.schema.name)
        let opened = OpenedClass(type, model, isDeletedAlone: isDeletedAlone)
        last = opened
        return opened
    }

    /// Stores the entries that are meant, and notes their deletions. The objects' own `validate()` has judged them as they are, with their relationships.
    func write(
        _ cut: ChangeCut, _ decisions: inout SaveDecisions, _ settle: (ChangeCut.Entry) throws -> SettledInsertion?,
        where isMeant: (ChangeCut.Entry) -> Bool
    ) throws {
        try cut.bytes.withUnsafeBytes { bytes in
            // An entry and a model are looked at where they are: a copy of each is a dozen reference counts for every object.
            let entries = cut.entries
            for position in entries.indices {
                let kind = entries[position].kind
                guard kind != .none, isMeant(entries[position]) else { continue }
                let opened = try opened(entries[position].type)
                let key = UnsafeRawBufferPointer(rebasing: bytes[entries[position].key])
                let record = UnsafeRawBufferPointer(rebasing: bytes[entries[position].record])
                if kind == .insertion, case .unknown = decisions.stored[position] {
                    let isStored = try noting(position, isSilent(decisions)) { try insertUnjudged(key.bytes, record.bytes, opened.model) }
                    if isStored { continue }
                    if let settled = try settle(entries[position]) { decisions.note(settled, at: position) }
                }
                switch decisions.settlement(at: position) ?? (kind == .deletion ? .delete : .write(nil)) {
                case .write(nil): try transaction.withoutValidation { try store(key, record, opened.model, position, decisions) }
                // What a merge has made of it nobody has seen yet.
                case .write(let other?): try other.withUnsafeBytes { try store(key, $0, opened.model, position, decisions) }
                case .delete where opened.isDeletedAlone: plainDeletions.append(position)
                case .keep(nil) where opened.isDeletedAlone: break
                // What others have deleted, and stays so, takes with it the references that this save has stored.
                case .delete, .keep(nil):
                    let name = opened.model.binding.schema.name
                    deletions[name, default: KeyList()].append(key)
                    if let whole = entries[position].longKey { longDeletions.append(AnyReference(modelName: name, keyBytes: whole)) }
                case .keep: break
                }
            }
        }
    }

    /// Stores the records that objects had before the changes that rules and inverses have something to do with.
    func writeSettled(_ cut: ChangeCut, _ decisions: inout SaveDecisions) throws {
        for (position, entry) in cut.entries.enumerated() where !entry.isRestored && entry.kind != .none && decisions.settlement(at: position) == nil {
            guard let settled = entry.settled else { continue }
            let model = try model(of: entry.type)
            let key = RecordKey(cut.wholeKey(of: entry))
            try key.bytes.withUnsafeBytes { key in
                try settled.withUnsafeBytes { record in
                    // What does not stay is not judged.
                    if entry.kind == .insertion {
                        // One whose id is taken is dealt with when it is inserted.
                        let isStored = try noting(position, isSilent(decisions)) { try insertUnjudged(key.bytes, record.bytes, model) }
                        guard isStored else { return }
                    } else if case .none = decisions.stored[position] {
                        return
                    } else {
                        try transaction.withoutValidation { try store(key, record, model, position, decisions) }
                    }
                    decisions.stored[position] = .some(settled)
                }
            }
        }
    }

    /// Stores what was inserted and deleted again, unjudged, for the rules of its deletion. One whose id is taken meanwhile has nothing to say.
    func writeGhosts(_ ghosts: [Ghost], _ keeper: RelationshipKeeper) throws {
        for ghost in ghosts {
            let model = try model(of: ghost.type)
            let isStored = try keeper.noting(.nothing) { try insertUnjudged(ghost.key.bytes.span.bytes, ghost.record.span.bytes, model) }
            guard isStored else { continue }
            ghost.key.bytes.withUnsafeBytes { deletions[ghost.type.schema.name, default: KeyList()].append($0) }
        }
    }

    /// Deletes what was noted.
    func delete(_ cut: ChangeCut) throws {
        try cut.bytes.withUnsafeBytes { bytes in
            for position in plainDeletions {
                let entry = cut.entries[position]
                let model = try model(of: entry.type)
                _ = try journal?.numbering(position) { try transaction.remove(UnsafeRawBufferPointer(rebasing: bytes[entry.key]).bytes, model) }
            }
        }
        plainDeletions = []
        if deletions.isEmpty { return }
        _ = try transaction.deleteTogether(deletions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, letsGoOfMissing: true, long: longDeletions)
        deletions = [:]
        longDeletions = []
    }

    /// Stores a new record that nobody validates; false when its id is taken.
    private func insertUnjudged(_ key: RawSpan, _ record: RawSpan, _ model: OpenModel) throws -> Bool {
        try transaction.withoutValidation { try transaction.insert(key, record, model) }
    }

    /// Stores a record in place of the one that is there.
    private func store(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ model: OpenModel, _ position: Int, _ decisions: borrowing SaveDecisions
    ) throws {
        try noting(position, isSilent(decisions)) {
            switch decisions.stored[position] {
            case .unknown: try transaction.update(key.bytes, record.bytes, model)
            case .none where !knowsStored: try transaction.upsert(key.bytes, record.bytes, model)
            case .some where !knowsStored: try transaction.update(key.bytes, record.bytes, model)
            case .unread: try transaction.update(key.bytes, record.bytes, model)
            case .none:
                // Nobody else writes in between.
                _ = try transaction.insert(key.bytes, record.bytes, model)
            case .some(let old): try old.withUnsafeBytes { try transaction.update(key.bytes, record.bytes, replacing: .stored($0), model) }
            }
        }
    }

    /// Whether rules and inverses are not told of what is written. What is settled otherwise than the objects say leaves them something to do.
    private func isSilent(_ decisions: borrowing SaveDecisions) -> Bool { silent != nil && decisions.settlements.isEmpty }

    private func noting<Result>(_ number: Int, _ isSilent: Bool, _ body: () throws -> Result) throws -> Result {
        func write() throws -> Result {
            guard isSilent, let silent else { return try body() }
            return try silent.noting(.nothing, body)
        }
        guard let journal else { return try write() }
        return try journal.numbering(number, write)
    }
}

/// A class of the objects that are written, looked up once for many of them.
private final class OpenedClass {
    let type: any LiveModel.Type
    let model: OpenModel
    /// Whether a deletion of its records concerns these alone.
    let isDeletedAlone: Bool

    init(_ type: any LiveModel.Type, _ model: OpenModel, isDeletedAlone: Bool) {
        self.type = type
        self.model = model
        self.isDeletedAlone = isDeletedAlone
    }
}
