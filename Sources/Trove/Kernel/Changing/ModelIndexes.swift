/// The indexes of one model in a write transaction, through which every change of its records goes.
@usableFromInline final class ModelIndexes {
    let model: ModelBinding
    private unowned let transaction: WriteTransaction
    private unowned let maintenance: IndexMaintenance
    private(set) var maintainers: [any IndexMaintainer] = []
    /// Tells the observers of the model; nil when there are none.
    private let observed: ObservedChanges?
    /// Takes note of changes in relationships; nil when nothing follows from them.
    private let notes: RelationshipNotes?
    /// The stored record that the change noted last replaces, when the transaction takes changes down; nil when there is none.
    private var replaced: [UInt8]?
    /// The indexes that the program cannot keep, but that have entries; the first change makes them build from the start.
    private var unmaintained: [Int] = []
    private var hasUnique = false
    /// No record of the model has a key above this; nil when nobody has looked, empty when there are no records.
    private var upperBound: [UInt8]?
    /// Whether the last record saved was new: then the next is taken for new until the engine says otherwise.
    private var expectsNew = true
    private var notedSize = 0

    init(_ model: ModelBinding, _ transaction: WriteTransaction, _ maintenance: IndexMaintenance, observed: ObservedChanges?) {
        self.observed = observed
        self.model = model
        self.transaction = transaction
        self.maintenance = maintenance
        notes = transaction.relationshipNotes(of: model)
    }

    /// Takes over what the catalogue says, keeping what is noted for indexes that are as they were.
    func load(_ table: IndexTable) throws {
        let writer = try transaction.writer
        let name = model.schema.name
        let old = maintainers
        maintainers = try table.bindings(of: name).compactMap { binding in
            let position: [UInt8]?
            switch table.state(of: binding.number) {
            case .ready: position = nil
            case .building(after: let key?): position = key
            default: return nil
            }
            // A state changes in a transaction only together with the number, or by a rollback, which leaves nothing noted.
            return try old.first { $0.binding.number == binding.number } ?? binding.maintainer(upTo: position, writer)
        }
        hasUnique = maintainers.contains { $0.binding.schema.isUnique }
        unmaintained = table.unmaintained(of: name).filter { table.state(of: $0) != .building(after: nil) }
    }

    /// Whether nothing has to be known of changes.
    private var isIdle: Bool { maintainers.isEmpty && observed == nil && notes == nil && !isJournaled }

    private var isJournaled: Bool { transaction.journal != nil }

    // MARK: Changes

    func save(_ key: RawSpan, _ record: RawSpan, in keyspace: Keyspace, mustBeNew: Bool = false) throws -> Bool {
        try key.withUnsafeBytes { key in
            try record.withUnsafeBytes { record in try save(key, record, in: keyspace, mustBeNew: mustBeNew) }
        }
    }

