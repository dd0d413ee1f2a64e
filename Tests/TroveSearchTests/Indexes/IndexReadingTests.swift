import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct IndexReadingTests {
    private func binding(_ transaction: ReadTransaction, _ name: String) throws -> IndexBinding {
        try #require(try transaction.usableIndexes(of: transaction.core.binding(for: Track.self)).first { $0.schema.name == name })
    }

    /// The ids of the entries in a range.
    private func ids(_ transaction: ReadTransaction, _ index: IndexBinding, _ range: IndexRange) throws -> [String] {
        var ids: [String] = []
        guard let keyspace = try transaction.indexKeyspace(index) else { return [] }
        try transaction.reader.scan(range.keys, in: keyspace) { key, value in
            ids.append(try IndexEntry.read(key, value) { try String(keyBytes: [UInt8]($0.recordKey)) })
            return .next
        }
        return ids
    }

    private func part(_ value: StoredValue, _ type: FieldType, ignoring: TextFolding = []) throws -> [UInt8] {
        var bytes = ByteWriter()
        try KeyPart.append(value, type: type, ignoring: ignoring, direction: .ascending, to: &bytes)
        return bytes.bytes()
    }

    @Test(arguments: Engine.allCases) func ranges(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        let long = String(repeating: "x", count: 230)
        let tracks = (0..<60).map { (number: Int) -> Track in
            var track = Track(id: "\(number)", artist: "artist \(number / 10)", year: Int32(1_950 + number % 6))
            if number % 2 == 1 { track.artist = long + "\(number / 10)" + long }
            if number % 4 != 0 { track.rating = Double(number % 4) }
            track.tags = []
            if number % 5 != 0 { track.tags = ["t\(number % 5)", "T\(number % 3)"] }
            return track
        }
        try fixture.store.save(tracks)
        try fixture.store.read { transaction in
            func expect(
                _ index: String, _ parts: [[UInt8]], _ last: KeyPartRange?, recheck: Bool = false,
                sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: (Track) -> Bool
            ) throws {
                let binding = try binding(transaction, index)
                let range = binding.entryRange(parts: parts, last: last)
                let found = Set(try ids(transaction, binding, range))
                let wanted = Set(tracks.filter(isWanted).map(\.id))
                #expect(range.needsRecheck == recheck, sourceLocation: sourceLocation)
                #expect(recheck ? found.isSuperset(of: wanted) : found == wanted, "\(found)", sourceLocation: sourceLocation)
            }
            let year = try part(.int(1_953), .int32)
            let (low, high) = (try part(.int(1_951), .int32), try part(.int(1_954), .int32))
            // Descending years, then ratings.
            try expect("year and rating", [], nil) { _ in true }
            try expect("year and rating", [year], nil) { $0.year == 1_953 }
            try expect("year and rating", [], .init(from: .included(low), to: .excluded(high))) { (1_951..<1_954).contains($0.year) }
            try expect("year and rating", [], .init(from: .excluded(low), to: .included(high))) { (1_952...1_954).contains($0.year) }
            try expect("year and rating", [], .init(from: .excluded(low), to: .unbounded)) { $0.year > 1_951 }
            try expect("year and rating", [], .init(from: .unbounded, to: .excluded(high))) { $0.year < 1_954 }
            try expect("year and rating", [year], .null) { $0.year == 1_953 && $0.rating == nil }
            try expect("year and rating", [year], .notNull) { $0.year == 1_953 && $0.rating != nil }
            try expect("year and rating", [year], .init(from: .included(try part(.double(2), .double)), to: .unbounded)) {
                $0.year == 1_953 && ($0.rating ?? 0) >= 2
            }
            try expect("year and rating", [], KeyPartRange.none) { _ in false }
            // Members; no members come after them, and only without a range.
            try expect("tags", [year], nil) { $0.year == 1_953 }
            try expect("tags", [year], .notNull) { $0.year == 1_953 && !($0.tags ?? []).isEmpty }
            try expect("tags", [year, try part(.string("t1"), .string)], nil) { $0.year == 1_953 && $0.tags?.contains("t1") == true }
            let folded = try part(.string("T1"), .string, ignoring: .case)
            let foldedTags = { (track: Track) in (track.tags ?? []).map { $0.lowercased() } }
            try expect("folded tags", [folded], nil) { foldedTags($0).contains("t1") }
            try expect("folded tags", [], .init(from: .included(folded), to: .unbounded)) { (foldedTags($0).max() ?? "") >= "t1" }
            // Long texts.
            let longArtist = long + "3" + long
            let longPart = try part(.string(longArtist), .string)
            try expect("artist", [longPart], nil, recheck: true) { $0.artist == longArtist }
            let narrow = try binding(transaction, "artist")
            let exact = Set(try ids(transaction, narrow, narrow.entryRange(parts: [longPart])))
            let wanted = tracks.filter { $0.artist == longArtist }.map(\.id)
            #expect(exact == Set(wanted), "the hash tells them apart")
            try expect("artist", [], .init(from: .excluded(longPart), to: .unbounded), recheck: true) { $0.artist > longArtist }
            let beginning = Array(longPart.prefix(4))
            try expect("artist", [], .init(point: beginning)) { $0.artist.hasPrefix("xxx") }
        }
    }

    @Test(arguments: Engine.allCases) func estimatesAndStatistics(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        let tracks = (0..<12_000).map { Track(id: "\($0)", artist: "artist \($0 % 50)", year: Int32($0 % 3), serial: $0) }
        try fixture.store.save(tracks)
        try fixture.store.read { transaction in
            let artist = try binding(transaction, "artist")
            #expect(try transaction.estimate(.all, in: artist) == 12_000)
            let one = artist.entryRange(parts: [try part(.string("artist 7"), .string)]).keys
            #expect(try transaction.estimate(one, in: artist) == 240, "few enough to be counted")
            let year = try binding(transaction, "by year")
            let third = try transaction.estimate(year.entryRange(parts: [try part(.int(1), .int32)]).keys, in: year)
            #expect((2_000...6_500).contains(third), "told from the sample: \(third)")
            #expect(try transaction.estimate(year.entryRange(parts: [try part(.int(9), .int32)]).keys, in: year) == 0)
        }
        let statistics = Dictionary(uniqueKeysWithValues: try fixture.store.indexStatistics().map { ($0.schema.name, $0) })
        #expect(statistics["artist"]?.entries == 12_000)
        #expect(statistics["serial"]?.distinctValues == 12_000)
        let artists = try #require(statistics["artist"]?.distinctValues)
        #expect((25...150).contains(artists), "\(artists)")
        #expect(statistics["by year"]?.distinctValues == 3)
    }

    @Test(arguments: Engine.allCases) func groups(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
        let tracks = (0..<90).map { (number: Int) -> Track in
            let price: Decimal? = number % 2 == 0 ? nil : Decimal(number) / 10
            return Track(id: "\(number)", artist: "\(number)", year: Int32(number % 9), price: price, plays: .max)
        }
        try fixture.store.save(tracks)
        try fixture.store.read { transaction in
            let index = try binding(transaction, "by year")
            var groups: [IndexGroup] = []
            try transaction.forEachGroup(of: index) {
                groups.append($0)
                return .next
            }
            #expect(groups.map(\.values) == (0..<9).map { [.int($0)] })
            #expect(groups.allSatisfy { $0.count == 10 })
            // More than 64 bits.
            #expect(groups[0].sums[0] == .integer(Int128(UInt64.max) * 10, present: 10))
            let odd = tracks.filter { $0.year == 1 }.compactMap(\.price)
            #expect(groups[1].sums[1] == .decimal(odd.reduce(0, +), present: odd.count))
            var some: [StoredValue] = []
            let (low, high) = (try part(.int(3), .int32), try part(.int(5), .int32))
            let range = index.entryRange(parts: [], last: .init(from: .included(low), to: .excluded(high)))
            try transaction.forEachGroup(of: index, in: range.keys, order: .descending) {
                some.append($0.values[0])
                return .next
            }
            #expect(some == [.int(4), .int(3)])
        }
        try fixture.store.delete(Track.self, ids: tracks.filter { $0.year == 2 }.map(\.id))
        try expectIndexes(fixture.store, of: tracks.filter { $0.year != 2 })
        try fixture.store.deleteAll(Track.self)
        try expectIndexes(fixture.store, of: [])
    }

    @Test func coveredValues() throws {
        let store = try ObjectStore(MemoryBackend(), models: Track.self)
        try store.save(Track(id: "1", artist: "a", year: 2, price: 3))
        try store.read { transaction in
            let index = try binding(transaction, "year and rating")
            let keyspace = try #require(try transaction.indexKeyspace(index))
            let row = CoveredRow(try #require(Covering(["artist", "price", "year", .id], index)))
            var values: [StoredValue] = []
            try transaction.reader.scan(in: keyspace) { key, value in
                try IndexEntry.read(key, value) { entry in
                    #expect(try row.load(entry))
                    values = try (0..<4).map(row.value)
                }
                return .next
            }
            #expect(values == [.string("a"), .decimal(3), .int(2), .string("1")])
        }
    }
}
