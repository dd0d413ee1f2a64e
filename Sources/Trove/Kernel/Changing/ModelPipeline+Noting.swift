/// What a change is to the listeners: it is noted, checked, and accepted or undone.
extension ModelPipeline {
    func prepare() throws {
        if unmaintained.isEmpty { return }
        try transaction.indexTable.checkChanging(modelName)
        try pipeline.restart(unmaintained, .unseen)
    }

    /// Notes a new record and checks that it may be stored.
    func note(_ key: UnsafeRawBufferPointer, _ new: RecordView?, _ record: UnsafeRawBufferPointer) throws {
        do {
            try note(RecordTransition(key: key, old: nil, new: new, oldBytes: nil, newBytes: record))
        } catch {
            undo()
            throw error
        }
        try check(new)
    }

    /// Notes the change of the record that is stored under a key; returns false when there is none.
    func noteOld(
        _ key: UnsafeRawBufferPointer, _ old: OldRecord, _ new: RecordView?, _ record: UnsafeRawBufferPointer?, _ keyspace: Keyspace
    ) throws -> Bool {
        do {
            switch old {
            case .stored(let bytes):
                try noteOld(key, bytes, new, record)
                return true
            case .unknown:
                return try transaction.reader.get(key.bytes, in: keyspace) { try $0.withUnsafeBytes { try noteOld(key, $0, new, record) } }
            }
        } catch {
            // What was let go of has lost what it had noted.
            try restartUntold()
            throw error
        }
    }

    /// Notes the change of a stored record.
    ///
    /// When it is too damaged to tell its entries, the model's indexes are built anew and the change goes on without them.
    ///
    /// - Throws: ``TroveError/newerRecord(model:id:)`` when one of a newer version is to be replaced.
    private func noteOld(
        _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ new: RecordView?, _ record: UnsafeRawBufferPointer?
    ) throws {
        guard let model else { return try note(RecordTransition(key: key, old: nil, new: nil, oldBytes: bytes, newBytes: record)) }
        try dropUntold(by: bytes, key)
        var failure: (any Error)?
        var isOldAtFault = false
        do {
            try transaction.withRecordView(bytes.bytes, key: key.bytes, OpenModel(model)) { old in
                do {
                    try note(RecordTransition(key: key, old: old, new: new, oldBytes: bytes, newBytes: record))
                } catch {
                    isOldAtFault = error is OldRecordFault
                    failure = error
                }
            }
        } catch {
            isOldAtFault = true
            failure = error
        }
        guard let failure else { return }
        undo()
        // Only damage may be written over, not what this version does not know.
        if record != nil, case TroveError.newerRecord = failure { throw failure }
        guard isOldAtFault else { throw model.recordError(failure, key: key) }
        unreadable = maintainers.map(\.binding.number)
        maintainers = []
        listeners = followers
        // What the indexes had noted of other records is gone with them, so there is no way back.
        try transaction.change { try note(RecordTransition(key: key, old: nil, new: new, oldBytes: bytes, newBytes: record)) }
    }

