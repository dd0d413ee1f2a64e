/// What the demo found out about one engine.
struct EngineReport: Sendable {
    let engine: EngineChoice
    /// Reading and decoding the file included.
    var importing: Measurement
    /// The store's part of it.
    var storing: Measurement
    var reading: Measurement
    var lookup: Measurement
    /// Names in `depends` that are no packages.
    var unresolved: Int
    /// In bytes; 0 in memory.
    var fileSize: Int
    /// Of the objects as they are in the end.
    var checksum: CatalogueChecksum
    /// The number of objects in the end.
    var count: Int
}
