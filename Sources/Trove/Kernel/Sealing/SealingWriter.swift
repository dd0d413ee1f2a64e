import TroveBackendKit

/// A writer that seals the encrypted fields of the records it is given.
final class SealingWriter: SealingReader, ForwardingWriter {
    let wrappedWriter: any StorageWriter
    /// The layouts that were asked for, by their numbers, and the positions of the fields that are sealed in their records. A transaction may make layouts whose numbers become
    /// others' when it is undone, so nobody else gets to know them.
    private var known: [UInt16: (layout: RecordLayout, positions: [Int])] = [:]

    /// - Throws: what unlocking keys that another program has changed throws.
    init(_ writer: any StorageWriter, _ sealing: FieldSealing, _ catalogue: Catalogue) throws {
        wrappedWriter = writer
        super.init(writer, sealing, catalogue)
        // A key that another program has retired must not be used any more.
        _ = try renewKeys()
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        let keyspace = try wrappedWriter.createKeyspace(named: name)
        note(keyspace, name)
        return keyspace
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        guard let sealed = try sealed(value, key: key, in: keyspace) else { return try wrappedWriter.put(key, value, in: keyspace) }
        try wrappedWriter.put(key, sealed.span.bytes, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        guard let sealed = try sealed(value, key: key, in: keyspace) else { return try wrappedWriter.insert(key, value, in: keyspace) }
        return try wrappedWriter.insert(key, sealed.span.bytes, in: keyspace)
    }

    /// Takes over keys that this transaction has changed.
    override func changeKeys() throws {
        try super.changeKeys()
        known.removeAll()
    }

    func savepoint(_ body: () throws -> Void) throws {
        do {
            try wrappedWriter.savepoint(body)
        } catch {
            known.removeAll()
            plans.removeAll()
            throw error
        }
    }

    override func layout(_ number: UInt16) throws -> RecordLayout { try sealing.writtenLayout(number) ?? plan(number).layout }

    /// The positions of the fields that are sealed in records of a layout.
    func sealedPositions(_ number: UInt16) throws -> [Int] { try plan(number).positions }

    private func plan(_ number: UInt16) throws -> (layout: RecordLayout, positions: [Int]) {
        if let plan = known[number] { return plan }
        let closed = sealer.closedFields
        let plan: (layout: RecordLayout, positions: [Int])
        if let layout = sealing.writtenLayout(number) {
            plan = (layout, sealing.positions(inWritten: layout, closed: closed))
        } else if let entry = try Catalogue.entry(number, wrappedWriter) {
            plan = (entry.layout, sealing.positions(in: entry, closed: closed))
        } else {
            throw TroveError.corruptCatalogue(entry: LayoutEntry.name(number), reason: "a record names this layout, but there is none")
        }
        known[number] = plan
        return plan
    }

    /// The form in which a plain record is stored; nil when it is as it is.
    private func sealed(_ record: RawSpan, key: RawSpan, in keyspace: Keyspace) throws -> [UInt8]? {
        guard hasRecords(keyspace) else { return nil }
        return try record.withUnsafeBytes { record in
            let number = try RecordDecoder.header(of: record).layout
            let (layout, positions) = try plan(number)
            if positions.isEmpty { return nil }
            return try key.withUnsafeBytes { try SealedRecord.sealed(record, key: $0, layout: layout, positions, with: sealer) }
        }
    }
}
