/// A workload on a tree: one object that owns all others.
protocol TreeWorkload: Workload {
    func run(on store: any TreeStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally
}

extension TreeWorkload {
    var family: StoreFamily { .tree }
    var preparation: [String] { ["tree-insert"] }
    var unit: ResultUnit { .rate }
    func operations(_ scale: Scale) -> Int { scale.count }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openTree(place, scale.tree)
        if !contestant.isPersistent && !fillsStore { try store.insertion()() }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
