import TestSupport
import Testing
import Trove

/// Searches for words in models that the program does not have: the catalogue tells how texts become words.
@Suite struct UntoldWordsTests {
    @Model struct Review: Equatable {
        #FullText<Review>([\.title, \.text], stemming: .english, weights: [2, 1])
        var id: Int
        var title: String
        var text: String?
        var stars: Int
    }

    private static let texts = ["autumn leaves are falling", "leaf by leaf", "the fall", nil, "falling, falling", "no words of it"]

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Review.self) }
        try fixture.store.save((0..<600).map { Review(id: $0, title: $0 % 7 == 0 ? "Leaves" : "title \($0)", text: texts[$0 % 6], stars: $0 % 5) })
        return fixture
    }

    private static let questions = ["has words 'leaves'", "text has words 'fall* NOT autumn'", "title has words 'leaf' and stars > 2", "not has words 'falling'", "has words '\"autumn leaves\"' or stars = 4"]

    @Test(arguments: Engine.allCases) func theAnswersAreTheProgramsOwn(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let expected = try Self.questions.map { try fixture.store.fetch(Review.self, $0).ids() }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let reviews = fixture.store.documents(of: "Review")
        for (question, ids) in zip(Self.questions, expected) {
            #expect(try reviews.fetch(question).all().map(\.id) == ids.map { .int(Int64($0)) }, "\(question)")
            #expect(try fixture.store.fetchRecords(of: ["Review"]).matching(question).count() == ids.count)
        }
        let plan = try #require(try reviews.fetch("title has words '177'").explain().first)
        #expect(plan.indexes == ["text of title, text"], "\(plan)")
        // What it saves is found by its words too.
        var review = try #require(try reviews.fetch(id: 5))
        review["text"] = "unheard words"
        try reviews.save(review)
        #expect(try reviews.fetch("text has words 'unheard'").all().map(\.id) == [.int(5)])
        #expect(throws: TroveError.self) { try reviews.fetch("stars has words 'x'").all() }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Review.self).where { $0.text.hasWords("unheard") }.ids() == [5] && fixture.store.verify().isSound)
    }

    @Model("Review", version: 2) struct LaterReview: Equatable {
        #FullText<LaterReview>([\.title, \.text], stemming: .english, weights: [2, 1])
        var id: Int
        var title: String
        var text: String?
        var stars: Int
        var author: String?
    }

    /// Of records in several layouts the texts are looked at.
    @Test(arguments: Engine.allCases) func inSeveralLayouts(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LaterReview.self) }
        try fixture.store.save(LaterReview(id: 1_000, title: "Leaves", text: nil, stars: 1, author: "Ane"))
        let expected = try Self.questions.map { try fixture.store.fetch(LaterReview.self, $0).ids() }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        for (question, ids) in zip(Self.questions, expected) {
            #expect(try fixture.store.documents(of: "Review").fetch(question).all().map(\.id) == ids.map { .int(Int64($0)) }, "\(question)")
        }
    }
}
