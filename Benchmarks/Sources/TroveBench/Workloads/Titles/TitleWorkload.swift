/// A workload on titles.
protocol TitleWorkload: Workload {
    func run(on store: any TitleStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally
}

extension TitleWorkload {
    var family: StoreFamily { .titles }
    var preparation: [String] { ["text-insert"] }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openTitles(place, scale.titles)
        if !contestant.isPersistent && !fillsStore { try store.insertion()() }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
