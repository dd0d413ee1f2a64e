extension ModelPipeline {
    /// Stores a record unless its key exists; returns whether it was stored.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func insert(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, in keyspace: Keyspace) throws -> Bool {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            try judge(record, key)
            let isStored = try writer.insert(key.bytes, record.bytes, in: keyspace)
            if isStored { noteNumber() }
            return isStored
        }
        let isStored = try withView(of: record, key) { new in
            try validation?.judge(new)
            // It may be the highest key from now on.
            _ = try isAboveAll(key, keyspace)
            return try insert(key, record, new, keyspace)
        }
        if isStored { try finish() }
        return isStored
    }

    /// Stores a record, whether or not there is one with its key.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func upsert(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, in keyspace: Keyspace) throws {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            try judge(record, key)
            try writer.put(key.bytes, record.bytes, in: keyspace)
            return noteNumber()
        }
        try withView(of: record, key) { new in
            try validation?.judge(new)
            if try isAboveAll(key, keyspace) {
                try note(key, new, record)
                try writing { try writer.put(key.bytes, record.bytes, in: keyspace) }
                return try accept()
            }
            // A delegate is told what a change is before it is made.
            if expectsNew && !hasAnnexes && (!hasUnique || pipeline.isInBatch) && !isTold {
                // One call of the engine both finds that there is no such record and stores it.
                if try insert(key, record, new, keyspace) { return }
                expectsNew = false
            }
            try replace(key, record, new, .unknown, keyspace)
        }
        try finish()
    }

    /// Replaces a record that is there, of which the caller may have the bytes.
    ///
    /// - Throws: ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, with nothing changed.
    func update(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, replacing old: OldRecord, in keyspace: Keyspace
    ) throws {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            try judge(record, key)
            try writer.put(key.bytes, record.bytes, in: keyspace)
            return noteNumber()
        }
        try withView(of: record, key) { new in
            try validation?.judge(new)
            try replace(key, record, new, old, keyspace)
        }
        try finish()
    }

    /// Removes a record, of which the caller may have the bytes; returns whether there was one.
    func delete(_ key: UnsafeRawBufferPointer, _ old: OldRecord, in keyspace: Keyspace) throws -> Bool {
        let writer = try transaction.writer
        try prepare()
        if needsNoRecords {
            let isDeleted = try writer.delete(key.bytes, in: keyspace)
            if isDeleted { noteNumber() }
            return isDeleted
        }
        guard try noteOld(key, old, nil, nil, keyspace) else { return false }
        try restartUnreadable()
        try writing { try writer.remove(key.bytes, in: keyspace) }
        try accept()
        try finish()
        return true
    }

    /// Removes all records and returns how many there were.
    func deleteAll(in keyspace: Keyspace) throws -> Int {
        let writer = try transaction.writer
        try prepare()
        var count = 0
        try transaction.change {
            transaction.changeNumber &+= 1
            for listener in listeners { try listener.noteRemovalOfAll(in: keyspace) }
            upperBound = []
            count = try writer.deleteRange(.all, in: keyspace)
            for listener in listeners { try listener.accept() }
        }
        try finish()
        return count
    }

    /// Whether nobody wants to see the records of the change that is made now: it has no listeners, or only a journal that takes down its number.
    private var needsNoRecords: Bool { listeners.isEmpty || soleJournal?.isNumbering == true }

    /// Lets the object of a record that no listener sees judge itself.
    private func judge(_ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer) throws {
        guard let validation else { return }
        try withView(of: record, key) { try validation.judge($0) }
    }

    /// Takes down a change whose records nobody wanted to see.
    private func noteNumber() {
        guard let soleJournal else { return }
        transaction.changeNumber &+= 1
        // The key may be the highest.
        upperBound = nil
        soleJournal.appendNumber()
    }

    private func insert(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ new: RecordView?, _ keyspace: Keyspace
    ) throws -> Bool {
        let writer = try transaction.writer
        try note(key, new, record)
        guard try writing({ try writer.insert(key.bytes, record.bytes, in: keyspace) }) else {
            undo()
            return false
        }
        try accept()
        return true
    }

    private func replace(
        _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ new: RecordView?, _ old: OldRecord, _ keyspace: Keyspace
    ) throws {
        let writer = try transaction.writer
        if try noteOld(key, old, new, record, keyspace) {
            try restartUnreadable()
            try check(new)
        } else {
            expectsNew = true
            _ = raiseBound(to: key)
            try note(key, new, record)
        }
        try writing { try writer.put(key.bytes, record.bytes, in: keyspace) }
        try accept()
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

    // MARK: Keys

    /// Whether no stored record has this key or a higher one, as far as is known for nothing; if so, the record is about to be stored.
    private func isAboveAll(_ key: UnsafeRawBufferPointer, _ keyspace: Keyspace) throws -> Bool {
        if upperBound == nil {
            var last: [UInt8] = []
            try transaction.reader.scanKeys(.all, in: keyspace, order: .descending, expecting: 1) { key in
                last = [UInt8](copying: key)
                return .stop
            }
            upperBound = last
        }
        return raiseBound(to: key)
    }

    /// Takes note of a record that is about to be stored; whether its key is above all, as far as is known.
    private func raiseBound(to key: UnsafeRawBufferPointer) -> Bool {
        guard let bound = upperBound, bound.span.bytes.precedes(key.bytes) else { return false }
        upperBound = [UInt8](key)
        return true
    }

    /// Calls `body` with the record in the model's current layout; with nil when the program does not have the model.
    private func withView<Result>(
        of record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ body: (RecordView?) throws -> Result
    ) throws -> Result {
        guard let model else { return try body(nil) }
        if try RecordDecoder.header(of: record).layout == model.layout.number {
            var view = try RecordView(trusting: record, key: key, layout: model.layout)
            view.annexes = transaction.annexes(of: model.layout)
            return try body(view)
        }
        try dropUntold(by: record, key)
        try restartUntold()
        var result: Result?
        try transaction.withRecordView(record.bytes, key: key.bytes, OpenModel(model)) { result = try body($0) }
        guard let result else { throw DecodingFault.damaged("it cannot be read in the model's layout") }
        return result
    }
}
