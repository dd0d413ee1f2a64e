/// Reading single items of stores of several sizes.
struct GrowthRead: ItemWorkload {
    static let powers = 4...8
    private static let reads = 10_000

    static let variants: [any Workload] = powers.map(GrowthRead.init)

    let power: Int

    var name: String { "growth-read-\(power)" }
    var title: String { "Get from 10^\(power)" }
    var explanation: String {
        "10,000 items drawn at random from 10^\(power) are read by id, a transaction each, after as many others. Every read is timed by itself."
    }
    var order: Int { 2 * power + 1 }
    let unit = ResultUnit.time
    let family = StoreFamily.growth
    var preparation: [String] { ["growth-insert-\(power)"] }

    /// The sizes up to the number of objects asked for; ten million for a million.
    static func scale(_ power: Int, _ asked: Scale) -> Scale? {
        let count = (0..<power).reduce(1) { product, _ in product * 10 }
        return count <= asked.count || count == 10_000_000 && asked.count >= 1_000_000 ? Scale(count: count) : nil
    }

    func scale(_ asked: Scale) -> Scale? { Self.scale(power, asked) }

    func operations(_ scale: Scale) -> Int { Self.reads }

    private func numbers(_ scale: Scale, _ seed: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(seed) &+ 99)
        return (0..<Self.reads).map { _ in Int.random(in: scale.stored, using: &random) }
    }

    func expected(_ scale: Scale, seed: Int) -> Tally? { ItemData.tally(numbers(scale, seed)) }

    func run(on store: any ItemStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        var tally = Tally()
        for number in numbers(scale, scale.warmUpSeed(seed)) { try store.perform(.read(number), &tally) }
        tally = Tally()
        try gauge.measureEach(numbers(scale, seed)) { try store.perform(.read($0), &tally) }
        return tally
    }
}
