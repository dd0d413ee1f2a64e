/// A workload on items.
protocol ItemWorkload: Workload {
    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally
}

extension ItemWorkload {
    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openItems(place)
        if !contestant.isPersistent && !fillsStore { try store.insertion(of: scale.stored)() }
        let tally = try run(on: store, scale, seed: seed, &gauge)
        try store.close()
        return tally
    }
}
