/// Filling a store of items: the first of BNRPersistence's four, and the preparation of others.
struct ItemInsert: ItemWorkload {
    let name: String
    let title: String
    let family: StoreFamily
    let explanation: String
    let unit = ResultUnit.time
    var preparation: [String] { [] }

    static let variants: [any Workload] = [all, edited, small]

    /// As many as asked for.
    static let all = ItemInsert(
        name: "item-insert", title: "Insert",
        family: .items,
        explanation: """
            Songs of a title and a length, a million unless asked otherwise, ready in memory, are stored in one save in a new store. The first of \
            BNRPersistence's four.
            """)
    /// What is changed afterwards.
    static let edited = ItemInsert(
        name: "edit-insert", title: "Insert",
        family: .edits, explanation: "The same with 100,000, or fewer when so asked, which update-third and delete-half then change.")
    /// BZObjectStore's number.
    static let small = ItemInsert(
        name: "small-save", title: "Save",
        family: .small, explanation: "The same with 20,000, or fewer when so asked: the first of BZObjectStore's three.")

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let insert = try store.insertion(of: scale.stored)
        try gauge.measure(insert)
        return Tally(count: try store.count())
    }
}
