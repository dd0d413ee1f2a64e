/// What whoever keeps the keys of encrypted properties asks of transactions: `TroveCrypto`.

/// How many values of encrypted properties a store has, and how they are sealed.
@_spi(FieldSealing) public struct SealedFieldCounts: Sendable {
    /// The values sealed with each key, by its number.
    public internal(set) var sealed: [UInt32: Int] = [:]
    /// The values that should be sealed and are not, by `Model.property`; 0 where all of them are.
    public internal(set) var plain: [String: Int] = [:]
    /// Values of which nobody can tell the key, since they are damaged.
    public internal(set) var unreadable = 0
}

/// How far a pass over all records has come that seals them anew.
@_spi(FieldSealing) public struct FieldSealingPlace: Sendable {
    let keyspaceName: String
    let key: [UInt8]
}

@_spi(FieldSealing) extension ReadTransaction {
    /// The store's record of keys; nil when it has none.
    public func fieldKeyRecord() throws -> [UInt8]? { try FieldSealing.keyRecord(reader) }

    /// Counts the values of encrypted properties in all records.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the store was opened without keys.
    public func sealedFieldCounts() throws -> SealedFieldCounts {
        let source = try sealingReader
        var counts = SealedFieldCounts()
        for entry in try Catalogue.entries(source.wrappedReader) where !entry.isRetired {
            guard let plan = try source.plan(entry.layout.number) else { continue }
            for name in plan.positions.flatMap(plan.properties) { counts.plain[name] = 0 }
        }
        var watch = watch
        try source.forEachStoredRecord(after: nil) { _, key, record in
            try watch.step()
            let missing = try source.missing(in: record, key: key)
            for name in missing.plain.flatMap({ missing.plan?.properties(at: $0) ?? [] }) { counts.plain[name, default: 0] += 1 }
            counts.unreadable += missing.unreadable
            for number in missing.keys { counts.sealed[number, default: 0] += 1 }
            return true
        }
        return counts
    }

    fileprivate var sealingReader: SealingReader {
        get throws {
            guard let source = try reader as? SealingReader else {
                throw TroveError.contextMisuse(reason: "the store was opened without the keys of encrypted properties; open it with fieldKeys:")
            }
            return source
        }
    }
}

@_spi(FieldSealing) extension StorageBackend {
    /// The record of keys of the store in an engine; nil when it has none.
    public func fieldKeyRecord() throws -> [UInt8]? { try read { try FieldSealing.keyRecord($0) } }
}

@_spi(FieldSealing) extension WriteTransaction {
    /// Replaces the record of keys. The transaction seals by it from here on.
    ///
    /// - Throws: what unlocking it throws; the transaction can then only roll back.
    public func setFieldKeyRecord(_ record: [UInt8]) throws {
        let source = try sealingReader
        let closed = source.sealer.closedFields
        try change {
            try FieldSealing.write(record, writer)
            try source.changeKeys()
            if source.sealer.closedFields == closed { return }
            // Programs that have the store open look at what they declare again.
            try IndexDirectory.renew(writer)
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
        }
    }

    /// Seals anew what is not sealed, or with another than the active key, in up to `limit` records, and passes over
    /// others; returns where to go on, nil at the end.
    ///
    /// What objects have in them does not change, so nobody is told. What is sealed stays so, whatever the program declares.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)`` for a record that cannot be opened.
    public func resealFields(from place: FieldSealingPlace?, limit: Int) throws -> FieldSealingPlace? {
        let source = try sealingReader
        guard let writer = source as? SealingWriter else { throw TroveError.transactionFinished }
        var left = max(1, limit)
        // What is done already is passed over, but not so much of it that other writers wait for long.
        var unvisited = max(Self.maxVisited, limit)
        var next: FieldSealingPlace?
        var isAtEnd = true
        var found: [String: [(key: [UInt8], sealed: [Int])]] = [:]
        try source.forEachStoredRecord(after: place) { name, key, record in
            if left == 0 || unvisited == 0 {
                isAtEnd = false
                return false
            }
            unvisited -= 1
            next = FieldSealingPlace(keyspaceName: name, key: [UInt8](key))
            let missing = try writer.missing(in: record, key: key)
            if missing.isIncomplete(activeKey: writer.sealer.activeKey) {
                left -= 1
                found[name, default: []].append(([UInt8](key), missing.sealed))
            }
            return true
        }
        for (name, records) in found {
            guard let keyspace = try writer.keyspace(named: name) else { continue }
            for (key, sealed) in records {
                var plain: [UInt8] = []
                _ = try writer.get(key.span.bytes, in: keyspace) { plain = [UInt8](copying: $0) }
                try key.withUnsafeBytes { key in
                    try plain.withUnsafeBytes { plain in
                        do {
                            _ = try RecordDecoder.checkedFlags(of: plain, key: key)
                        } catch let fault as DecodingFault {
                            throw fault.error(model: ModelSchema(name, fields: []), field: 0, key: [UInt8](key))
                        }
                    }
                }
                try change { try writer.reseal(key.span.bytes, plain.span.bytes, sealed: sealed, in: keyspace) }
            }
        }
        return isAtEnd ? nil : next
    }

