/// Reading records as bytes.
struct Scan: SongWorkload {
    let name = "scan"
    let title = "Scan without decoding"
    let explanation = """
        Every record is visited in the order of the ids, and one byte of each is read; no object is made. C and Trove's \
        backends hand out the bytes in the engine's memory, GRDB the rows of a cursor. Measured after one round that is not.
        """
    let unit = ResultUnit.time
    let order = 10

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofScannedSongs(scale.stored) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let scan = try store.scan()
        _ = try scan()
        return try gauge.measure(scan)
    }
}