    /// Stores a record, given with its key, and returns whether it was stored: a record that must be new is not when its key exists.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func save(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, in keyspace: Keyspace, mustBeNew: Bool
    ) throws -> Bool {
        let writer = try transaction.writer
        try prepare()
        if isIdle { return try store(key, record, writer, keyspace, mustBeNew: mustBeNew) }
        replaced = nil
        var isStored = true
        try withView(of: record, key) { new in
            let isAbove = try isAboveAll(key, keyspace)
            if mustBeNew || isAbove {
                try note(nil, new)
                isStored = try writing { try store(key, record, writer, keyspace, mustBeNew: mustBeNew) }
            } else if expectsNew && (!hasUnique || maintenance.isInBatch) {
                // One call of the engine both finds that there is no such record and stores it.
                try note(nil, new)
                isStored = try writing { try writer.insert(key.bytes, record.bytes, in: keyspace) }
                if !isStored {
                    undo()
                    expectsNew = false
                    try replace(key, new, record, writer, keyspace)
                    isStored = true
                    return
                }
            } else {
                return try replace(key, new, record, writer, keyspace)
            }
            if isStored { try accept(key, record) } else { undo() }
        }
        if isStored { try finish() }
        return isStored
    }

    /// Replaces a record that is there.
    func update(_ key: RawSpan, _ record: RawSpan, in keyspace: Keyspace) throws {
        let writer = try transaction.writer
        try prepare()
        try key.withUnsafeBytes { key in
            try record.withUnsafeBytes { record in
                try withView(of: record, key) { try replace(key, $0, record, writer, keyspace) }
            }
        }
        try finish()
    }

    /// Removes a record and returns whether there was one.
    func delete(_ key: UnsafeRawBufferPointer, in keyspace: Keyspace) throws -> Bool {
        let writer = try transaction.writer
        try prepare()
        if isIdle { return try writer.delete(key.bytes, in: keyspace) }
        guard try noteOld(key, nil, keyspace) else { return false }
        _ = try writing { try writer.delete(key.bytes, in: keyspace) }
        try accept(key, nil)
        try finish()
        return true
    }

    /// Removes all records and returns how many there were.
    func deleteAll(in keyspace: Keyspace) throws -> Int {
        let writer = try transaction.writer
        try prepare()
        var count = 0
        try transaction.change {
            for maintainer in maintainers { try maintainer.removeAll() }
            observed?.replaceAll()
            try transaction.journalRemoval(ofAll: model.schema.name, in: keyspace)
            upperBound = []
            count = try writer.deleteRange(.all, in: keyspace)
        }
        try finish()
        return count
    }

    private func replace(
        _ key: UnsafeRawBufferPointer, _ new: RecordView, _ record: UnsafeRawBufferPointer, _ writer: any StorageWriter,
        _ keyspace: Keyspace
    ) throws {
        let isThere = try noteOld(key, new, keyspace)
        if !isThere {
            expectsNew = true
            try note(nil, new)
        } else {
            try check(new)
        }
        try writing { try writer.put(key.bytes, record.bytes, in: keyspace) }
        try accept(key, record)
    }

    private func store(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ writer: any StorageWriter, _ keyspace: Keyspace,
        mustBeNew: Bool
    ) throws -> Bool {
        if mustBeNew { return try writer.insert(key.bytes, record.bytes, in: keyspace) }
        try writer.put(key.bytes, record.bytes, in: keyspace)
        return true
    }

    /// Writes what was noted; when the engine refuses, as it does a record that is too large, what was noted does not count.
    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            undo()
            upperBound = nil
            throw error
        }
    }

    // MARK: Noting

    private func prepare() throws {
        if !unmaintained.isEmpty { try maintenance.restart(unmaintained) }
    }

    /// Notes a new record and checks that it may be stored.
    private func note(_ old: RecordView?, _ new: RecordView) throws {
        do {
            try replace(old: old, new: new)
        } catch {
            undo()
            throw error
        }
        try check(new)
    }

    /// Notes the change of the record that is stored under a key; returns false when there is none.
    ///
    /// When the stored record is too damaged to tell its entries, the model's indexes are built anew and the change goes on without them.
    private func noteOld(_ key: UnsafeRawBufferPointer, _ new: RecordView?, _ keyspace: Keyspace) throws -> Bool {
        var failure: (any Error)?
        var isOldAtFault = false
        let isThere = try transaction.reader.get(key.bytes, in: keyspace) { old in
            if isJournaled { replaced = [UInt8](copying: old) }
            do {
                try transaction.withRecordView(old, key: key.bytes, OpenModel(model)) { old in
                    do {
                        try replace(old: old, new: new)
                    } catch {
                        isOldAtFault = error is OldRecordFault
                        failure = error
                    }
                }
            } catch {
                isOldAtFault = true
                failure = error
            }
        }
        if let failure {
            undo()
            guard isOldAtFault else { throw failure }
            try maintenance.restart(maintainers.map(\.binding.number))
            observed?.replaceAll()
            if let new { try notes?.replace(old: nil, new: new) }
        }
        return isThere
    }

    private func check(_ new: RecordView) throws {
        guard hasUnique, !maintenance.isInBatch else { return }
        do {
            for maintainer in maintainers where maintainer.binding.schema.isUnique { try maintainer.check() }
        } catch let conflict as UniqueConflict {
            undo()
            throw try transaction.violation(conflict, new)
        } catch {
            undo()
            throw error
        }
    }

    private func replace(old: RecordView?, new: RecordView?) throws {
        for maintainer in maintainers { try maintainer.replace(old: old, new: new) }
        try notes?.replace(old: old, new: new)
        observed?.replace(old: old, new: new)
    }

    /// What was noted last holds: the record under this key is now `record`, nil when it was removed.
    private func accept(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer?) throws {
        observed?.accept()
        notes?.accept()
        try transaction.change {
            for maintainer in maintainers { try maintainer.accept() }
            if isJournaled {
                try transaction.journal(model.schema.name, key, from: replaced.take(), to: record.map { [UInt8]($0) })
            }
        }
    }

    private func undo() {
        observed?.undo()
        notes?.undo()
        for maintainer in maintainers { maintainer.undo() }
    }

    /// Ends a change of one record.
    private func finish() throws {
        if hasUnique && !maintenance.isInBatch { try endBatch() }
        // An empty batch, at the end of which inverses follow.
        if notes != nil, !maintenance.isInBatch, transaction.relationships?.hasChanges == true { try transaction.batch {} }
        let size = maintainers.reduce(0) { $0 + $1.bufferedSize }
        let difference = size - notedSize
        notedSize = size
        try maintenance.noteSize(difference)
    }

    // MARK: Batches and writing

    func endBatch() throws {
        guard hasUnique else { return }
        try transaction.change {
            try translating { for maintainer in maintainers { try maintainer.endBatch() } }
        }
    }

    /// Writes what is noted; returns about how many bytes have to wait.
    func flush(insideBatch: Bool) throws -> Int {
        try transaction.change {
            try translating { for maintainer in maintainers { try maintainer.flush(insideBatch: insideBatch) } }
        }
        notedSize = maintainers.reduce(0) { $0 + $1.bufferedSize }
        return notedSize
    }

    func discard() {
        for maintainer in maintainers { maintainer.discard() }
        notedSize = 0
        // Records may be back that were deleted when these were found out.
        upperBound = nil
        expectsNew = true
    }

    private func translating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let conflict as UniqueConflict {
            throw try transaction.violation(conflict, nil)
        }
    }

    // MARK: Keys

    /// Whether no stored record has this key or a higher one, as far as is known for nothing; if so, the record is about to be stored.
    private func isAboveAll(_ key: UnsafeRawBufferPointer, _ keyspace: Keyspace) throws -> Bool {
        if upperBound == nil {
            var last: [UInt8] = []
            try transaction.reader.scan(.all, in: keyspace, order: .descending) { key, _ in
                last = [UInt8](copying: key)
                return .stop
            }
            upperBound = last
        }
        guard let bound = upperBound, bound.span.bytes.precedes(key.bytes) else { return false }
        upperBound = [UInt8](key)
        return true
    }

    /// Calls `body` with the record, in the model's current layout.
    private func withView(
        of record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ body: (RecordView) throws -> Void
    ) throws {
        if try RecordDecoder.header(of: record).layout == model.layout.number {
            try body(RecordView(trusting: record, key: key, layout: model.layout))
        } else {
            try transaction.withRecordView(record.bytes, key: key.bytes, OpenModel(model), body)
        }
    }
}
