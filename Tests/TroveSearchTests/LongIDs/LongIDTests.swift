import Foundation
import TestSupport
import Testing

@testable import Trove

/// Ids and values that are longer than keys, and begin alike: their order is that of their bytes all the same.
@Suite struct LongIDTests {
    struct Page: Model {
        var id: String
        var title: String
        var number: Int

        static let schema = ModelSchema("Page", fields: [FieldSchema("title", \Page.title), FieldSchema("number", \Page.number)])
        @TaskLocal static var declared: [Index<Page>] = []
        static var indexes: [Index<Page>] { declared }

        init(id: String, title: String, number: Int) { (self.id, self.title, self.number) = (id, title, number) }

        init(from record: inout RecordDecoder) throws {
            title = try record.decode()
            number = try record.decode()
            id = try record.decodeID()
        }

        func encode(into record: inout RecordEncoder) throws {
            try record.encode(title)
            try record.encode(number)
        }

        /// Texts of up to 2,000 bytes that are alike in hundreds of them, of those near the limit of keys, and short ones.
        static func text(_ random: inout SeededGenerator) -> String {
            let alike = String(repeating: "p", count: [0, 200, 480, 493, 494, 495, 496, 509, 600, 1_500].randomElement(using: &random) ?? 0)
            let rest = String((0..<Int.random(in: 0...20, using: &random)).map { _ in ["a", "b", "é", "\0", "z"].randomElement(using: &random) ?? "a" })
            let tail = String(repeating: "t", count: [0, 0, 1, 400].randomElement(using: &random) ?? 0)
            return alike + rest + tail + "\(Int.random(in: 0...9, using: &random))"
        }
    }

    static let indexSets: [[Index<Page>]] = [
        [], [Index(\.number)], [Index(\.title)], [Index([.descending(\.title)], name: "down"), Index(\.number, \.title)],
    ]

