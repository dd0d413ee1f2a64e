@testable import Trove

/// Records without a store: what the members written by `@Model` do, and nothing else.
enum RecordRoundTrip {
    /// Encodes an object as a record of its own model and decodes that as `type`, which may be another version of the model.
    static func decode<Stored: Model, Read: Model>(_ object: Stored, as type: Read.Type) throws -> Read {
        let layout = RecordLayout(
            number: 1, modelName: Stored.schema.name, version: Stored.schema.version,
            fields: Stored.schema.fields.map { ($0.name, $0.type) })
        let key = object.id.keyBytes
        var encoder = RecordEncoder()
        encoder.begin(layout, hasLongKey: false, isWide: false)
        try object.encode(into: &encoder)
        try encoder.finish(key: key.span.bytes, longKey: nil)
        // The bytes live as long as the encoder, which the last line keeps alive.
        let record = UnsafeRawBufferPointer(start: encoder.bytes.base, count: encoder.bytes.count)
        let plan = Stored.schema == Read.schema ? nil : DecodingPlan(from: layout, to: Read.schema)
        let read = try key.withUnsafeBytes { key in
            var decoder = try RecordDecoder(record, key: key, layout: layout, plan: plan)
            return try Read(from: &decoder)
        }
        extendLifetime(encoder)
        return read
    }

    /// Encodes an object and decodes it again.
    static func of<M: Model>(_ object: M) throws -> M {
        try decode(object, as: M.self)
    }
}
