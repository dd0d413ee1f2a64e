/// What the demo found out about one engine.
struct EngineReport: Sendable {
    let engine: EngineChoice
    /// Reading and decoding the file included.
    var importing: Measurement
    /// The store's part of it.
    var storing: Measurement
    var reading: Measurement
    /// Finding everything that one package needs.
    var lookup: Measurement
    /// In bytes; 0 in memory.
    var fileSize: Int
    var findings: CatalogueFindings
    /// Of the objects as they are in the end.
    var checksum: CatalogueChecksum
}
