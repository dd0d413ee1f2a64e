/// Reading all items: the second of BNRPersistence's four.
struct ItemFetch: ItemWorkload {
    let name: String
    let title: String
    let family: StoreFamily
    let explanation: String
    let preparation: [String]
    let isCold: Bool
    var order: Int { isCold ? 30 : 10 }
    let unit = ResultUnit.time

    static let variants: [any Workload] = [warm, cold, small]

    static let warm = ItemFetch(
        name: "item-fetch", title: "Fetch all", family: .items,
        explanation: """
            All items are read into an array, in a process that has just opened the store; its file is in the system's cache. The C programs \
            read every value and make no objects. The second of BNRPersistence's four.
            """,
        preparation: ["item-insert"], isCold: false)
    static let cold = ItemFetch(
        name: "item-fetch-cold", title: "Fetch all, cold", family: .items,
        explanation: "The same after the store's files were dropped from the system's cache, so that they are read from the disk.",
        preparation: ["item-insert"], isCold: true)
    static let small = ItemFetch(
        name: "small-fetch", title: "Fetch", family: .small, explanation: "The second of BZObjectStore's three: all are read into an array.",
        preparation: ["small-save"], isCold: false)

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { ItemData.tally(scale.stored) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let tally = try gauge.measure(store.fetchAll)
        return tally()
    }
}
