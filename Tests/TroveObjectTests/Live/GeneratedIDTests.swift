import Foundation
import TestSupport
import Testing
import Trove

/// Ids that `@Model` makes are properties for queries as written ones are: in conditions across relationships, in sorts, selections and predicates.
@Suite struct GeneratedIDTests {
    @Model final class Writer {
        var name: String
        @Relationship(inverse: \Novel.writer) var novels: [Novel] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Novel {
        var title: String
        @Relationship var writer: Writer?
        init(_ title: String, _ writer: Writer?) { (self.title, self.writer) = (title, writer) }
    }

    /// The id is a property of another name.
    @Model struct Country {
        #Unique<Country>([\.code], identity: true)
        var code: String
        var name: String
    }

    private func fixture(_ engine: Engine) throws -> (fixture: StoreFixture, context: ObjectContext, writers: [Writer]) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Writer.self, Novel.self, Country.self) }
        let context = ObjectContext(fixture.store)
        let writers = ["a", "b", "c"].map { Writer($0) }
        try context.insert(writers)
        for writer in writers { try context.insert((0..<2).map { Novel("\(writer.name)\($0)", writer) }) }
        try context.save()
        return (fixture, context, writers)
    }

    @Test(arguments: Engine.allCases) func conditions(_ engine: Engine) throws {
        let (fixture, context, writers) = try fixture(engine)
        let (id, novel) = (writers[1].id, try #require(writers[2].novels.first))
        let wanted = novel.id
        #expect(try context.fetch(Writer.self).where { $0.id == id }.all() == [writers[1]])
        #expect(try context.fetch(Novel.self).where { $0.writer.id == id }.all().map(\.title).sorted() == ["b0", "b1"])
        #expect(try context.fetch(Writer.self).where { $0.novels.any { $0.id == wanted } }.all() == [writers[2]])
        #expect(try context.fetch(Writer.self).where { $0.id.isIn([id, writers[0].id]) }.count() == 2)
        // What is not saved yet is found so too.
        let new = Novel("new", writers[1])
        try context.insert(new)
        #expect(try context.fetch(Novel.self).where { $0.writer.id == id && $0.id == new.id }.all() == [new])
        #expect(try fixture.store.fetch(Novel.self).where { $0.writer.id == id }.count() == 2)
    }

    @Test(arguments: Engine.allCases) func predicates(_ engine: Engine) throws {
        let (fixture, context, writers) = try fixture(engine)
        let id = writers[1].id
        #expect(try context.fetch(Writer.self).where(#Predicate { $0.id == id }).all() == [writers[1]])
        #expect(try context.fetch(Novel.self).where(#Predicate { $0.writer?.id == id }).all().map(\.title).sorted() == ["b0", "b1"])
        let ids = [id, writers[0].id]
        #expect(try context.fetch(Writer.self).where(#Predicate { ids.contains($0.id) }).count() == 2)
        #expect(try fixture.store.fetch(Novel.self).where(#Predicate { $0.writer?.id == id }).count() == 2)
    }

    @Test(arguments: Engine.allCases) func sortsAndSelections(_ engine: Engine) throws {
        let (fixture, context, writers) = try fixture(engine)
        let ids = writers.map(\.id).sorted()
        #expect(try context.fetch(Writer.self).sorted(by: \.id).all().map(\.id) == ids)
        #expect(try context.fetch(Writer.self).sorted(by: \.id, .descending).first()?.id == ids.last)
        #expect(try fixture.store.fetch(Writer.self).sorted(by: \.name).select(\.name, \.id).all().map(\.1) == writers.map(\.id))
        try fixture.store.save([Country(code: "no", name: "Norge"), Country(code: "is", name: "Ísland")])
        #expect(try fixture.store.fetch(Country.self).sorted(by: \.id, .descending).all().map(\.code) == ["no", "is"])
        #expect(try fixture.store.fetch(Country.self).where(#Predicate { $0.id == "is" }).all().map(\.name) == ["Ísland"])
    }
}
