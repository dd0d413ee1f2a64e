import TroveBackendKit

/// A writer that seals the encrypted fields of the records it is given.
final class SealingWriter: SealingReader, ForwardingWriter {
    let wrappedWriter: any StorageWriter
    /// The keys that were committed before this one began, and how often the newest had been replaced by then.
    private var first: (sealer: any FieldSealer, replacements: Int)?

    /// - Throws: what unlocking keys that another program has changed throws.
    init(_ writer: any StorageWriter, _ sealing: FieldSealing, _ catalogue: Catalogue) throws {
        wrappedWriter = writer
        super.init(writer, sealing, catalogue, begunAfter: nil)
        // A key that another program has retired must not be used any more.
        _ = try renewKeys()
        first = (sealer, sealing.noteCommitted(sealer))
    }

    /// Tells everybody the keys that this transaction has changed, once it is committed.
    ///
    /// Others may write by then, so keys that are as they were found say nothing of what is committed now.
    func noteCommitted() {
        guard let first, sealer !== first.sealer else { return }
        sealing.noteChanged(sealer, begunAfter: first.replacements)
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

    /// Stores a record as it was but for the keys that its fields are sealed with.
    ///
    /// - Parameter sealed: the positions of the fields that were sealed before. They stay so, also where the program declares them in the clear: only
    ///   who saves an object says that it may be.
    func reseal(_ key: RawSpan, _ record: RawSpan, sealed: [Int], in keyspace: Keyspace) throws {
        let stored = try self.sealed(record, key: key, in: keyspace, besides: sealed)
        if let stored { try wrappedWriter.put(key, stored.span.bytes, in: keyspace) }
    }

    func savepoint(_ body: () throws -> Void) throws {
        do {
            try wrappedWriter.savepoint(body)
        } catch {
            forgetPlans()
            throw error
        }
    }

    override func layout(_ number: UInt16) throws -> RecordLayout { try sealing.writtenLayout(number) ?? knownPlan(number).layout }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when there is no such layout.
    private func knownPlan(_ number: UInt16) throws -> SealingPlan {
        if let plan = try plan(number) { return plan }
        throw TroveError.corruptCatalogue(entry: LayoutEntry.name(number), reason: "a record names this layout, but there is none")
    }

    /// The form in which a plain record is stored; nil when it is as it is.
    ///
    /// - Parameter others: the positions of fields that are sealed whether or not they have to be.
    private func sealed(_ record: RawSpan, key: RawSpan, in keyspace: Keyspace, besides others: [Int] = []) throws -> [UInt8]? {
        guard hasRecords(keyspace) else { return nil }
        return try record.withUnsafeBytes { record in
            let plan = try knownPlan(RecordDecoder.header(of: record).layout)
            let positions = others.isEmpty ? plan.positions : Set(plan.positions + others).sorted()
            if positions.isEmpty { return nil }
            return try key.withUnsafeBytes { try SealedRecord.sealed(record, key: $0, layout: plan.layout, positions, with: sealer) }
        }
    }
}
