/// Single operations of several kinds, as many programs do them.
struct MixedWorkload: Workload {
    static let variants: [any Workload] = MixedWork.allCases.map(MixedWorkload.init)

    let work: MixedWork

    var name: String { "mixed-\(work.rawValue)" }
    var title: String { "YCSB \(work.title)" }
    var explanation: String {
        """
        Single operations, a transaction each, one after the other, on 100,000 items (fewer when so asked) of a store that was filled and opened anew: \
        the mixture \(work.rawValue.uppercased()) of YCSB, \(work.title.dropFirst(3)). Items are drawn as YCSB draws them, scrambled Zipfian \
        with 0.99\(work == .d ? ", here the latest ones most" : ""). Every operation is timed by itself.
        """
    }
    let unit = ResultUnit.rate
    let family = StoreFamily.mixed
    let preparation: [String] = []
    var isBulkLoad: Bool { false }

    func operations(_ scale: Scale) -> Int { scale.mixedOperations }

    func expected(_ scale: Scale, seed: Int) -> Tally? { MixedWork.tally(work.operations(scale, seed: seed), count: scale.count) }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        var store = try contestant.openItems(place.loading(true))
        try store.insertion(of: scale.stored)()
        if contestant.isPersistent {
            try store.close()
            store = try contestant.openItems(place.loading(false))
        }
        var tally = Tally()
        try gauge.measureEach(work.operations(scale, seed: seed)) { try store.perform($0, &tally) }
        try store.close()
        return tally
    }
}
