/// Adding an index to a store full of objects.
struct IndexBuild: Workload {
    let name = "index-build"
    let title = "Add an index to a full store"
    let explanation = """
        The store is opened with an index on the label that it does not have yet, and the time runs until that is ready: \
        SQLite's CREATE INDEX, Trove's building in batches. Trove's index also keeps the number of tracks of each label.
        """
    let unit = ResultUnit.time
    let order = 90
    let family = StoreFamily.tracks
    let preparation = ["indexed-insert"]

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try gauge.measure { try contestant.openLabelledTracks(place, scale.tracks) }
        let tally = Tally(count: try store.count())
        try store.close()
        return tally
    }
}