    /// By `memcmp`: a walk over both takes long without optimisation.
    private static func isBefore(_ left: String, _ right: String) -> Bool {
        let (left, right) = (ContiguousArray(left.utf8), ContiguousArray(right.utf8))
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let start = left.baseAddress, let other = right.baseAddress else { return left.count < right.count }
                let order = memcmp(start, other, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }

    /// Putting ids that begin alike into order reads their records, and ends when the query is to end.
    @Test func puttingThemIntoOrderEndsInTime() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, durability: .relaxed, models: Page.self) }
        try fixture.store.save((0..<300).map { Page(id: String(repeating: "p", count: 600) + "\($0)", title: "", number: $0) })
        let late = ReadWatch(limit: .init(instant: .now) { .invalidQuery(reason: "it is late") })
        func isLate(_ error: any Error) -> Bool { if case TroveError.invalidQuery(reason: "it is late") = error { true } else { false } }
        try fixture.store.read { transaction in
            let model = try transaction.open(Page.self)
            var keys = KeyList()
            try transaction.forEachRecordBytes(of: model) { key, _ in
                keys.append(key)
                return .next
            }
            #expect(try transaction.sortedByID(keys, of: model, .ascending, behind: nil, ReadWatch()).count == 300)
            #expect { try transaction.sortedByID(keys, of: model, .ascending, behind: nil, late) } throws: { isLate($0) }
            #expect { try transaction.scanInIDOrder(.all, of: model, .ascending, behind: nil, late) { _, _ in .next } } throws: { isLate($0) }
        }
    }

    private func fixture(_ engine: Engine, _ indexes: [Index<Page>], _ random: inout SeededGenerator) throws -> (StoreFixture, [Page]) {
        let fixture = try Page.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, models: Page.self) } }
        var pages: [String: Page] = [:]
        for _ in 0..<130 {
            let id = Page.text(&random)
            pages[id] = Page(id: id, title: Page.text(&random), number: Int.random(in: 0...3, using: &random))
        }
        try fixture.store.save(Array(pages.values))
        return (fixture, pages.values.sorted { Self.isBefore($0.id, $1.id) })
    }

    private typealias Order = (keys: [SortKey], isBefore: @Sendable (Page, Page) -> Bool)

    private static let orders: [Order] = [
        ([], { isBefore($0.id, $1.id) }),
        ([SortKey("id", .ascending)], { isBefore($0.id, $1.id) }),
        ([SortKey("id", .descending)], { isBefore($1.id, $0.id) }),
        ([SortKey("number", .ascending)], { $0.number == $1.number ? isBefore($0.id, $1.id) : $0.number < $1.number }),
        ([SortKey("number", .descending)], { $0.number == $1.number ? isBefore($0.id, $1.id) : $0.number > $1.number }),
        ([SortKey("title", .ascending)], { $0.title == $1.title ? isBefore($0.id, $1.id) : isBefore($0.title, $1.title) }),
        ([SortKey("title", .descending)], { $0.title == $1.title ? isBefore($0.id, $1.id) : isBefore($1.title, $0.title) }),
        (
            [SortKey("number", .ascending), SortKey("id", .descending)],
            { $0.number == $1.number ? isBefore($1.id, $0.id) : $0.number < $1.number }
        ),
    ]

    @Test(arguments: TestShare.trials(Array(indexSets.indices)))
    func answersAreInTheOrderOfTheWholeBytes(_ engine: Engine, _ number: Int) throws {
        var random = SeededGenerator(seed: 40 + UInt64(number))
        let (fixture, pages) = try fixture(engine, Self.indexSets[number], &random)
        let store = fixture.store
        for (orderNumber, order) in Self.orders.enumerated() {
            let ordered = pages.sorted(by: order.isBefore)
            for round in 0..<3 {
                let (filter, passes) = Self.condition(&random, pages)
                let expected = ordered.filter(passes).map(\.id)
                let fetch = store.fetch(Page.self).where(filter).sorted(using: order.keys)
                let note: Comment = "order \(orderNumber), round \(round): \(filter.explained)"
                #expect(try fetch.ids() == expected, note)
                #expect(try fetch.all().map(\.id) == expected, note)
                #expect(try fetch.select(\.number).all().count == expected.count, note)
                let (offset, limit) = (Int.random(in: 0...30, using: &random), Int.random(in: 1...60, using: &random))
                #expect(try fetch.offset(offset).limit(limit).ids() == Array(expected.dropFirst(offset).prefix(limit)), note)
                #expect(try fetch.first()?.id == expected.first, note)
                var (found, next): ([String], ContinuationToken?) = ([], nil)
                let size = Int.random(in: 12...60, using: &random)
                repeat {
                    let page = try fetch.page(size, after: next)
                    found += page.objects.map(\.id)
                    next = page.next
                } while next != nil
                #expect(found == expected, note)
            }
        }
    }

    @Test(arguments: TestShare.trials(Array(indexSets.indices)))
    func streamsAndExtremes(_ engine: Engine, _ number: Int) async throws {
        var random = SeededGenerator(seed: 50 + UInt64(number))
        let (fixture, pages) = try fixture(engine, Self.indexSets[number], &random)
        let store = fixture.store
        for order in Self.orders {
            var found: [String] = []
            for try await page in store.fetch(Page.self).sorted(using: order.keys).stream(batchSize: 17) { found.append(page.id) }
            #expect(found == pages.sorted(by: order.isBefore).map(\.id))
        }
        let titles = pages.map(\.title).sorted(by: Self.isBefore)
        let (least, greatest) = try await store.read { try $0.fetch(Page.self).aggregate(.minimum(\.title), .maximum(\.title)) }
        #expect(least == titles.first && greatest == titles.last)
        let (first, last) = try await store.read { try $0.fetch(Page.self).aggregate(.minimum(\.id), .maximum(\.id)) }
        #expect(first == pages.first?.id && last == pages.last?.id)
    }

    /// Whether the documents of the index are in the order of keys or not.
    @Test(arguments: Engine.allCases, [true, false]) func equalScoresAreInTheOrderOfTheWholeBytes(_ engine: Engine, isOrdered: Bool) throws {
        let fixture = try Page.$declared.withValue([.fullText([\.title])]) { try StoreFixture(engine) { try ObjectStore($0, models: Page.self) } }
        let pages = (10..<34).map { Page(id: String(repeating: "p", count: $0 % 4 == 0 ? 400 : 600) + "\($0)", title: "blue", number: $0 % 3) }
        let byKey = pages.sorted { RecordKey($0.id.keyBytes).bytes.lexicographicallyPrecedes(RecordKey($1.id.keyBytes).bytes) }
        try fixture.store.write { transaction in for page in isOrdered ? byKey : byKey.reversed() { try transaction.save(page) } }
        let sorted = pages.sorted { Self.isBefore($0.id, $1.id) }
        let fetch = fixture.store.fetch(Page.self)
        for limit in [1, 3, 10, 20, 24, 30] {
            #expect(try fetch.limit(limit).search("blue").map(\.object.id) == sorted.prefix(limit).map(\.id), "\(limit)")
            let some = try fetch.where(.comparison(.path("number"), .equal, .value(.int(1)))).offset(1).limit(limit).search("blue").map(\.object.id)
            #expect(some == sorted.filter { $0.number == 1 }.dropFirst().prefix(limit).map(\.id), "\(limit)")
        }
    }

    /// In a write transaction a body may delete what comes later, also among ids that begin alike.
    @Test(arguments: Engine.allCases) func bodiesMayChangeWhatTheyRead(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 60)
        let (fixture, pages) = try fixture(engine, [], &random)
        let gone = Set(pages.enumerated().filter { $0.offset % 3 == 1 }.map(\.element.id))
        try fixture.store.write { transaction in
            var found: [String] = []
            try transaction.fetch(Page.self).forEach { page, _ in
                if found.isEmpty { _ = try transaction.delete(Page.self, ids: Array(gone)) }
                found.append(page.id)
            }
            #expect(found == pages.map(\.id).filter { !gone.contains($0) })
        }
    }

    private static func condition(_ random: inout SeededGenerator, _ pages: [Page]) -> (Filter, (Page) -> Bool) {
        let bound = Bool.random(using: &random) ? Page.text(&random) : pages.randomElement(using: &random)?.id ?? ""
        let comparison = [Comparison.less, .lessOrEqual, .greater, .greaterOrEqual].randomElement(using: &random) ?? .less
        func test(_ text: String) -> Bool {
            switch comparison {
            case .less: isBefore(text, bound)
            case .lessOrEqual: !isBefore(bound, text)
            case .greater: isBefore(bound, text)
            default: !isBefore(text, bound)
            }
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: return (.constant(true), { _ in true })
        case 2: return (.comparison(.path("id"), comparison, .value(.string(bound))), { test($0.id) })
        case 3: return (.comparison(.path("title"), comparison, .value(.string(bound))), { test($0.title) })
        case 4:
            let ids = (0..<40).map { _ in pages.randomElement(using: &random)?.id ?? "" } + [Page.text(&random)]
            let bytes = Set(ids.map { Array($0.utf8) })
            return (.membership(.path("id"), ids.map { .string($0) }), { bytes.contains(Array($0.id.utf8)) })
        default: return (.comparison(.path("number"), .equal, .value(.int(2))), { $0.number == 2 })
        }
    }

    /// Whatever goes through all records does so in the order of their ids: a listing by name, without the type, too.
    @Test(arguments: Engine.allCases) func everyListingIsInTheOrderOfTheIDs(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 77)
        let (fixture, pages) = try fixture(engine, [], &random)
        let store = fixture.store
        let ids = pages.map { Array($0.id.utf8) }
        func listed(_ store: ObjectStore) throws -> [[UInt8]] {
            var found: [[UInt8]] = []
            try store.read { try $0.forEachStoredRecord(of: "Page") { record, _ in found.append(Array(try String(keyBytes: record.key).utf8)) } }
            return found
        }
        #expect(try listed(store) == ids)
        var first: [[UInt8]] = []
        try store.read {
            try $0.forEachStoredRecord(of: "Page") { record, stop in
                first.append(Array(try String(keyBytes: record.key).utf8))
                stop = first.count == 100
            }
        }
        #expect(first == Array(ids.prefix(100)))
        var visited: [[UInt8]] = []
        try store.fetch(Page.self).forEach { page, _ in visited.append(Array(page.id.utf8)) }
        #expect(visited == ids)
    }
}
