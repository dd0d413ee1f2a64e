import TestSupport
import Testing

@testable import Trove

/// What planning itself reads and builds, and what it takes for known.
@Suite struct PlanningLimitsTests {
    /// Tracks in an engine that counts the look-ups of records.
    private static func counted(
        _ indexes: [Index<Tune>], count: Int = 2_000, _ tune: (Int) -> Tune
    ) throws -> (fixture: StoreFixture, counts: CallCounts, tunes: [Tune]) {
        let (fixture, backend) = try Tune.$declared.withValue(indexes) {
            try StoreFixture.counting(.memory) { try ObjectStore($0, models: Tune.self) }
        }
        let tunes = (0..<count).map(tune).sorted { $0.id < $1.id }
        try fixture.store.save(tunes)
        backend.counts.reset()
        return (fixture, backend.counts, tunes)
    }

    private static func plain(_ number: Int) -> Tune {
        Tune(
            artist: "Artist \(number % 20)", year: 1_900 + number % 100, rating: number % 3 == 0 ? nil : Double(number % 5), tags: [],
            title: "Title \(number)", seconds: Int32(number % 400))
    }

    /// What the planner proposes for a filter.
    private static func proposals(
        _ fixture: StoreFixture, _ filter: Filter, _ body: (Planner, [IndexBinding]) throws -> [Proposal]
    ) throws -> [Proposal] {
        try fixture.store.read { transaction in
            let model = try transaction.open(Tune.self)
            let planner = Planner(transaction, model, Query("Tune"), filter.normalized, .keys, needsOrder: false, ReadWatch())
            return try body(planner, try transaction.usableIndexes(of: model.binding))
        }
    }

    private static func years(_ count: Int) -> Filter { .membership(.path("year"), (0..<count).map { .int(Int64($0)) }) }

    @Test func longFirstPartsAreNotSkipped() throws {
        let long = String(repeating: "long ", count: 50)
        let (fixture, counts, tunes) = try Self.counted([Index(\.title, \.year)]) { number in
            var tune = Self.plain(number)
            tune.title = long + "\(number % 3)"
            return tune
        }
        let filter = Filter.comparison(.path("year"), .equal, .value(.int(1_907)))
        #expect(try Self.proposals(fixture, filter) { try $0.skippingProposals($1) }.isEmpty)
        let fetch = fixture.store.fetch(Tune.self).where(filter)
        #expect(try fetch.explain(running: false).steps.map(\.kind) == [.check, .scan])
        #expect(counts[.get] == 0, "planning reads no records")
        #expect(try fetch.distinct(\.title) == Set(tunes.filter { $0.year == 1_907 }.map(\.title)).sorted())
    }

