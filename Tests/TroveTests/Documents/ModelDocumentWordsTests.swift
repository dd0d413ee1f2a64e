import TestSupport
import Testing

@testable import Trove

/// Ranked searches of objects by the name of their model are those of the program that has it.
@Suite struct ModelDocumentWordsTests {
    @Model("Review") fileprivate struct Review {
        #FullText<Review>([\.title, \.tags], stemming: .english, weights: [2, 1])
        var id: Int
        var title: String
        var tags: [String]
        var stars: Int
    }

    @Model("Review", version: 2) fileprivate struct LaterReview {
        #FullText<LaterReview>([\.title, \.tags], stemming: .english, weights: [2, 1])
        var id: Int
        var title: String
        var tags: [String]
        var stars: Int
        var author: String?
    }

    @Test(arguments: Engine.allCases) func ranking(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Review.self) }
        let titles = ["autumn leaves", "a leaf", "the train", "leaves, leaves, leaves"]
        try fixture.store.save((0..<40).map { Review(id: $0, title: titles[$0 % 4], tags: $0 % 3 == 0 ? ["leaf", "blue train"] : [], stars: $0 % 5) })
        let hits = try fixture.store.fetch(Review.self).where { $0.stars > 1 }.limit(9).search("leaf OR train")
        let inTags = try fixture.store.fetch(Review.self).search("train", in: \.tags).map(\.object.id)
        #expect(hits.count == 9 && inTags.count == 14)
        for hasModel in [true, false] {
            if !hasModel { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) } }
            let reviews = fixture.store.documents(of: "Review")
            let found = try reviews.fetch { $0["stars"] > 1 }.limit(9).search("leaf OR train")
            #expect(found.map(\.object.id) == hits.map { .int(Int64($0.object.id)) } && found.map(\.score) == hits.map(\.score))
            #expect(found.map { $0.highlighted("title") } == hits.map { $0.highlighted(\.title) })
            #expect(try reviews.fetch().search("train", in: "tags").map(\.object.id) == inTags.map { .int(Int64($0)) })
            #expect(try reviews.fetch().limit(1).search("\"blue train\"").first?.highlighted("tags") == "leaf\n[blue train]")
            #expect(try reviews.fetch().search("train").count == reviews.fetch { $0.hasWords("train") }.count())
            #expect(try reviews.fetch { $0["tags"].hasWords("train") }.count() == 14)
            #expect(throws: TroveError.self) { try reviews.fetch().search("train", in: "stars") }
            #expect(throws: TroveError.self) { try reviews.fetch().sorted(by: "stars").search("train") }
        }
        // Of records in several layouts nobody else knows the words of all.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LaterReview.self) }
        try fixture.store.save(LaterReview(id: 100, title: "leaves", tags: [], stars: 1, author: "Ane"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        #expect { try fixture.store.documents(of: "Review").fetch().search("leaf") } throws: {
            if case TroveError.invalidQuery(let reason) = $0 { reason.contains("several layouts") } else { false }
        }
    }

    @Test func rankingOnReaderThreads() async throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, durability: .relaxed, models: Review.self) }
        try await fixture.store.save(Review(id: 1, title: "the train", tags: ["blue"], stars: 1))
        let reviews = fixture.store.documents(of: "Review")
        #expect(try await reviews.fetch().search("train").map(\.object.id) == [.int(1)])
        #expect(try await reviews.fetch().search("train", in: "tags").isEmpty)
        #expect(try await fixture.store.verify().isSound)
    }
}
