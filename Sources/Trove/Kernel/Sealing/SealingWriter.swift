import TroveBackendKit

/// A writer that seals the encrypted fields of the records it is given.
final class SealingWriter: SealingReader, ForwardingWriter {
    let wrappedWriter: any StorageWriter
    /// The fields to seal, by the number of the layout.
    private var positions: [UInt16: [Int]] = [:]

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
        positions.removeAll()
    }

    /// The positions of the fields that are sealed in records of a layout.
    func sealedPositions(_ number: UInt16) throws -> [Int] {
        if let known = positions[number] { return known }
        let closed = sealer.closedFields
        let found =
            try sealing.positions(in: catalogue.layout(number, reader: wrappedWriter), closed: closed)
            ?? Catalogue.entry(number, wrappedWriter).map { sealing.positions(in: $0, closed: closed) } ?? []
        positions[number] = found
        return found
    }

    /// The form in which a plain record is stored; nil when it is as it is.
    private func sealed(_ record: RawSpan, key: RawSpan, in keyspace: Keyspace) throws -> [UInt8]? {
        guard hasRecords(keyspace) else { return nil }
        return try record.withUnsafeBytes { record in
            let number = try RecordDecoder.header(of: record).layout
            let positions = try sealedPositions(number)
            if positions.isEmpty { return nil }
            let layout = try catalogue.layout(number, reader: wrappedWriter)
            return try key.withUnsafeBytes { try SealedRecord.sealed(record, key: $0, layout: layout, positions, with: sealer) }
        }
    }
}
