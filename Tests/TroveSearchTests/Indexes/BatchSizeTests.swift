import Testing

@testable import Trove

@Suite struct BatchSizeTests {
    /// A batch of 10,000 records kept writers out past their time-out on an engine that syncs often and a slow disk.
    @Test func batchesShrinkWhereOthersWouldWait() {
        var batches = BatchSize.besideOthers
        for _ in 0..<10 { batches.adjust(afterHolding: .milliseconds(10)) }
        #expect(batches.records == 10_000)
        batches.adjust(afterHolding: .milliseconds(300))
        #expect(batches.records == 10_000)
        batches.adjust(afterHolding: .seconds(2))
        #expect(batches.records == 5_000)
        for _ in 0..<20 { batches.adjust(afterHolding: .seconds(2)) }
        #expect(batches.records == 100)
    }

    @Test func batchesStayLargeWhereNobodyWaits() {
        var batches = BatchSize.alone
        batches.adjust(afterHolding: .seconds(60))
        #expect(batches.records == 200_000)
    }
}
