/// The six mixtures of the Yahoo! Cloud Serving Benchmark.
///
/// Cooper and others, "Benchmarking cloud serving systems with YCSB", 2010.
enum MixedWork: String, CaseIterable, Sendable {
    case a, b, c, d, e, f

    private static let longestScan = 100

    /// The share of operations that write, in percent.
    private var writes: Int {
        switch self {
        case .a, .f: 50
        case .b, .d, .e: 5
        case .c: 0
        }
    }

    var title: String {
        switch self {
        case .a: "A: half reads, half updates"
        case .b: "B: 95% reads, 5% updates"
        case .c: "C: reads"
        case .d: "D: 95% reads of the latest, inserts"
        case .e: "E: 95% short scans, 5% inserts"
        case .f: "F: half reads, half reads and updates"
        }
    }

    /// The operations of a repeat on a store of `count` items.
    func operations(_ scale: Scale, seed: Int) -> [ItemOperation] {
        var random = SplitMix64(seed: UInt64(seed) &* 31 &+ UInt64(rawValue.utf8.first ?? 0))
        var next = scale.count
        let latest = self == .d ? Zipfian(bound: scale.count) : .ofScrambled
        return (0..<scale.mixedOperations).map { place in
            let writes = Int.random(in: 0..<100, using: &random) < writes
            switch self {
            case .a, .b, .c:
                let number = Zipfian.scrambled(below: scale.count, &random)
                return writes ? .update(number, seconds: place) : .read(number)
            case .d where !writes:
                // The sum of the shares is that of the items at first; there are at most a few percent more in the end.
                return .read(next - 1 - min(latest.next(&random), next - 1))
            case .e where !writes:
                let first = Zipfian.scrambled(below: scale.count, &random)
                return .scan(from: first, limit: Int.random(in: 1...Self.longestScan, using: &random))
            case .d, .e:
                next += 1
                return .insert(next - 1)
            case .f:
                let number = Zipfian.scrambled(below: scale.count, &random)
                return writes ? .modify(number, by: ItemData.change) : .read(number)
            }
        }
    }

    /// What is read by operations on a store that has `count` items, done with an array.
    static func tally(_ operations: [ItemOperation], count: Int) -> Tally {
        var seconds = (0..<count).map(ItemData.seconds)
        var tally = Tally()
        for operation in operations {
            switch operation {
            case .read(let number): tally.addInOrder(title: ItemData.title(number), seconds: seconds[number])
            case .update(let number, let new): seconds[number] = new
            case .insert(let number): seconds.append(ItemData.seconds(number))
            case .scan(let first, let limit):
                for number in first..<min(first + limit, seconds.count) { tally.addInOrder(title: ItemData.title(number), seconds: seconds[number]) }
            case .modify(let number, let change):
                tally.addInOrder(title: ItemData.title(number), seconds: seconds[number])
                seconds[number] += change
            }
        }
        return tally
    }
}
