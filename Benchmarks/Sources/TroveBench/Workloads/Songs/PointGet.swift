/// Reading single objects inside one snapshot.
struct PointGet: SongWorkload {
    let name = "get"
    let title = "Get by id, one snapshot"
    let explanation = """
        Songs drawn at random are read by id, all in one read transaction; each is decoded whole (C reads its numbers where \
        they are). Measured after as many other gets, so that caches are as warm as they will be.
        """
    let unit = ResultUnit.time
    let order = 20

    func operations(_ scale: Scale) -> Int { scale.reads }

    func expected(_ scale: Scale, seed: Int) -> Tally? { .ofSongs(scale.randomReads(seed: seed)) }

    func run(on store: any SongStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        try Self.run(on: store, scale, seed: seed, oneSnapshotEach: false, &gauge)
    }

    static func run(
        on store: any SongStore, _ scale: Scale, seed: Int, oneSnapshotEach: Bool, _ gauge: inout Gauge
    ) throws -> Tally {
        let warmUp = try store.reading(scale.randomReads(seed: scale.warmUpSeed(seed)), oneSnapshotEach: oneSnapshotEach)
        let read = try store.reading(scale.randomReads(seed: seed), oneSnapshotEach: oneSnapshotEach)
        _ = try warmUp()
        return try gauge.measure(read)
    }
}
