import Foundation
import TestSupport
import Testing

@testable import Trove

/// Lazy properties of live objects.
@Suite struct LazyClassTests {
    private func article(_ context: ObjectContext) throws -> LazyArticle { try #require(try context.fetch(LazyArticle.self).first()) }

    @Test(arguments: Engine.allCases) func areReadWhenAskedFor(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        let new = LazyArticle(title: "Fugue", text: LazyFixture.text("fugue"))
        new.drawing = LazyDrawing(points: (0..<50).map(Double.init))
        try context.insert(new)
        #expect(new.text == LazyFixture.text("fugue") && new.scan == nil)
        try context.save()
        #expect(try fixture.store.annexCount("LazyArticle") == 2)
        try fixture.reopenStore()
        let other = ObjectContext(fixture.store)
        let found = try article(other)
        #expect(found.title == "Fugue" && found.text == LazyFixture.text("fugue") && found.scan == nil && found.drawing?.points.count == 50)
        found.title = "Toccata"
        try other.save()
        #expect(try fixture.store.annexCount("LazyArticle") == 2)
        found.text += "!"
        found.scan = LazyFixture.data(3)
        found.drawing?.points.append(1)
        try other.save()
        #expect(try fixture.store.annexCount("LazyArticle") == 3)
        let third = try article(ObjectContext(fixture.store))
        #expect(third.text == LazyFixture.text("fugue") + "!" || third.modelContext == nil)
        let context3 = ObjectContext(fixture.store)
        let again = try article(context3)
        #expect(again.text == LazyFixture.text("fugue") + "!" && again.scan == LazyFixture.data(3) && again.drawing?.points.count == 51)
        #expect(context3.faultErrors.isEmpty && other.faultErrors.isEmpty)
        try other.delete(found)
        try other.save()
        #expect(try fixture.store.annexCount("LazyArticle") == 0 && fixture.store.verify().isSound)
    }

    /// They have unsaved values after the transaction too, in which these were done and taken back.
    @Test(arguments: Engine.allCases) func recordsWithPendingChanges(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(LazyArticle(title: "Fugue", text: LazyFixture.text("old")))
        try context.save()
        let found = try article(context)
        found.text = LazyFixture.text("new")
        let record = try #require(try context.fetchRecords(of: ["LazyArticle"]).all().first)
        let same = try #require(try context.read { try $0.storedRecord(of: "LazyArticle", key: found.id.keyBytes) })
        #expect(record["text"] == .string(LazyFixture.text("new")) && same["text"] == record["text"])
        let saved = try #require(try context.saved.fetchRecords(of: ["LazyArticle"]).all().first)
        #expect(saved["text"] == .string(LazyFixture.text("old")))
        withExtendedLifetime((fixture, context)) {}
    }

    /// An object of another store brings its values along, for those who look before the save as well, and needs that store no longer then.
    @Test(arguments: Engine.allCases) func objectsOfAnotherStore(engine: Engine) throws {
        let (fixture, other) = (try LazyFixture.open(engine), try LazyFixture.open(engine))
        try fixture.store.save(LazyArticle(title: "Fugue", text: LazyFixture.text("fugue")))
        let article = try #require(try fixture.store.fetch(LazyArticle.self).first())
        let context = ObjectContext(other.store)
        try context.insert(article)
        #expect(try context.fetch(LazyArticle.self).count() == 1)
        #expect(try context.fetch(LazyArticle.self).where { $0.hasWords("fugue3") }.first() === article)
        try context.save()
        try fixture.store.close()
        #expect(article.text == LazyFixture.text("fugue") && context.faultErrors.isEmpty)
        #expect(try other.store.fetch(LazyArticle.self).first()?.text == LazyFixture.text("fugue"))
        #expect(try other.store.verify().isSound)
        withExtendedLifetime((fixture, other, context)) {}
    }

    /// It has them also when a change of it is undone before the save.
    @Test(arguments: Engine.allCases) func objectsOfAnotherStoreWithUndo(engine: Engine) throws {
        let (fixture, other) = (try LazyFixture.open(engine), try LazyFixture.open(engine))
        try fixture.store.save(LazyArticle(title: "Fugue", text: LazyFixture.text("fugue")))
        let article = try #require(try fixture.store.fetch(LazyArticle.self).first())
        let context = ObjectContext(other.store, options: ContextOptions(undo: .steps(9)))
        try context.insert(article)
        context.endUndoStep()
        article.title = "Toccata"
        #expect(try context.undo())
        #expect(article.title == "Fugue" && article.text == LazyFixture.text("fugue") && context.faultErrors.isEmpty)
        #expect(try context.undo() && context.redo())
        try context.save()
        #expect(try other.store.fetch(LazyArticle.self).first()?.text == LazyFixture.text("fugue"))
        #expect(try other.store.verify().isSound)
        withExtendedLifetime((fixture, other, context)) {}
    }

    /// Under the id of an object that is there they are its unsaved ones.
    @Test(arguments: Engine.allCases) func anObjectOfACopyOfTheStore(engine: Engine) throws {
        let (fixture, other) = (try LazyFixture.open(engine), try LazyFixture.open(engine))
        let (new, edited) = (LazyArticle(title: "Fugue", text: LazyFixture.text("first")), LazyFixture.text("second"))
        for store in [fixture.store, other.store] { try store.save(new) }
        new.text = edited
        try fixture.store.save(new)
        let given = try #require(try fixture.store.fetch(LazyArticle.self).first())
        let context = ObjectContext(other.store)
        let article = try context.upsert(given)
        #expect(context.changedObjects.count == 1)
        #expect(try context.fetch(LazyArticle.self).where { $0.hasWords("second3") }.first() === article)
        try context.save()
        try fixture.store.close()
        #expect(article.text == edited && context.faultErrors.isEmpty)
        #expect(try other.store.fetch(LazyArticle.self).first()?.text == edited)
        #expect(try other.store.verify().isSound)
        withExtendedLifetime((fixture, other, context)) {}
    }

    /// Assigning the same value again is no change of the record.
    @Test(arguments: Engine.allCases) func sameValue(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(LazyArticle(title: "a", text: LazyFixture.text("same")))
        #expect(try context.save().insertedCount == 1)
        let other = ObjectContext(fixture.store)
        try article(other).text = LazyFixture.text("same")
        #expect(try other.save().updatedCount == 0)
    }

    /// What another context has changed is read anew; of what is deleted the default value is given, and nothing built on it is stored.
    @Test(arguments: Engine.allCases) func changedElsewhere(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        let mine = LazyArticle(title: "a", text: LazyFixture.text("first"))
        try context.insert(mine)
        try context.save()
        let other = ObjectContext(fixture.store, options: ContextOptions(mergesChangesAutomatically: false))
        let theirs = try article(other)
        mine.text = LazyFixture.text("second")
        mine.title = "b"
        try context.save()
        #expect(theirs.title == "a")
        #expect(theirs.text == LazyFixture.text("second") && theirs.title == "b" && other.faultErrors.isEmpty, "the object is read anew")
        let last = ObjectContext(fixture.store, options: ContextOptions(mergesChangesAutomatically: false))
        let lost = try article(last)
        try fixture.store.deleteAll(LazyArticle.self)
        #expect(lost.text.isEmpty)
        lost.text += "more"
        #expect(lost.text.isEmpty, "what could not be read is not changed in part")
        #expect(last.faultErrors.count >= 2 && isGone(last.faultErrors[0], "text"))
        #expect(throws: TroveError.self) { try last.load(\.text, of: [lost]) }
    }

    @Test(arguments: Engine.allCases) func loadsAndReverts(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        for number in 0..<5 { try context.insert(LazyArticle(title: "\(number)", text: LazyFixture.text("t\(number)"))) }
        try context.save()
        let other = ObjectContext(fixture.store)
        let articles = try other.fetch(LazyArticle.self).sorted(by: \.title).all()
        #expect(try other.load(\.text, of: articles).isEmpty)
        try fixture.store.forgeAnnexes("LazyArticle") { _ in nil }
        #expect(articles.map(\.text) == (0..<5).map { LazyFixture.text("t\($0)") }, "they are in memory")
        articles[0].text = "new"
        #expect(try other.originalValue(\.text, of: articles[0]) == LazyFixture.text("t0") && other.faultErrors.isEmpty)
    }

    @Test(arguments: Engine.allCases) func revertsAndRollsBack(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(LazyArticle(title: "a", text: LazyFixture.text("stored")))
        try context.save()
        let other = ObjectContext(fixture.store)
        let found = try article(other)
        found.text = LazyFixture.text("new")
        #expect(try other.originalValue(\.text, of: found) == LazyFixture.text("stored"))
        try other.revert(\.text, of: found)
        #expect(found.text == LazyFixture.text("stored"))
        found.text = LazyFixture.text("newer")
        try other.rollback()
        #expect(found.text == LazyFixture.text("stored") && other.faultErrors.isEmpty)
        #expect(try other.save().updatedCount == 0)
    }

    /// Changes of different properties, a lazy one among them, are both kept.
    @Test(arguments: Engine.allCases) func conflictsByProperty(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(LazyArticle(title: "a", text: LazyFixture.text("stored")))
        try context.save()
        let contexts = (0..<3).map { _ in
            ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .byProperty, mergesChangesAutomatically: false))
        }
        let articles = try contexts.map { try article($0) }
        articles[0].text = LazyFixture.text("theirs")
        articles[1].scan = LazyFixture.data(1)
        articles[2].title = "c"
        for context in contexts { try context.save() }
        let found = try #require(try fixture.store.fetch(LazyArticle.self).first())
        #expect(found.text == LazyFixture.text("theirs") && found.scan == LazyFixture.data(1) && found.title == "c")
        #expect(articles[2].text == LazyFixture.text("theirs") && articles[2].scan == LazyFixture.data(1))
        #expect(try fixture.store.verify().isSound)
    }

    /// A cascade takes the values along, and undoing it brings them back.
    @Test(arguments: Engine.allCases) func undoneAfterSaving(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        let context = ObjectContext(store, options: ContextOptions(undo: .unlimited))
        let article = LazyArticle(title: "a", text: LazyFixture.text("article"))
        article.notes = (0..<3).map { LazyNote(text: LazyFixture.text("note\($0)")) }
        try context.insert(article)
        try context.save()
        let other = ObjectContext(store, options: ContextOptions(undo: .unlimited))
        try other.delete(try self.article(other))
        try other.save()
        #expect(try store.annexCount("LazyArticle") + store.annexCount("LazyNote") == 0)
        try other.undo()
        try other.save()
        #expect(try store.annexCount("LazyArticle") == 1 && store.annexCount("LazyNote") == 3)
        let found = try #require(try ObjectContext(store).fetch(LazyNote.self).sorted(by: \.text).all().first)
        #expect(found.text == LazyFixture.text("note0") || found.modelContext == nil)
        let texts = try store.fetch(LazyNote.self).select(\.text).all()
        #expect(Set(texts) == Set((0..<3).map { LazyFixture.text("note\($0)") }))
        try other.redo()
        try other.save()
        #expect(try store.annexCount("LazyArticle") + store.annexCount("LazyNote") == 0 && store.verify().isSound)
        // Nothing is kept that nobody could come back to.
        other.removeAllUndoSteps()
        try other.insert(LazyArticle(title: "b"))
        try other.save()
        #expect(other.annexes.all.count <= 8)
    }

    /// Without undo nothing is kept after a save.
    @Test(arguments: Engine.allCases) func memory(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        let article = LazyArticle(title: "a", text: LazyFixture.text("a"))
        try context.insert(article)
        for number in 0..<5 {
            article.text = LazyFixture.text("\(number)x")
            try context.save()
            #expect(context.annexes.all.isEmpty)
        }
        article.text = LazyFixture.text("pending")
        #expect(try context.fetch(LazyArticle.self).where { $0.text.hasPrefix("pending0") }.count() == 1)
        #expect(try context.fetch(LazyArticle.self).where { $0.hasWords("pending3") }.count() == 1)
        try context.rollback()
        #expect(context.annexes.all.isEmpty)
    }

    /// Versions between saves are not kept.
    @Test(arguments: Engine.allCases) func memoryOfPendingChanges(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(LazyArticle(title: "a", text: LazyFixture.text("stored")))
        try context.save()
        let article = LazyArticle(title: "b", text: LazyFixture.text("new"))
        try context.insert(article)
        let other = try #require(try context.fetch(LazyArticle.self).where { $0.title == "a" }.first())
        for number in 0..<60 {
            article.text = LazyFixture.text("new\(number)x")
            other.text = LazyFixture.text("other\(number)x")
            #expect(try context.fetch(LazyArticle.self).where { $0.hasWords("new\(number)x7") }.count() == 1)
            #expect(try context.fetch(LazyArticle.self).where { $0.hasWords("other\(number)x7") }.count() == 1)
        }
        #expect(context.annexes.all.count <= 12, "\(context.annexes.all.count)")
        #expect(try context.originalValue(\.text, of: other) == LazyFixture.text("stored"))
        try context.save()
        #expect(try fixture.store.annexCount("LazyArticle") == 2 && fixture.store.verify().isSound && context.annexes.all.isEmpty)
    }

    /// Inherited lazy properties.
    @Test(arguments: Engine.allCases) func inherited(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        let film = LazyFilm()
        (film.title, film.cover, film.script, film.year) = ("M", LazyFixture.data(4), LazyFixture.text("scene"), 1931)
        try context.insert(film)
        try context.save()
        let other = ObjectContext(fixture.store)
        let found = try #require(try other.fetchAny(LazyMedia.self).first() as? LazyFilm)
        #expect(found.cover == LazyFixture.data(4) && found.script == LazyFixture.text("scene") && found.year == 1931)
        found.cover = nil
        try other.save()
        #expect(try fixture.store.annexCount("LazyFilm") == 1)
        try other.load(\.cover, of: [found])
        try other.load(\.script, of: [found])
    }

    @Test(arguments: Engine.allCases) func fromManyThreads(engine: Engine) async throws {
        let fixture = try LazyFixture.open(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(LazyArticle(title: "a", text: LazyFixture.text("shared")))
        try await context.save()
        let other = ObjectContext(fixture.store)
        let found = try #require(try await other.fetch(LazyArticle.self).first())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<20 {
                        if number == 0, round % 5 == 0 { found.scan = LazyFixture.data(UInt8(round)) }
                        #expect(found.text == LazyFixture.text("shared"))
                        found.drawing = found.drawing
                    }
                }
            }
        }
        try await other.save()
        #expect(try await fixture.store.verify().isSound)
        #expect(try fixture.store.annexCount("LazyArticle") == 2)
    }
}
