@testable import Trove

extension GuardedOperation {
    private static let layout = RecordLayout(
        number: 1, modelName: GuardedSong.schema.name, version: GuardedSong.schema.version,
        fields: GuardedSong.schema.fields.map { ($0.name, $0.type) })

    /// Makes a record of each object, one after the other in the same memory.
    func encodeAll(_ songs: [GuardedSong]) throws -> Int {
        var encoder = RecordEncoder()
        for song in songs { try Self.encode(song, &encoder) }
        return songs.count
    }

    /// Makes one record and reads it as often as there are objects.
    func decodeAll(_ songs: [GuardedSong]) throws -> Int {
        guard let song = songs.first else { return 0 }
        var encoder = RecordEncoder()
        try Self.encode(song, &encoder)
        // The bytes live as long as the encoder, which the last line keeps alive.
        let record = UnsafeRawBufferPointer(start: encoder.bytes.base, count: encoder.bytes.count)
        try song.id.keyBytes.withUnsafeBytes { key in
            for _ in songs {
                var decoder = try RecordDecoder(record, key: key, layout: Self.layout, plan: nil)
                try Self.check(GuardedSong(from: &decoder).year == song.year)
            }
        }
        extendLifetime(encoder)
        return songs.count
    }

    private static func encode(_ song: GuardedSong, _ encoder: inout RecordEncoder) throws {
        encoder.begin(layout, hasLongKey: false, isWide: false)
        try song.encode(into: &encoder)
        try encoder.finish(key: song.id.keyBytes.span.bytes, longKey: nil)
    }
}
