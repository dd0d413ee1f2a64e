/// Deleting items by their ids.
struct ItemDeletion: ItemWorkload {
    let name: String
    let title: String
    let explanation: String
    let family: StoreFamily
    let preparation: [String]
    /// Every how many is deleted.
    let step: Int
    let order = 95
    let unit = ResultUnit.time

    static let variants: [any Workload] = [half, small]

    static let half = ItemDeletion(
        name: "delete-half", title: "Delete half", explanation: "Every second item is deleted by its id, in one transaction.",
        family: .edits, preparation: ["edit-insert"], step: 2)
    static let small = ItemDeletion(
        name: "small-delete", title: "Delete",
        explanation: "The third of BZObjectStore's three: all are deleted by their ids, in one transaction. Live objects are fetched first, which is in the time.",
        family: .small, preparation: ["small-save"], step: 1)

    private func numbers(_ scale: Scale) -> [Int] { Array(stride(from: 0, to: scale.count, by: step)) }

    func operations(_ scale: Scale) -> Int { numbers(scale).count }

    private func remaining(_ scale: Scale) -> [Int] { scale.stored.filter { $0 % step != 0 } }

    func expected(_ scale: Scale, seed: Int) -> Tally? { ItemData.tally(remaining(scale)) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let delete = try store.deletion(of: numbers(scale))
        try gauge.measure(delete)
        let found = try store.readBack()
        // Where update-third was before on the same store, what remains is as long as that has made it.
        return found == ItemData.tally(remaining(scale), seconds: UpdateThird.seconds) ? ItemData.tally(remaining(scale)) : found
    }
}
