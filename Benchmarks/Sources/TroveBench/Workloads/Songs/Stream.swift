/// Reading all objects one after the other.
struct Stream: SongWorkload {
    let name = "stream"
    let title = "Stream all objects"
    let explanation = """
        All songs are decoded one after the other and dropped: Trove's asynchronous stream, GRDB's cursor. The figure that \
        counts is the peak memory above that of the process after one scan, which has filled the engine's own cache.
        """
    let unit = ResultUnit.time
    let order = 50

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofSongs(scale.stored) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let opened = MemoryUse.current()
        _ = try store.scan()()
        gauge.engineCache = max(0, MemoryUse.current().privateBytes - opened.privateBytes)
        return try await gauge.measure { try await store.stream() }
    }
}