    /// How many records one step looks at.
    private static var maxVisited: Int { 50_000 }
}

/// What a record lacks of being sealed as it should be, and what it has.
private struct MissingSeals {
    /// What is sealed in records of its layout; nil when the record is damaged.
    var plan: SealingPlan?
    /// The positions of the fields that should be sealed and are in the clear.
    var plain: [Int] = []
    /// The positions of the fields that are sealed.
    var sealed: [Int] = []
    /// The key of each value that is sealed.
    var keys: [UInt32] = []
    /// How many values are sealed in a way that tells no key.
    var unreadable = 0

    /// Whether values are sealed otherwise than they would be with the active key.
    func isIncomplete(activeKey: UInt32) -> Bool { !plain.isEmpty || keys.contains { $0 != activeKey } }
}

extension SealingReader {
    /// Calls `body` with each record as it is stored, in the order of the models' names and the keys, until it returns false.
    fileprivate func forEachStoredRecord(
        after place: FieldSealingPlace?, _ body: (_ name: String, _ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let names = try wrappedReader.keyspaceNames().filter { !Catalogue.isReserved($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names {
            if let place, name.utf8.lexicographicallyPrecedes(place.keyspaceName.utf8) { continue }
            guard let keyspace = try wrappedReader.keyspace(named: name) else { continue }
            var goesOn = true
            let range: KeyRange = if let place, place.keyspaceName.utf8.elementsEqual(name.utf8) { .after(place.key) } else { .all }
            try wrappedReader.scan(range, in: keyspace, order: .ascending) { key, record in
                goesOn = try key.withUnsafeBytes { key in try record.withUnsafeBytes { try body(name, key, $0) } }
                return goesOn ? .next : .stop
            }
            if !goesOn { return }
        }
    }

    /// Whether the record under a key, which has this plain form, has values in the clear that are sealed when it is stored.
    func isInTheClear(_ key: RawSpan, _ plain: RawSpan, in keyspace: Keyspace) throws -> Bool {
        // The stored form, which costs another look, tells of a layout that has something to seal.
        let plan: SealingPlan? = try plain.withUnsafeBytes { try self.plan(RecordDecoder.header(of: $0).layout) }
        guard let plan, !plan.positions.isEmpty else { return false }
        var isInTheClear = false
        _ = try wrappedReader.get(key, in: keyspace) { record in
            isInTheClear = try key.withUnsafeBytes { key in try record.withUnsafeBytes { try !missing(in: $0, key: key).plain.isEmpty } }
        }
        return isInTheClear
    }

    fileprivate func missing(in record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) throws -> MissingSeals {
        var missing = MissingSeals()
        do {
            missing.plan = try plan(RecordDecoder.header(of: record).layout)
        } catch is DecodingFault {
            return missing
        }
        guard let plan = missing.plan else { return missing }
        if SealedRecord.isSealed(record) {
            do {
                for (position, bytes) in try SealedRecord(record, key: key, layout: plan.layout).fields {
                    missing.sealed.append(position)
                    if let number = sealer.key(of: bytes.bytes) { missing.keys.append(number) } else { missing.unreadable += 1 }
                }
            } catch is DecodingFault {
                missing.unreadable += 1
            }
        }
        missing.plain = plan.positions.filter { !missing.sealed.contains($0) }
        return missing
    }
}
