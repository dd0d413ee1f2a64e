/// Adding an index to a store full of objects.
struct IndexBuild: TrackWorkload {
    let name = "index-build"
    let title = "Add an index to a full store"
    let explanation = """
        The store is opened with an index on the label that it does not have yet, and the time runs until that is ready: \
        SQLite's CREATE INDEX, Trove's building in batches. Trove's index also keeps the number of tracks of each label.
        """
    let unit = ResultUnit.time
    var hasLabelIndex: Bool { true }

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try gauge.measure { try contestant.openTracks(place, scale.tracks, hasLabelIndex: true) }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }

    func run(on store: any TrackStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        Tally(count: try store.count())
    }
}
