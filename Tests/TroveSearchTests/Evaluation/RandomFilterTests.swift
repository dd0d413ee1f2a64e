import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Random filters over random records say the same as the reference does.
@Suite struct RandomFilterTests {
    @Test(arguments: TestShare.engines(1)) func everyFilterSaysWhatTheReferenceSays(engine: Engine) throws {
        let seed: UInt64 = 0x5EED + UInt64(Engine.allCases.firstIndex(of: engine) ?? 0)
        var pool = ValuePool(seed: seed)
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: EveryType.self) }
        try fixture.store.save((0..<80).map { _ in pool.object() } + [.least, .greatest])
        try fixture.store.read { transaction in
            let model = try transaction.open(EveryType.self)
            var records: [StoredRecord] = []
            try transaction.forEachStoredRecord(of: "EveryType") { record, _ in records.append(record) }
            var passed = 0
            for round in 0..<TestShare.rounds(300) {
                let filter = try pool.filter(model.binding)
                let compiled = try CompiledFilter(filter, in: model.binding)
                let normal = try CompiledFilter(filter.normalized, in: model.binding)
                var position = 0
                try transaction.forEachRecordBytes(of: model) { key, bytes in
                    let record = records[position]
                    position += 1
                    let id = StoredValue.objectID(try ObjectID(keyBytes: record.key))
                    let expected = try ReferenceEvaluator(record: record, id: id).passes(filter)
                    try transaction.withRecordView(bytes, key: key, model) { view in
                        let found = try compiled.matches(view)
                        #expect(try normal.matches(view) == expected, "seed \(seed), round \(round): \(filter.normalized) of \(record)")
                        #expect(found == expected, "seed \(seed), round \(round): \(filter) of \(record)")
                        passed += found ? 1 : 0
                    }
                    return .next
                }
                #expect(position == records.count)
            }
            // Neither always true nor always false, or nothing would be tested.
            let looked = TestShare.rounds(300) * records.count
            #expect(passed > looked / 8 && passed < looked * 7 / 8)
        }
    }
}
