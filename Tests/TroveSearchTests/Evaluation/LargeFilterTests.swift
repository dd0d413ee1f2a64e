import TestSupport
import Testing

@testable import Trove

/// Conditions of very many parts, and such as nest very deeply.
@Suite struct LargeFilterTests {
    private func fixture(_ engine: Engine, _ indexes: [Index<Tune>]) throws -> (StoreFixture, [Tune]) {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, models: Tune.self) } }
        let tunes = (0..<60).map { Tune(artist: "artist \($0)", year: $0, rating: nil, tags: ["tag \($0)"], title: "", seconds: 0) }
        try fixture.store.save(tunes)
        return (fixture, tunes)
    }

    @Test(arguments: Engine.allCases, [false, true]) func conditionsOfManyParts(_ engine: Engine, _ isIndexed: Bool) throws {
        let count = engine == .memory && !isIndexed ? TestShare.isWhole ? 100_000 : 20_000 : 2_000
        let (fixture, tunes) = try fixture(engine, isIndexed ? [Index(\.year), Index(\.artist), Index(\.tags)] : [])
        let fetch = fixture.store.fetch(Tune.self)
        var chain = Filter.constant(false)
        for number in 0..<count {
            let even = Filter.comparison(.path("year"), .equal, .value(.int(Int64(number) * 2)))
            chain = chain || even
        }
        #expect(try fetch.where(chain).ids() == tunes.filter { $0.year % 2 == 0 }.map(\.id))
        #expect(try fetch.where(!chain).ids() == tunes.filter { $0.year % 2 == 1 }.map(\.id))
        let different = (0..<count).map { Filter.comparison(.path("artist"), .notEqual, .value(.string("artist \($0 * 3)"))) }
        #expect(try fetch.where(.and(different)).ids() == tunes.filter { $0.year % 3 != 0 }.map(\.id))
        let ranges = (0..<count).map { number -> Filter in
            let start = Int64(number) * 4 + 3
            let lower = Filter.comparison(.path("year"), .greaterOrEqual, .value(.int(start)))
            let upper = Filter.comparison(.path("year"), .less, .value(.int(start + 1)))
            return lower && upper
        }
        #expect(try fetch.where(.or(ranges)).ids() == tunes.filter { $0.year % 4 == 3 }.map(\.id))
        let mixed = (0..<count).map { number -> Filter in
            if number % 2 == 0 { return .comparison(.path("year"), .equal, .value(.int(Int64(number)))) }
            return .text(.path("artist"), .hasPrefix, .value(.string("artist \(number)x")))
        }
        #expect(try fetch.where(.or(mixed)).count() == 30)
    }

    @Test(arguments: Engine.allCases, [false, true]) func listsOfManyValues(_ engine: Engine, _ isIndexed: Bool) throws {
        let count = engine == .memory && !isIndexed ? TestShare.isWhole ? 300_000 : 100_000 : 10_000
        let (fixture, tunes) = try fixture(engine, isIndexed ? [Index(\.year), Index(\.artist)] : [])
        let fetch = fixture.store.fetch(Tune.self)
        let years = (0..<count).map { StoredValue.int(Int64($0 * 2)) }
        #expect(try fetch.where(.membership(.path("year"), years)).ids() == tunes.filter { $0.year % 2 == 0 }.map(\.id))
        let names = (0..<10_000).map { StoredValue.string("ARTIST \($0 * 2)") }
        #expect(try fetch.where(.membership(.path("artist"), names, ignoringCase: true)).count() == 30)
        #expect(try fetch.where(.membership(.path("artist"), names)).count() == 0)
        let tooMany = [StoredValue](repeating: .null, count: FilterCompiler.maxConditions)
        #expect { try fetch.where(.membership(.path("year"), tooMany)).ids() } throws: { error in
            guard case TroveError.invalidQuery(let reason) = error else { return false }
            return reason.contains("\(FilterCompiler.maxConditions)")
        }
    }

    /// Among them are texts that differ in zero bytes at their end alone.
    @Test func listsOfTextsThatBeginAlike() throws {
        let texts = ["", "\0", "a", "a\0", "a\0\0", "abcdefg", "abcdefgh", "abcdefgh\0", "abcdefgh1", "abcdefgh2", "abcdefghij", "abcdefgi", "b"]
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, durability: .relaxed, models: Tune.self) }
        try fixture.store.save(texts.map { Tune(artist: "", year: 0, rating: nil, tags: [], title: $0, seconds: 0) })
        for mask in 0..<(1 << texts.count) where mask % 7 == 0 {
            let sought = texts.indices.filter { mask >> $0 & 1 == 1 }.map { texts[$0] }
            let fetch = fixture.store.fetch(Tune.self).where(.membership(.path("title"), sought.map { .string($0) }))
            #expect(try Set(fetch.all().map(\.title)) == Set(sought))
        }
    }

    /// A filter that a program nests without end is compared, described and freed like any other, and refused when it is asked.
    @Test(arguments: [0, 1, 2, 3]) func aHundredThousandLevels(_ kind: Int) throws {
        func deep(_ leaf: String) -> Filter {
            var filter = Filter.isNil(FieldPath(leaf))
            for number in 0..<100_000 {
                switch kind {
                case 0: filter = .not(filter)
                case 1: filter = number % 2 == 0 ? .and([filter, .isNil("year")]) : .or([.isNil("year"), filter])
                case 2: filter = .quantified(.any, "tags", .elements, filter)
                default: filter = number % 2 == 0 ? filter && .isNil("year") : filter || .isNil("artist")
                }
            }
            return filter
        }
        let (first, second) = (deep("rating"), deep("rating"))
        #expect(first == second)
        #expect(first != deep("title"))
        #expect(first.hashValue == second.hashValue)
        #expect(first.description.contains("…"))
        #expect(first.explained.contains("…"))
        var generator = SeededGenerator(seed: 1)
        let (fixture, _) = try IndexSet.year.fixture(.memory, count: 3, &generator)
        #expect { try fixture.store.fetch(Tune.self).where(first).ids() } throws: { error in
            guard case TroveError.invalidQuery(let reason) = error else { return false }
            return reason.contains("nest deeper")
        }
        #expect(throws: TroveError.self) { try fixture.store.fetch(Tune.self).where(first).page(2) }
        #expect(throws: TroveError.self) { try fixture.store.fetch(Tune.self).where(first).explain() }
    }

    /// What a quantifier costs multiplies with each level, and is a number all the same.
    @Test(arguments: [30, 64, 65, 100, 900]) func quantifiersInQuantifiers(_ levels: Int) throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: []) }
        let notes = fixture.store.documents("notes")
        let value = (0..<levels).reduce(StoredValue.int(1)) { value, _ in .object(["a": .array([value])]) }
        try notes.save(Document(.object(["a": .array([])])))
        if levels < 100 { try notes.save(Document(value)) }
        let leaf = Filter.comparison(.path(.element), .equal, .value(.int(1)))
        let inner = (1..<levels).reduce(leaf) { filter, _ in .quantified(.any, FieldPath(field: "", names: ["a"]), .elements, filter) }
        let filter = Filter.quantified(.any, "a", .elements, inner)
        if levels <= FilterCompiler.maxQuantifiers {
            #expect(try notes.fetch().where(filter).count() == 1)
            #expect(try notes.fetch().where(filter && filter).count() == 1)
            // What a node adds up before it keeps to the bound, where a number has 32 bits.
            #expect(FilterTree.maxCost < Int(Int32.max) / 8)
            return
        }
        #expect { try notes.fetch().where(filter).count() } throws: { error in
            guard case TroveError.invalidQuery(let reason) = error else { return false }
            return reason.contains("nest deeper than 64")
        }
        // Also where nobody has counted them before.
        let binding = try fixture.store.read { try $0.openCollection(named: "notes").binding }
        #expect(throws: TroveError.self) { try CompiledFilter(filter, in: binding) }
    }

    /// A user's text of 300 bytes.
    @Test func quantifiersInQuantifiersAsText() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: []) }
        let notes = fixture.store.documents("notes")
        try notes.save([Document(.object(["a": .array([.int(1)])]))])
        let text = String(repeating: "any a (", count: 40) + "element = 1" + String(repeating: ")", count: 40)
        #expect(try notes.fetch(text).count() == 0)
        #expect(try notes.fetch("none b (\(text))").count() == 1)
    }

    @Test(arguments: [0, 1, 2, 3]) func wordsToo(_ kind: Int) throws {
        func deep(_ leaf: String) -> FullTextQuery {
            var query = FullTextQuery.word(leaf)
            for _ in 0..<100_000 {
                switch kind {
                case 0: query = .not(query)
                case 1: query = .all([query, .word("b")])
                case 2: query = .any([.word("b"), query])
                default: query = .field("title", query)
                }
            }
            return query
        }
        #expect(deep("a") == deep("a"))
        #expect(deep("a") != deep("c"))
        #expect(deep("a").hashValue == deep("a").hashValue)
        #expect(deep("a").description.contains("…"))
        #expect(!deep("a").isWithinMaxDepth())
    }

    /// Lists share what they have in common, and each keeps its own end.
    @Test func listsGrowApart() {
        let parts = (0..<5).map { Filter.isNil(FieldPath("p\($0)")) }
        let base = parts[0] || parts[1]
        let (left, right) = (base || parts[2], base || parts[3])
        #expect(base == .or([parts[0], parts[1]]))
        #expect(left == .or([parts[0], parts[1], parts[2]]))
        #expect(right == .or([parts[0], parts[1], parts[3]]))
        #expect((left || parts[4]) == .or([parts[0], parts[1], parts[2], parts[4]]))
        #expect(left == .or([parts[0], parts[1], parts[2]]))
    }

    private static func node(_ filter: Filter) throws -> BranchNode<Filter> {
        guard case .or(let parts) = filter else { throw TroveError.invalidQuery(reason: "it is no 'or'") }
        return parts.node
    }

    /// Parts that are lists themselves come to the end of a list as single ones do.
    @Test func listsGrowInPlace() throws {
        let parts = (0..<5).map { Filter.isNil(FieldPath("p\($0)")) }
        var chain = parts[0] || parts[1]
        let node = try Self.node(chain)
        chain = chain || (parts[2] || parts[3])
        chain = chain || parts[4]
        #expect(try Self.node(chain) === node)
        #expect(chain == .or(parts))
        #expect((chain || chain) == .or(parts + parts))
    }

    /// A list that is joined with what contains it is not a part of itself, and ends with the last that has it.
    @Test func listsThatContainThemselvesEnd() throws {
        let parts = (0..<3).map { Filter.isNil(FieldPath("p\($0)")) }
        let or = Filter.or([parts[0], parts[1]])
        let kinds: [(inner: (Filter) -> Filter, expected: Filter)] = [
            ({ !$0 }, .not(or)), ({ $0 && parts[2] }, .and([or, parts[2]])),
            ({ .quantified(.any, "p", .elements, $0) }, .quantified(.any, "p", .elements, or)), ({ !($0 || parts[2]) }, .not(.or(parts))),
        ]
        func joined(_ inner: (Filter) -> Filter, _ expected: Filter) throws -> BranchNode<Filter> {
            let base = parts[0] || parts[1]
            let whole = base || inner(base)
            #expect(whole == .or([parts[0], parts[1], expected]))
            #expect(base == or)
            return try Self.node(base)
        }
        for kind in kinds {
            weak let node = try joined(kind.inner, kind.expected)
            #expect(node == nil)
        }
    }
}
