/// Opening a store that has many items.
struct ItemOpen: Workload {
    let name: String
    let title: String
    let explanation: String
    let isCold: Bool
    var order: Int { isCold ? 40 : 20 }
    let unit = ResultUnit.time
    let family = StoreFamily.items
    let preparation = ["item-insert"]

    static let variants: [any Workload] = [warm, cold]

    static let warm = ItemOpen(
        name: "item-open", title: "Open, read one",
        explanation: "The full store is opened by a new process and one item is read; files are in the system's cache.", isCold: false)
    static let cold = ItemOpen(
        name: "item-open-cold", title: "Open, read one, cold", explanation: "The same after the files were dropped from the system's cache.", isCold: true)

    func operations(_ scale: Scale) -> Int { 1 }

    func expected(_ scale: Scale, seed: Int) -> Tally? { ItemData.tally(CollectionOfOne(scale.count / 2)) }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        var tally = Tally()
        let store = try gauge.measure {
            let store = try contestant.openItems(place)
            try store.perform(.read(scale.count / 2), &tally)
            return store
        }
        try store.close()
        return tally
    }
}