    /// Lets go of the indexes that a record has entries in which only the program that has the model can tell.
    ///
    /// - Throws: ``TroveError/needsModel(_:reason:)`` when one of them is unique, with nothing changed.
    func dropUntold(by record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws {
        guard let model, model.storedEntry != nil, !maintainers.isEmpty, let number = Self.layoutNumber(of: record), number != model.layout.number else {
            return
        }
        let fields: Set<String>
        do {
            fields = try model.untoldFields(of: record, key: key, in: transaction.storedLayout(number))
        } catch is DecodingFault {
            // Who reads the record next finds the damage, and what follows from it.
            return
        } catch TroveError.corruptValue {
            return
        }
        let concerned = maintainers.filter { maintainer in maintainer.binding.fields.sources?.contains { fields.contains($0.name) } ?? !fields.isEmpty }
        if concerned.isEmpty { return }
        if let unique = concerned.first(where: \.binding.schema.isUnique) {
            throw TroveError.needsModel(
                modelName,
                reason: "a record is of an earlier layout, of which only that program can tell what the unique index '\(unique.binding.schema.name)' has of it")
        }
        let numbers = Set(concerned.map(\.binding.number))
        untold += numbers
        maintainers.removeAll { numbers.contains($0.binding.number) }
        listeners = maintainers + followers
    }

    /// The number of a record's layout; nil when the record is too damaged to tell.
    private static func layoutNumber(of record: UnsafeRawBufferPointer) -> UInt16? {
        do {
            return try RecordDecoder.header(of: record).layout
        } catch {
            return nil
        }
    }

    func restartUntold() throws {
        if untold.isEmpty { return }
        let numbers = untold
        untold = []
        try transaction.change { try pipeline.restart(numbers, .unseen) }
    }

    func restartUnreadable() throws {
        try restartUntold()
        if unreadable.isEmpty { return }
        let numbers = unreadable
        unreadable = []
        try transaction.change { try pipeline.restart(numbers, .asked) }
    }

    func check(_ new: RecordView?) throws {
        guard hasUnique, !pipeline.isInBatch else { return }
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

    private func note(_ change: RecordTransition) throws {
        for listener in listeners { try listener.note(change) }
    }

    /// What was noted last holds.
    func accept() throws {
        transaction.changeNumber &+= 1
        try transaction.change {
            for listener in listeners { try listener.accept() }
        }
    }

    func undo() {
        for listener in listeners { listener.undo() }
    }

    /// Ends a change of one record.
    func finish() throws {
        if hasUnique && !pipeline.isInBatch { try endBatch() }
        // An empty batch, at the end of which inverses follow.
        if !pipeline.isInBatch, transaction.follower?.hasUnfinishedWork == true { try transaction.batch {} }
        let size = maintainers.reduce(0) { $0 + $1.bufferedSize }
        let difference = size - notedSize
        notedSize = size
        try pipeline.noteSize(difference)
    }
}

/// What has been noted, at the end of a batch, of a savepoint or of the transaction.
extension ModelPipeline {
    func announce() throws {
        for listener in listeners { try listener.announce() }
    }

    func endBatch() throws {
        guard hasUnique else { return }
        try transaction.change {
            if try transaction.writer.prefetches { for maintainer in maintainers where maintainer.binding.schema.isUnique { try maintainer.announce() } }
            try translating { for listener in listeners { try listener.endBatch() } }
        }
    }

    /// Writes what is noted; returns about how many bytes have to wait.
    func flush(insideBatch: Bool) throws -> Int {
        try transaction.change {
            try translating { for listener in listeners { try listener.flush(insideBatch: insideBatch) } }
        }
        notedSize = listeners.reduce(0) { $0 + $1.bufferedSize }
        return notedSize
    }

    func discard() {
        for listener in listeners { listener.discard() }
        unreadable = []
        untold = []
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
}

extension WriteTransaction {
    /// The error for a conflict that `record`, when given, has with a stored one.
    func violation(_ conflict: UniqueConflict, _ record: RecordView?) throws -> TroveError {
        journal?.conflict = (conflict.recordKey, conflict.otherKey)
        let binding = conflict.binding
        let model = OpenModel(try self.binding(named: conflict.binding.modelName))
        let collection = binding.fields.multiplePart
        var values: [String]?
        var members: [[[UInt8]: StoredValue]] = []
        var ids: [String] = []
        for key in [conflict.recordKey, conflict.otherKey] {
            var id = model.binding.shownID(key)
            let read = { (view: RecordView) in
                if values == nil { values = try binding.describedValues(of: view) }
                if let collection { members.append(try binding.fields.parts[collection].members(of: view)) }
                if binding.fields.hasSimpleID { id = try binding.fields.id.value(view).shownInErrors }
            }
            if let record, record.key.elementsEqual(key) {
                try read(record)
            } else if let keyspace = try reader.keyspace(named: binding.modelName) {
                do {
                    _ = try reader.get(key.span.bytes, in: keyspace) { try withRecordView($0, key: key.span.bytes, model, read) }
                } catch is TroveError {
                    // The values are taken, whether or not the record that has them can be read.
                }
            }
            ids.append(id)
        }
        // Of a collection, what both have is a member.
        if let collection, members.count == 2,
            let shared = members[0].filter({ members[1][$0.key] != nil }).min(by: { $0.key.lexicographicallyPrecedes($1.key) })
        {
            values?[collection] = shared.value.shownInErrors
        }
        // Messages come into logs, where nobody may read what is encrypted.
        let encrypted = Set(model.binding.schema.fields.lazy.filter(\.isEncrypted).map(\.name))
        let described = values.map {
            zip(binding.fields.parts, $0).map { "\($0.part.path) = \(encrypted.contains($0.part.path.field) ? "an encrypted value" : $1)" }.joined(
                separator: ", ")
        }
        return .uniqueViolation(
            model: binding.modelName, index: binding.schema.name, values: described ?? "these values", id: ids[0], otherID: ids[1])
    }
}

extension IndexBinding {
    /// The values of the index's parts in a record, for a message.
    func describedValues(of record: RecordView) throws -> [String] {
        try fields.parts.map { try $0.reader.value(record).shownInErrors }
    }
}
