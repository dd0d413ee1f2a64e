/// How many records of an index are built in one transaction.
struct BatchSize {
    /// The next batch's number.
    private(set) var records: Int
    private let range: ClosedRange<Int>
    private let longestHold: Duration?

    /// Many, while nobody waits: larger batches write their entries in fewer sorted runs.
    static let alone = BatchSize(records: 200_000, range: 200_000...200_000, longestHold: nil)

    /// As many as keep other writers from the store for up to half a second, commit and sync included. How many those are depends on the engine
    /// and the disk: one that syncs ten times slower would otherwise let others wait ten times as long.
    static let besideOthers = BatchSize(records: 1_000, range: 100...10_000, longestHold: .milliseconds(500))

    /// Takes into account how long the batch had the store.
    mutating func adjust(afterHolding time: Duration) {
        guard let longestHold else { return }
        if time > longestHold {
            records = max(range.lowerBound, records / 2)
        } else if time < longestHold / 4 {
            records = min(range.upperBound, records * 2)
        }
    }
}
