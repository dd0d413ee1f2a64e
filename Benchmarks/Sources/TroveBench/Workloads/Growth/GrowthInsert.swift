/// Filling stores of several sizes.
struct GrowthInsert: ItemWorkload {
    /// So many are made and stored at once.
    private static let batch = 1_000_000

    static let variants: [any Workload] = GrowthRead.powers.map(GrowthInsert.init)

    let power: Int

    var name: String { "growth-insert-\(power)" }
    var title: String { "Insert 10^\(power)" }
    var explanation: String {
        """
        10^\(power) items are stored in a new store, a million at most in each transaction, if the run is for as many objects (`--count`); ten million if it is for a million or more. \
        How the time of one grows with their number is in the growth chart.
        """
    }
    // Each store is read before the next one is made.
    var order: Int { 2 * power }
    let unit = ResultUnit.time
    let family = StoreFamily.growth
    let preparation: [String] = []

    func scale(_ asked: Scale) -> Scale? { GrowthRead.scale(power, asked) }

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        for first in stride(from: 0, to: scale.count, by: Self.batch) {
            let insert = try store.insertion(of: first..<min(first + Self.batch, scale.count))
            try gauge.measure(insert)
        }
        return Tally(count: try store.count())
    }
}
