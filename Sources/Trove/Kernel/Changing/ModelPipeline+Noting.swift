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
        switch old {
        case .stored(let bytes):
            try noteOld(key, bytes, new, record)
            return true
        case .unknown:
            return try transaction.reader.get(key.bytes, in: keyspace) { try $0.withUnsafeBytes { try noteOld(key, $0, new, record) } }
        }
    }

    /// Notes the change of a stored record.
    ///
    /// When it is too damaged to tell its entries, the model's indexes are built anew and the change goes on without them.
    private func noteOld(
        _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ new: RecordView?, _ record: UnsafeRawBufferPointer?
    ) throws {
        guard let model else { return try note(RecordTransition(key: key, old: nil, new: nil, oldBytes: bytes, newBytes: record)) }
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
        guard isOldAtFault else { throw model.recordError(failure, key: key) }
        unreadable = maintainers.map(\.binding.number)
        maintainers = []
        listeners = followers
        // What the indexes had noted of other records is gone with them, so there is no way back.
        try transaction.change { try note(RecordTransition(key: key, old: nil, new: new, oldBytes: bytes, newBytes: record)) }
    }

    func restartUnreadable() throws {
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
