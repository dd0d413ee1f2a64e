/// Reading single objects, each in a snapshot of its own.
struct PointGetEach: SongWorkload {
    let name = "get-each"
    let title = "Get by id, a transaction each"
    let explanation = "The same gets, each in a read transaction of its own."
    let unit = ResultUnit.time
    let order = 30

    func operations(_ scale: Scale) -> Int { scale.reads }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofSongs(scale.randomReads(seed: seed)) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        try PointGet.run(on: store, scale, seed: seed, oneSnapshotEach: true, &gauge)
    }
}
