import TestSupport
import Testing
import Trove
import TroveCrypto

@Model private struct SealedPayment {
    var id: Int
    @Attribute(.encrypted) var amount: Int
}

@Model private struct SealedLedger {
    var id: Int
    var payments: [Reference<SealedPayment>]
    @Attribute(.encrypted) var scores: [Int]
}

/// Aggregates of encrypted values, in the object and behind its references.
@Suite struct EncryptedMemberAggregateTests {
    @Test(arguments: Engine.allCases) func areOfTheOpenedValues(engine: Engine) throws {
        let fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedLedger.self)
        }
        let store = fixture.store
        try store.save((1...5).map { (number: Int) in SealedPayment(id: number, amount: number * 10) })
        try store.save((0..<6).map { (number: Int) in
            SealedLedger(id: number, payments: (0..<number).map { Reference(id: 5 - $0) }, scores: Array(repeating: 7 - number, count: number % 3))
        })
        let totals = [0, 50, 90, 120, 140, 150]
        #expect(try store.fetch(SealedLedger.self).sorted(by: { $0.payments.sum(\.amount) }, .descending).ids() == [5, 4, 3, 2, 1, 0])
        let rows = try store.fetch(SealedLedger.self).select { ($0.payments.sum(\.amount), $0.scores.maximum()) }.all()
        #expect(rows.map { $0.0 } == totals.map { Optional($0) })
        #expect(rows.map { $0.1 } == (0..<6).map { $0 % 3 == 0 ? nil : 7 - $0 })
        #expect(try store.fetch(SealedLedger.self).where { $0.payments.sum(\.amount) > 100 }.ids() == [3, 4, 5])
        #expect(try store.fetch(SealedLedger.self).where { $0.scores.sum() >= 6 }.ids() == [1, 2])
        withExtendedLifetime(fixture) {}
    }
}
