/// Changing every third item: the third of BNRPersistence's four.
struct UpdateThird: ItemWorkload {
    private static let step = 3

    let name = "update-third"
    let title = "Update every third"
    let explanation = """
        All items are read, every third gets longer, and those are stored in one transaction; the time is that of the whole, divided by the number of \
        items changed. The third of BNRPersistence's four.
        """
    let unit = ResultUnit.time
    let order = 90
    let family = StoreFamily.edits
    let preparation = ["edit-insert"]

    func operations(_ scale: Scale) -> Int { (scale.count + Self.step - 1) / Self.step }

    /// How long an item is afterwards.
    static func seconds(_ number: Int) -> Int { ItemData.seconds(number) + (number % step == 0 ? ItemData.change : 0) }

    func expected(_ scale: Scale, seed: Int) -> Tally? { ItemData.tally(scale.stored, seconds: Self.seconds) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        try gauge.measure(try store.lengthening(every: Self.step))
        return try store.readBack()
    }
}
