import Foundation
import TestSupport
import Testing

@testable import Trove

/// Lazy properties that were not loaded and that another context has replaced, or deleted with their object.
@Suite struct LazyConflictTests {
    /// Two contexts on one article: the first has changed its title and not loaded the rest.
    private struct Pair {
        let fixture: StoreFixture
        let context: ObjectContext
        let article: LazyArticle
        let other: ObjectContext
        let theirs: LazyArticle

        init(_ engine: Engine, _ policy: MergePolicy, undo: UndoLimit = .none) throws {
            fixture = try LazyFixture.open(engine)
            let first = ObjectContext(fixture.store)
            let article = LazyArticle(title: "a", text: LazyFixture.text("first"))
            article.scan = LazyFixture.data(1)
            try first.insert(article)
            try first.save()
            context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy, undo: undo))
            self.article = try #require(try context.fetch(LazyArticle.self).first())
            self.article.title = "mine"
            other = ObjectContext(fixture.store)
            theirs = try #require(try other.fetch(LazyArticle.self).first())
        }

        func stored() throws -> LazyArticle? { try ObjectStore.detached(fixture.store) }
    }

    /// A change that waits to be saved keeps nobody from fetching.
    @Test(arguments: Engine.allCases) func fetchesBesideAPendingChange(engine: Engine) throws {
        let pair = try Pair(engine, .error)
        pair.theirs.text = LazyFixture.text("second")
        try pair.other.save()
        #expect(try pair.context.fetch(LazyArticle.self).all().map(\.title) == ["mine"])
        #expect(try pair.context.fetch(LazyArticle.self).where { $0.title == "mine" }.count() == 1)
        #expect(try pair.context.fetch(LazyArticle.self).where { $0.hasWords("second3") }.count() == 1)
        try pair.fixture.store.deleteAll(LazyArticle.self)
        #expect(try pair.context.fetch(LazyArticle.self).where { $0.title == "mine" }.count() == 0)
        #expect { try pair.context.save() } throws: { if case TroveError.conflict = $0 { true } else { false } }
        try pair.context.rollback()
        #expect(try pair.context.fetch(LazyArticle.self).all().isEmpty)
    }

    /// What nobody has any more is no difference, so nothing is lost by a policy.
    @Test(arguments: Engine.allCases) func policies(engine: Engine) throws {
        let custom = MergePolicy.custom { conflict in
            guard let object = conflict.object, var stored = conflict.stored else { return .fail }
            #expect(conflict.changedFields == ["title"])
            for field in object.fieldNames { try stored.set(field, to: try object.value(of: field)) }
            return .use(stored)
        }
        for policy in [MergePolicy.objectWins, .byProperty, custom] {
            let pair = try Pair(engine, policy)
            pair.theirs.text = LazyFixture.text("second")
            pair.theirs.scan = nil
            try pair.other.save()
            try pair.context.save()
            let found = try #require(try pair.stored())
            #expect(found.title == "mine" && found.text == LazyFixture.text("second") && found.scan == nil, "\(policy)")
            #expect(pair.article.text == LazyFixture.text("second") && pair.article.scan == nil && pair.context.faultErrors.isEmpty, "\(policy)")
            pair.article.title = "again"
            #expect(try pair.context.save().updatedCount == 1)
            #expect(try pair.fixture.store.verify().isSound)
        }
    }

    /// The error has the object's own value, which is in no store.
    @Test(arguments: Engine.allCases) func whatTheErrorHas(engine: Engine) throws {
        let pair = try Pair(engine, .error)
        pair.article.text = LazyFixture.text("mine")
        pair.theirs.title = "theirs"
        try pair.other.save()
        do {
            try pair.context.save()
            Issue.record("there is no conflict")
        } catch TroveError.conflict(model: _, id: _, object: let object, stored: let stored) {
            #expect(object?["text"] == .string(LazyFixture.text("mine")) && object?["title"] == "mine")
            #expect(stored?["text"] == .string(LazyFixture.text("first")) && stored?["title"] == "theirs")
        }
    }

    /// One that was loaded is the object's own, and wins with it.
    @Test(arguments: Engine.allCases) func loadedValuesWin(engine: Engine) throws {
        let pair = try Pair(engine, .objectWins)
        #expect(pair.article.text == LazyFixture.text("first"))
        pair.theirs.text = LazyFixture.text("second")
        try pair.other.save()
        try pair.context.save()
        #expect(try pair.stored()?.text == LazyFixture.text("first"))
    }

    /// Their bytes are those that were stored, also of types that encode themselves otherwise after they were read.
    @Test(arguments: Engine.allCases) func loadedValuesKeepTheirBytes(engine: Engine) throws {
        let words = LazyFixture.text("word").split(separator: " ").map(String.init)
        let fixture = try LazyFixture.open(engine)
        let first = ObjectContext(fixture.store)
        let new = LazyTagged(title: "a")
        new.counted = LazyCounted(words)
        try first.insert(new)
        try first.save()
        let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .objectWins, mergesChangesAutomatically: false))
        let mine = try #require(try context.fetch(LazyTagged.self).first())
        mine.title = "mine"
        #expect(mine.counted?.reads == 1)
        new.counted = LazyCounted(["other"] + words)
        try first.save()
        try context.save()
        let found = try #require(try fixture.store.fetch(LazyTagged.self).first())
        #expect(try found.title == "mine" && found.counted?.words == words && found.counted?.reads == 1 && fixture.store.verify().isSound)

        // The object again, after it was deleted, and in another store.
        try context.delete(mine)
        try context.save()
        try context.insert(mine)
        try context.save()
        let other = try LazyFixture.open(engine)
        let detached = try #require(try fixture.store.fetch(LazyTagged.self).first())
        #expect(detached.counted?.reads == 1)
        try other.store.save(detached)
        for store in [fixture.store, other.store] {
            let found = try #require(try store.fetch(LazyTagged.self).first())
            #expect(try found.counted?.words == words && found.counted?.reads == 1 && store.verify().isSound)
        }
    }

    /// A value that encodes itself otherwise each time is stored as its record knows it, however often it is stored.
    @Test(arguments: Engine.allCases) func valuesEncodedOtherwiseEachTime(engine: Engine) throws {
        let words = LazyFixture.text("word").split(separator: " ").map(String.init)
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let new = LazyTagged(title: "a")
        new.restless = LazyRestless(words)
        try context.insert(new)
        try context.save()
        #expect(try fixture.store.fetch(LazyTagged.self).first()?.restless?.words == words && fixture.store.verify().isSound)
        try context.delete(new)
        try context.save()
        _ = try context.undo()
        try context.save()
        #expect(try fixture.store.fetch(LazyTagged.self).first()?.restless?.words == words && fixture.store.verify().isSound)
    }

    /// A getter gives what is stored also where the object cannot be read anew.
    @Test(arguments: Engine.allCases) func getters(engine: Engine) throws {
        let pair = try Pair(engine, .byProperty)
        pair.theirs.text = LazyFixture.text("second")
        pair.theirs.title = "theirs"
        try pair.other.save()
        #expect(pair.article.text == LazyFixture.text("second") && pair.article.title == "mine", "while another property conflicts")
        pair.theirs.scan = LazyFixture.data(9)
        try pair.other.save()
        #expect(pair.context.perform { pair.article.scan } == LazyFixture.data(9))
        #expect(pair.context.faultErrors.isEmpty)
        try pair.context.save()
        #expect(try pair.stored()?.text == LazyFixture.text("second") && pair.stored()?.scan == LazyFixture.data(9))
    }

    /// What is deleted elsewhere cannot be brought back; the context goes on once it is rolled back.
    @Test(arguments: Engine.allCases) func deletedElsewhere(engine: Engine) throws {
        for policy in [MergePolicy.objectWins, .byProperty] {
            let pair = try Pair(engine, policy)
            try pair.other.delete(pair.theirs)
            try pair.other.save()
            #expect("\(policy)") { try pair.context.save() } throws: { isGone($0, "text") }
            #expect(try pair.context.fetch(LazyArticle.self).all().isEmpty)
            try pair.context.rollback()
            try pair.context.save()
            #expect(try pair.fixture.store.verify().isSound)
        }
        let pair = try Pair(engine, .storeWins, undo: .unlimited)
        try pair.other.delete(pair.theirs)
        try pair.other.save()
        try pair.context.save()
        _ = try pair.context.undo()
        #expect(try pair.context.fetch(LazyArticle.self).all().isEmpty)
        try pair.context.rollback()
        #expect(try pair.context.fetch(LazyArticle.self).all().isEmpty && pair.fixture.store.verify().isSound)
    }

    /// Steps that are no more keep no values.
    @Test(arguments: Engine.allCases) func memoryOfUndo(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .steps(1)))
        let article = LazyArticle(title: "a")
        try context.insert(article)
        for number in 0..<40 {
            article.text = LazyFixture.text("\(number)")
            try context.save()
        }
        #expect(context.annexes.all.count <= 6, "\(context.annexes.all.count)")
        context.removeAllUndoSteps()
        #expect(context.annexes.all.isEmpty)
    }
}

extension ObjectStore {
    /// The one article, in no context.
    fileprivate static func detached(_ store: ObjectStore) throws -> LazyArticle? { try store.fetch(LazyArticle.self).first() }
}
