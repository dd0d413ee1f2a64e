/// Reading single items whose pages are on the disk only.
struct ItemReadCold: ItemWorkload {
    private static let reads = 200

    let name = "item-read-cold"
    let title = "Get by id, cold"
    let explanation = """
        200 items drawn at random are read by id, each in a transaction of its own, in a process that has just opened the store, after its files were \
        dropped from the system's cache. Opening is outside: what it reads, as the check of \
        a file by Trove's backend for LMDB, is warm then, see item-open-cold. The percentiles tell more than the mean.
        """
    let unit = ResultUnit.time
    let order = 50
    let family = StoreFamily.items
    let preparation = ["item-insert"]
    let isCold = true

    private func numbers(_ scale: Scale, _ seed: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(seed) &+ 77)
        return (0..<Self.reads).map { _ in Int.random(in: scale.stored, using: &random) }
    }

    func operations(_ scale: Scale) -> Int { Self.reads }

    func expected(_ scale: Scale, seed: Int) -> Tally? { ItemData.tally(numbers(scale, seed)) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        var tally = Tally()
        try gauge.measureEach(numbers(scale, seed)) { try store.perform(.read($0), &tally) }
        return tally
    }
}
