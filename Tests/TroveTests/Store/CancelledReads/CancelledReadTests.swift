import Foundation
import TestSupport
import Testing

@_spi(FieldSealing) @testable import Trove

/// Each kind of read ends soon after its task is cancelled: told by what it still visits, not by time.
@Suite struct CancelledReadTests {
    @Model("long read") struct LongRead {
        #Index<LongRead>([\.group], aggregates: [.count, .sum(\.value)])
        var id: Int
        @Attribute(.indexed) var number: Int
        var group: Int
        var value: Int
        @Attribute(.fullText, .substring) var text: String
        var hub: Reference<LongRead>?
        var next: Reference<LongRead>?
    }

    @Model("long id") struct LongID {
        var id: String
    }

    @Model("sealed read") struct SealedRead {
        var id: Int
        @Attribute(.encrypted, .blind(bits: 16)) var secret: String
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (ObjectStore) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (ObjectStore) throws -> Void) {
            self.name = name
            self.run = run
        }

        var testDescription: String { name }
    }

    static let kinds: [Kind] = [
        Kind("all") { _ = try $0.fetch(LongRead.self).all() },
        Kind("scan filter") { _ = try $0.fetch(LongRead.self).where { $0.value < 0 }.all() },
        Kind("count") { _ = try $0.fetch(LongRead.self).where { $0.value < 0 }.count() },
        Kind("exists") { _ = try $0.fetch(LongRead.self).where { $0.value < 0 }.exists() },
        Kind("regex") { _ = try $0.fetch(LongRead.self).where(.matches(.path(FieldPath("text")), pattern: "(a+)+z$")).ids() },
        Kind("sort") { _ = try $0.fetch(LongRead.self).sorted(by: \.value, .descending).ids() },
        Kind("top") { _ = try $0.fetch(LongRead.self).sorted(by: \.value, .descending).limit(3).all() },
        Kind("page") { _ = try $0.fetch(LongRead.self).where { $0.value < 0 }.sorted(by: \.value).page(10) },
        Kind("index walk") { _ = try $0.fetch(LongRead.self).where { $0.number >= 10 && $0.value < 0 }.all() },
        Kind("index order") { _ = try $0.fetch(LongRead.self).where { $0.value < 0 }.sorted(by: \.number).all() },
        Kind("select") { _ = try $0.fetch(LongRead.self).select(\.text).all() },
        Kind("sum") { _ = try $0.fetch(LongRead.self).aggregate(.sum(\.value)) },
        Kind("groups") { _ = try $0.fetch(LongRead.self).grouped(by: \.value).aggregate(.count) },
        Kind("kept groups") { _ = try $0.fetch(LongRead.self).grouped(by: \.group).aggregate(.count) },
        Kind("distinct") { _ = try $0.fetch(LongRead.self).distinct(\.value) },
        Kind("include") { _ = try $0.fetch(LongRead.self).including { $0.next } },
        Kind("resolve") { store in _ = try store.resolve((0..<records).map { Reference<LongRead>(id: $0) }) },
        Kind("referencing") { _ = try $0.referencing(Reference<LongRead>(id: 0)) },
        Kind("reference query") { _ = try $0.referencing(Reference<LongRead>(id: 0), from: LongRead.self, \.hub).ids() },
        Kind("reference path") { _ = try $0.fetch(LongRead.self).where(.comparison(.path(FieldPath(field: "next", names: ["value"])), .less, .value(.int(0)))).ids() },
        Kind("dangling") { _ = try $0.danglingReferences() },
        Kind("unreferenced") { _ = try $0.fetch(LongRead.self).unreferenced().ids() },
        Kind("verify") { _ = try $0.verify() },
        Kind("full text") { _ = try $0.fetch(LongRead.self).where { $0.text.hasWords("beta") }.all() },
        Kind("search") { _ = try $0.fetch(LongRead.self).search("beta") },
        Kind("substring") { _ = try $0.fetch(LongRead.self).where { $0.text.contains("beta g") }.all() },
        Kind("stored records") { store in try store.read { try $0.forEachStoredRecord(of: "long read") { _, _ in } } },
        Kind("long ids") { _ = try $0.fetch(LongID.self).ids() },
        Kind("long ids, one after the other") { _ = try $0.fetch(LongID.self).all() },
    ]

    /// `TROVE_LONG_READS=1000000` takes so many, and prints how long each kind goes on.
    private static let asked = ProcessInfo.processInfo.environment["TROVE_LONG_READS"].flatMap(Int.init)
    private static let records = asked ?? 4_000

    private func fixture(_ engine: Engine, _ counter: VisitCounter) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) {
            try ObjectStore(CancellingBackend($0, counter), durability: .relaxed, models: LongRead.self, LongID.self)
        }
        for start in stride(from: 0, to: Self.records, by: 20_000) {
            try fixture.store.save(
                (start..<min(Self.records, start + 20_000)).map { number in
                    LongRead(
                        id: number, number: number, group: number, value: number, text: "alpha beta gamma \(number % 10)",
                        hub: Reference(id: 0), next: Reference(id: (number * 7) % Self.records))
                })
        }
        try fixture.store.save((0..<min(Self.records, 4_000)).map { LongID(id: String(repeating: "long", count: 100) + "\($0)") })
        return fixture
    }

    /// What may be visited after the cancellation: it is looked for after each 128 records, and several walks may be one inside of the other.
    private static let rest = 400

    @Test(arguments: Engine.chosen(by: "TROVE_LONG_READ_ENGINES")) func everyKindEnds(engine: Engine) async throws {
        let counter = VisitCounter()
        let fixture = try fixture(engine, counter)
        let store = fixture.store
        for kind in Self.kinds {
            counter.begin(cancellingAt: nil)
            if Self.asked == nil {
                try kind.run(store)
                // Nothing is held by a read that has ended by then.
                #expect(counter.visits > 4 * Self.rest, "\(engine), \(kind.name): \(counter.visits) visits say nothing")
            }
            let place = Self.asked == nil ? counter.visits / 3 : 2_000
            counter.begin(cancellingAt: place)
            let outcome = await Task { Result { try kind.run(store) } }.value
            if Self.asked != nil, let cancelled = counter.cancelled {
                print("CANCELLED \(engine) | \(kind.name) | \((ContinuousClock.now - cancelled) / .milliseconds(1)) ms | \(counter.visits - place) visits")
            }
            #expect(throws: CancellationError.self, "\(engine), \(kind.name)") { try outcome.get() }
            #expect(counter.visits - place <= Self.rest, "\(engine), \(kind.name)")
        }
    }

    /// Few entries of a word's list stand for many objects, so each is looked at: here no object passes, whatever the number of those that are compared.
    @Test(arguments: Engine.allCases, ["\"beta alpha\"", "alpha NOT beta", "alpha be* NOT gamma"]) func listsOfWordsEnd(engine: Engine, words: String) async throws {
        let counter = VisitCounter()
        let fixture = try fixture(engine, counter)
        let store = fixture.store
        let run: @Sendable () throws -> Int = { try store.fetch(LongRead.self).search(words).count }
        counter.begin(cancellingAt: nil)
        #expect(try run() == 0)
        let whole = counter.visits
        counter.begin(cancellingAt: whole / 2)
        let outcome = await Task { Result { try run() } }.value
        #expect(throws: CancellationError.self) { try outcome.get() }
        #expect(whole > 20 && counter.visits - whole / 2 <= 3, "\(counter.visits) of \(whole)")
    }

    private func areReady(_ store: ObjectStore) throws -> Bool { try store.indexStatistics().allSatisfy { $0.state == .ready } }

    /// All records are read before the indexes are given up, so there is nothing to take back.
    @Test(arguments: Engine.allCases) func rebuildingEndsBeforeIndexesAreGivenUp(engine: Engine) async throws {
        let counter = VisitCounter()
        let fixture = try fixture(engine, counter)
        let store = fixture.store
        for place in [1_000, Self.records] {
            counter.begin(cancellingAt: place)
            let outcome = await Task { Result { try store.rebuildIndexes(of: LongRead.self) } }.value
            #expect(throws: CancellationError.self) { try outcome.get() }
            #expect(counter.visits - place <= Self.rest)
            #expect(try areReady(store))
        }
    }

    /// What reads the records for the keys of encrypted properties, and the entries for what an index shows.
    @Test(arguments: Engine.allCases) func readsOfSealedRecordsEnd(engine: Engine) async throws {
        let counter = VisitCounter()
        let keys = SimpleKeyring()
        let fixture = try StoreFixture(engine) {
            try ObjectStore(CancellingBackend($0, counter), durability: .relaxed, fieldKeys: keys, models: SealedRead.self)
        }
        let store = fixture.store
        try await store.save((0..<4_000).map { SealedRead(id: $0, secret: "secret \($0)") })
        let kinds = [
            Kind("sealed field counts") { store in _ = try store.read { try $0.sealedFieldCounts() } },
            Kind("leakage") { _ = try $0.leakage(of: SealedRead.self) },
        ]
        for kind in kinds {
            counter.begin(cancellingAt: 1_000)
            let outcome = await Task { Result { try kind.run(store) } }.value
            #expect(throws: CancellationError.self, "\(kind.name)") { try outcome.get() }
            #expect(counter.visits - 1_000 <= Self.rest, "\(kind.name)")
        }
    }

    /// A store without keys that gets some is looked through for values that are sealed already.
    @Test(arguments: Engine.allCases) func theFirstOpeningWithKeysEnds(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: LongID.self) }
        try await fixture.store.save((0..<1_000).map { LongID(id: "\($0)") })
        try await fixture.store.close()
        let path = fixture.directory.file()
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result {
                let backend = try engine.open(path)
                defer { try? backend.close() }
                _ = try ObjectStore(backend, durability: .relaxed, fieldKeys: SimpleKeyring(), models: LongID.self)
            }
        }.value
        #expect(throws: CancellationError.self) { try outcome.get() }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, fieldKeys: SimpleKeyring(), models: LongID.self) }
        #expect(try await fixture.store.fetch(LongID.self).count() == 1_000)
    }

    /// After everything was read the groups are put into order, and made what is asked for.
    @Test(arguments: Engine.allCases) func groupsEndAfterTheScan(engine: Engine) async throws {
        let counter = VisitCounter()
        let fixture = try fixture(engine, counter)
        let store = fixture.store
        for kind in Self.kinds where ["groups", "kept groups", "distinct"].contains(kind.name) {
            // The first run looks at what the store remembers afterwards.
            try kind.run(store)
            counter.begin(cancellingAt: nil)
            try kind.run(store)
            let whole = counter.visits
            counter.begin(cancellingAt: whole)
            let outcome = await Task { Result { try kind.run(store) } }.value
            #expect(throws: CancellationError.self, "\(engine), \(kind.name)") { try outcome.get() }
            #expect(counter.visits == whole, "\(engine), \(kind.name)")
        }
    }
}
