import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct IndexVerifyingTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        try fixture.store.save((0..<200).map { number in
            Track(
                id: "\(number)", artist: "artist \(number % 7)", year: Int32(1_950 + number % 10), serial: number, tags: ["a", "b\(number % 3)"],
                price: 2, plays: UInt64(number))
        })
        return fixture
    }

    /// Changes a keyspace of the index with this name behind the store's back.
    private func damage(
        _ fixture: StoreFixture, _ index: String, groups: Bool = false, _ body: (any StorageWriter, Keyspace, IndexBinding) throws -> Void
    ) throws {
        try fixture.store.core.write(.durable) { transaction in
            let binding = try #require(
                try transaction.usableIndexes(of: transaction.core.binding(for: Track.self)).first { $0.schema.name == index })
            let name = groups ? IndexCatalogueEntry.groupsName(binding.number) : binding.keyspaceName
            try body(transaction.writer, try #require(try transaction.writer.keyspace(named: name)), binding)
        }
    }

    private func expectDamage(_ fixture: StoreFixture, _ index: String, missing: Int = 0, stale: Int = 0, wrong: Int = 0) throws {
        let report = try fixture.store.verify()
        #expect(!report.isSound)
        #expect(report.records == 200)
        let damage = try #require(report.indexDamage.first)
        #expect(report.indexDamage.count == 1)
        #expect((damage.model, damage.index) == ("Track", index))
        #expect((damage.missing, damage.stale, damage.wrong) == (missing, stale, wrong))
        #expect(report.problems.count == missing + stale + wrong)
        try fixture.store.rebuildIndexes(of: Track.self)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func soundIndexes(engine: Engine) throws {
        let fixture = try fixture(engine)
        var last: StoreProgress?
        let report = try fixture.store.verify { last = $0 }
        #expect(report.isSound, "\(report.problems)")
        #expect(report.indexDamage.isEmpty)
        #expect(last?.fraction == 1)
    }

    @Test(arguments: Engine.allCases) func missingEntry(engine: Engine) throws {
        let fixture = try fixture(engine)
        try damage(fixture, "artist") { writer, keyspace, binding in
            let key = "artist 3".keyBytes
            try writer.delete([1] + key + "3".keyBytes, in: keyspace)
        }
        // The number of entries is another one too.
        let report = try fixture.store.verify()
        #expect(report.problems.contains { $0.key == "3".keyBytes && "\($0.error)".contains("the entry of 3 is missing") })
        try expectDamage(fixture, "artist", missing: 1, wrong: 1)
    }

    @Test(arguments: Engine.allCases) func staleAndWrongEntries(engine: Engine) throws {
        let fixture = try fixture(engine)
        try damage(fixture, "artist") { writer, keyspace, binding in
            let stale = [1] + "nobody".keyBytes
            try writer.put(stale + "17".keyBytes, [UInt8(stale.count)], in: keyspace)
            try writer.put(stale + "gone".keyBytes, [UInt8(stale.count)], in: keyspace)
            try IndexSample.add(EntryNumbers(all: 2), of: binding, writer)
            for key in [stale + "17".keyBytes, stale + "gone".keyBytes] where IndexSample.contains(key.span.bytes) {
                try IndexSample.note(key.span.bytes, of: binding.number, isRemoved: false, writer)
            }
        }
        try expectDamage(fixture, "artist", stale: 2)
        try damage(fixture, "year and rating") { writer, keyspace, _ in
            try writer.scan(in: keyspace) { key, value in
                try writer.put([UInt8](copying: key), [UInt8](copying: value) + [0], in: keyspace)
                return .stop
            }
        }
        try expectDamage(fixture, "year and rating", wrong: 1)
        // Two records exchanged their entries of a unique index.
        try damage(fixture, "serial") { writer, keyspace, _ in
            let (first, second) = ([1] + 5.keyBytes, [1] + 6.keyBytes)
            let values = (try writer.value(of: first, in: keyspace), try writer.value(of: second, in: keyspace))
            try writer.put(first, try #require(values.1), in: keyspace)
            try writer.put(second, try #require(values.0), in: keyspace)
        }
        try expectDamage(fixture, "serial", wrong: 2)
    }

    /// Each entry had its record read again as soon as one was stale, and all of its entries made. Now each record has, for as many entries as are remembered.
    @Test(arguments: Engine.allCases) func staleEntriesOfRecordsWithMany(engine: Engine) throws {
        let (fixture, backend) = try StoreFixture.counting(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        let counts = backend.counts
        try fixture.store.save((0..<3).map { record in Track(id: "\(record)", artist: "a", tags: (0..<40).map { "tag \(record) \($0)" }) })
        try damage(fixture, "tags") { writer, keyspace, binding in
            // One of each record without its tags, and one of no record.
            for record in ["0", "1", "2", "gone"] {
                let key = [1] + "stale".keyBytes
                try writer.put(key + record.keyBytes, [UInt8(key.count)], in: keyspace)
            }
        }
        let before = counts[.get]
        let found = try #require(try fixture.store.verify().indexDamage.first)
        #expect(found.index == "tags" && found.missing == 0 && found.stale == 4)
        #expect(counts[.get] - before < 40)
        // In several rounds as in one.
        let inRounds = try fixture.store.read { transaction in
            let model = try transaction.open(Track.self)
            let binding = try #require(try transaction.usableIndexes(of: model.binding).first { $0.schema.name == "tags" })
            let checker = try OrderedIndexChecker(binding, transaction, remembering: 10)
            try transaction.forEachRecordBytes(of: model) { key, record in
                try transaction.withRecordView(record, key: key, model) { try checker.check($0) }
                return .next
            }
            try checker.finish {}
            return checker.findings.damage
        }
        #expect(inRounds == found)
    }

    @Test(arguments: Engine.allCases) func groupsAndStatistics(engine: Engine) throws {
        let fixture = try fixture(engine)
        try damage(fixture, "by year", groups: true) { writer, keyspace, _ in
            try writer.delete([1] + Int64(1_953).keyBytes, in: keyspace)
            let key = [1] + Int64(1_954).keyBytes
            var value = try #require(try writer.value(of: key, in: keyspace))
            value[0] += 1
            try writer.put(key, value, in: keyspace)
            try writer.put([1] + Int64(1_999).keyBytes, value, in: keyspace)
        }
        try expectDamage(fixture, "by year", missing: 1, stale: 1, wrong: 1)
        try damage(fixture, "labels") { writer, _, binding in
            try IndexSample.add(EntryNumbers(all: 5), of: binding, writer)
            try IndexSample.note([9, 9].span.bytes, of: binding.number, isRemoved: false, writer)
        }
        try expectDamage(fixture, "labels", wrong: 2)
    }

    /// A group that cannot be read keeps its objects from being changed, and the error names its index, which can be rebuilt.
    @Test(arguments: Engine.allCases) func aGroupThatIsCutShort(engine: Engine) throws {
        let fixture = try fixture(engine)
        try damage(fixture, "by year", groups: true) { writer, keyspace, _ in try writer.put([1] + Int64(1_953).keyBytes, [1, 2, 3], in: keyspace) }
        #expect {
            try fixture.store.save(Track(id: "new", artist: "new", year: 1_953))
        } throws: { error in
            if case TroveError.corruptIndex("Track", "by year", _) = error { true } else { false }
        }
        try expectDamage(fixture, "by year", wrong: 1)
    }

    /// The count has no checksum of its own, so it may be of any size.
    @Test(arguments: Engine.allCases) func aCountThatIsCutShort(engine: Engine) throws {
        let fixture = try fixture(engine)
        try damage(fixture, "artist") { writer, _, binding in
            let statistics = try #require(try writer.keyspace(named: IndexSample.keyspaceName))
            try writer.put(IndexSample.countKey(binding.number), [1, 2, 3], in: statistics)
        }
        #expect {
            try fixture.store.save(Track(id: "new", artist: "new"))
        } throws: { error in
            if case TroveError.corruptIndex("Track", "artist", _) = error { true } else { false }
        }
        try expectDamage(fixture, "artist", wrong: 1)
    }

    /// A record that cannot be read can still be replaced and removed; nobody can tell its entries, so they are made anew.
    @Test(arguments: Engine.allCases) func damagedRecords(engine: Engine) throws {
        for isDeleted in [true, false] {
            let fixture = try fixture(engine)
            try fixture.store.core.write(.durable) { transaction in
                let keyspace = try #require(try transaction.writer.keyspace(named: "Track"))
                var record = try #require(try transaction.writer.value(of: "5".keyBytes, in: keyspace))
                record[record.count - 1] ^= 1
                try transaction.writer.put("5".keyBytes, record, in: keyspace)
            }
            if isDeleted {
                try fixture.store.delete(Track.self, id: "5")
            } else {
                try fixture.store.save(Track(id: "5", artist: "new"))
            }
            #expect(try fixture.store.indexStatistics().filter { $0.state != .dropping }.allSatisfy { $0.state == .building(after: nil) })
            try fixture.store.buildIndexes()
            #expect(try fixture.store.verify().isSound)
            try expectIndexes(fixture.store, of: fixture.store.fetch(Track.self).all())
        }
    }

    /// What cannot be read is told by the index's name, in its statistics too.
    @Test(arguments: Engine.allCases) func damageThatStatisticsFind(engine: Engine) throws {
        let fixture = try fixture(engine)
        let key: [UInt8] = [0]
        func expectCorrupt() {
            #expect {
                try fixture.store.indexStatistics()
            } throws: { error in
                guard case TroveError.corruptIndex("Track", "artist", _) = error else { return false }
                return true
            }
        }
        try damage(fixture, "artist") { writer, keyspace, binding in
            // Without a sample, the entries themselves are read.
            let samples = try #require(try writer.keyspace(named: IndexSample.keyspaceName))
            try writer.deleteRange(.prefix(IndexSample.samplePrefix(binding.number)), in: samples)
            try writer.put(key, [255], in: keyspace)
        }
        expectCorrupt()
        try damage(fixture, "artist") { writer, _, binding in
            try IndexSample.note(key.span.bytes, of: binding.number, isRemoved: false, writer)
        }
        expectCorrupt()
    }
}