    @Test func longListsAreNotMultiplied() throws {
        let (fixture, _, tunes) = try Self.counted([Index(\.artist, \.year)], Self.plain)
        let list = Self.years(3_000)
        for proposal in try Self.proposals(fixture, list, { try $0.skippingProposals($1) }) { #expect(proposal.scan.ranges.count <= 4_096) }
        #expect(try fixture.store.fetch(Tune.self).where(list).count() == tunes.filter { $0.year < 3_000 }.count)

        // The same behind a list on the part before it.
        let both = Filter.and([.membership(.path("artist"), (0..<20).map { .string("Artist \($0)") }), list])
        let proposals = try Self.proposals(fixture, both) { planner, indexes in try indexes.compactMap { try planner.proposal($0, planner.conditions) } }
        #expect(proposals.count == 1)
        for proposal in proposals {
            #expect(proposal.scan.ranges.count == 20)
            #expect(proposal.answered.count == 1, "the years are left to check")
        }
        #expect(try fixture.store.fetch(Tune.self).where(both).ids() == tunes.map(\.id))
    }

    /// That nothing has the first values of a list says little of the others.
    @Test func longListsAreLookedAtFromEndToEnd() throws {
        let (fixture, _, tunes) = try Self.counted([Index(\.year), Index(\.title)], count: 20_000) { number in
            var tune = Self.plain(number)
            tune.year = 1_960 + number % 65
            return tune
        }
        let fetch = fixture.store.fetch(Tune.self).where(.membership(.path("year"), (1_900...2_024).map { .int($0) })).sorted(by: \.title).limit(10)
        let explanation = try fetch.explain()
        #expect(explanation.indexes == ["title"])
        #expect(explanation.steps.allSatisfy { ($0.actualRows ?? 0) < 100 }, "\(explanation)")
        #expect(try fetch.all().map(\.title) == Array(tunes.map(\.title).sorted().prefix(10)))

        // Where nothing was found at the places that were looked at, something may be between them.
        let rare = Filter.membership(.path("year"), (1_900...1_963).map { .int($0) })
        let proposals = try Self.proposals(fixture, rare) { planner, indexes in try indexes.compactMap { try planner.proposal($0, planner.conditions) } }
        try fixture.store.read { transaction in
            let planner = Planner(transaction, try transaction.open(Tune.self), Query("Tune"), rare.normalized, .keys, needsOrder: false, ReadWatch())
            for proposal in proposals {
                let candidate = try planner.candidate(proposal)
                #expect(candidate.rows >= 64)
                #expect(planner.planOfFew(candidate) == nil)
            }
        }
        #expect(try fixture.store.fetch(Tune.self).where(rare).count() == tunes.count { $0.year < 1_964 })
    }

    /// Of many values some are looked at, and the last, which half of all have, was never among them.
    @Test func theLastOfManyValuesIsLookedAt() throws {
        let (fixture, _, _) = try Self.counted([Index(\.year)]) { number in
            var tune = Self.plain(number)
            tune.year = number.isMultiple(of: 2) ? 2_000 : 3_000 + number
            return tune
        }
        let filter = Filter.membership(.path("year"), ((1...16) + [2_000]).map { .int($0) })
        let proposals = try Self.proposals(fixture, filter) { planner, indexes in try indexes.compactMap { try planner.proposal($0, planner.conditions) } }
        try fixture.store.read { transaction in
            let planner = Planner(transaction, try transaction.open(Tune.self), Query("Tune"), filter.normalized, .keys, needsOrder: false, ReadWatch())
            #expect(proposals.count == 1)
            for proposal in proposals { #expect(try planner.candidate(proposal).rows > 17) }
        }
    }

    /// Each branch of an `or` takes looks into the indexes, so that thousands of them take long.
    @Test func planningOfManyBranchesEndsInTime() throws {
        let (fixture, _, _) = try Self.counted([Index(\.year), Index(\.title)], Self.plain)
        let branches = [Filter.comparison(.path("year"), .equal, .value(.int(1_907))), .comparison(.path("title"), .equal, .value(.string("Title 3")))]
        let late = ReadWatch(limit: .init(instant: .now) { .invalidQuery(reason: "it is late") })
        try fixture.store.read { transaction in
            let model = try transaction.open(Tune.self)
            let planner = Planner(transaction, model, Query("Tune"), Filter.or(branches).normalized, .keys, needsOrder: false, late)
            #expect {
                try planner.plan()
            } throws: { error in
                if case TroveError.invalidQuery(reason: "it is late") = error { true } else { false }
            }
        }
    }

    /// A condition that an index finds alone is passed by as many objects as the first such index says; others are guessed.
    @Test func sharesOfConditions() throws {
        let (fixture, _, _) = try Self.counted([Index(\.year), Index(\.artist)], Self.plain)
        let year = Filter.comparison(.path("year"), .equal, .value(.int(1_907)))
        let artist = Filter.comparison(.path("artist"), .equal, .value(.string("Artist 3")))
        let rating = Filter.comparison(.path("rating"), .greater, .value(.double(1)))
        try fixture.store.read { transaction in
            let model = try transaction.open(Tune.self)
            let planner = Planner(transaction, model, Query("Tune"), Filter.and([year, artist, rating]).normalized, .keys, needsOrder: false, ReadWatch())
            let candidates = try planner.singleCandidates(try transaction.usableIndexes(of: model.binding), planner.conditions)
            #expect(candidates.count == 2)
            let shares = planner.shares(candidates + candidates.map { Candidate(access: Access(.nothing, estimatedRows: 0, cost: 0), answered: $0.answered) }, total: 2_000)
            #expect(shares.count == 3)
            for candidate in candidates {
                let number = try #require(candidate.answered.only)
                #expect(planner.conditions[number] == year || planner.conditions[number] == artist)
                #expect(shares[number] == candidate.rows / 2_000 && candidate.rows > 0)
            }
            let other = try #require(planner.conditions.firstIndex(of: rating))
            #expect(shares[other] == CostModel.selectivity(rating))
        }
        #expect([ConditionSet(), ConditionSet(3), ConditionSet(70), ConditionSet(3).union(ConditionSet(70))].map(\.only) == [nil, 3, 70, nil])
    }

    @Test func nilIsNotUnique() throws {
        let (fixture, _, tunes) = try Self.counted([Index(unique: [\.seconds, \.rating], name: "unique"), Index(\.title)]) { number in
            var tune = Self.plain(number)
            tune.seconds = number < 100 ? 7 : Int32(number)
            tune.rating = number < 100 ? nil : 1
            return tune
        }
        let filter = Filter.and([.comparison(.path("seconds"), .equal, .value(.int(7))), .isNil("rating")])
        let explanation = try fixture.store.fetch(Tune.self).where(filter).explain(running: false)
        #expect(explanation.indexes == ["unique"])
        #expect((explanation.step.estimatedRows ?? 0) > 50)
        // Beside a condition that finds fewer it is not taken.
        let title = try #require(tunes.first { $0.seconds == 7 }).title
        let narrow = fixture.store.fetch(Tune.self).where(filter).where(.comparison(.path("title"), .equal, .value(.string(title))))
        #expect(try narrow.explain(running: false).indexes == ["title"])
        #expect(try narrow.count() == 1)
        // Without nil there is one row at the most.
        let whole = Filter.and([.comparison(.path("seconds"), .equal, .value(.int(700))), .comparison(.path("rating"), .equal, .value(.double(1)))])
        #expect(try fixture.store.fetch(Tune.self).where(whole).explain(running: false).step.estimatedRows == 1)
    }

    @Test func totalsOfAWindowReadRecordsOnce() throws {
        let (fixture, counts, tunes) = try Self.counted([Index(\.year)], Self.plain)
        let fetch = fixture.store.fetch(Tune.self)
        let late = fetch.offset(1_500)
        #expect(try late.grouped(by: \.year).explain(.count).steps.map(\.kind) == [.group, .window, .scan])
        #expect(try late.sum(\.year) == tunes.dropFirst(1_500).reduce(0) { $0 + $1.year })
        #expect(counts[.get] == 0, "one scan of the records, no look-ups")
        let (_, token) = try fetch.page(1_900)
        counts.reset()
        #expect(try fetch.after(token).sum(\.year) == tunes.dropFirst(1_900).reduce(0) { $0 + $1.year })
        #expect(try fetch.after(token).grouped(by: \.year).explain(.count).steps.map(\.kind) == [.group, .scan])
        #expect(counts[.get] == 0)
        #expect(try fetch.grouped(by: \.year).explain(.count).steps.map(\.kind) == [.group, .index])
    }

    @Test func valuesInTheOrderOfAnIndexNeedNoRecords() throws {
        let (fixture, counts, tunes) = try Self.counted([Index(\.year, \.seconds, name: "both"), Index([.descending(\.rating)], name: "rating", covering: [\.artist])], Self.plain)
        let fetch = fixture.store.fetch(Tune.self)
        func check(_ name: Comment, _ rows: [String], _ expected: [String], _ explanation: Explanation, _ index: String) {
            #expect(rows == expected, name)
            #expect(explanation.indexes == [index] && !explanation.steps.contains { $0.kind == .read }, name)
            #expect(counts[.get] == 0, name)
        }
        func shown(_ first: some CustomStringConvertible, _ second: some CustomStringConvertible) -> String { "\(first) \(second)" }
        let byYear = tunes.enumerated().sorted { ($0.element.year, $0.offset) < ($1.element.year, $1.offset) }.map(\.element)
        let up = fetch.sorted(by: \.year).select(\.year, \.seconds)
        try check("ascending, one of two parts", up.all().map { shown($0.0, $0.1) }, byYear.map { shown($0.year, $0.seconds) }, up.explain(), "both")
        let byYearDown = tunes.enumerated().sorted { (-$0.element.year, $0.offset) < (-$1.element.year, $1.offset) }.map(\.element)
        let down = fetch.sorted(by: \.year, .descending).select(\.id, \.seconds)
        try check("descending, one of two parts", down.all().map { shown($0.0, $0.1) }, byYearDown.map { shown($0.id, $0.seconds) }, down.explain(), "both")
        let window = fetch.sorted(by: \.year, .descending).offset(30).limit(50).select(\.id, \.seconds)
        try check("in a window", window.all().map { shown($0.0, $0.1) }, byYearDown[30..<80].map { shown($0.id, $0.seconds) }, window.explain(), "both")
        let both = fetch.sorted(by: \.year, .descending).sorted(by: \.seconds, .descending).select(\.id, \.year)
        let byBoth = tunes.enumerated().sorted { left, right in
            (-left.element.year, -left.element.seconds, left.offset) < (-right.element.year, -right.element.seconds, right.offset)
        }.map(\.element)
        try check("descending, all parts", both.all().map { shown($0.0, $0.1) }, byBoth.map { shown($0.id, $0.year) }, both.explain(), "both")
        // Some 400 objects have each rating, and 667 none.
        let byRating = tunes.enumerated().sorted { ($0.element.rating ?? -1, $0.offset) < ($1.element.rating ?? -1, $1.offset) }.map(\.element)
        let covered = fetch.sorted(by: \.rating).select(\.id, \.artist)
        try check("covered", covered.all().map { shown($0.0, $0.1) }, byRating.map { shown($0.id, $0.artist) }, covered.explain(), "rating")
    }
}
