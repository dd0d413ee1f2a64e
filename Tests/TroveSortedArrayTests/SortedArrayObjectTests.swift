import TestSupport
import Testing
import Trove
import TroveSortedArray

/// Models, indexes and relationships on an engine that Trove has never heard of.
struct SortedArrayObjectTests {
    @Test func modelsIndexesAndRelationships() throws {
        let directory = try TemporaryDirectory()
        let composer = ShelfAuthor(name: "Ursula")
        func open() throws -> ObjectStore {
            try ObjectStore(SortedArrayBackend(path: directory.file()), models: ShelfAuthor.self, ShelfBook.self)
        }
        var store = try open()
        try store.save(composer)
        try store.save((0..<200).map { ShelfBook(title: "Book \($0)", year: 1960 + $0 % 50, author: $0 % 2 == 0 ? Reference(composer) : nil) })
        #expect(throws: TroveError.self) { try store.save(ShelfAuthor(name: "Ursula")) }
        try store.close()
        store = try open()
        let fetch = store.fetch(ShelfBook.self).where { $0.year >= 1965 && $0.year < 1970 }.sorted(by: \.year)
        #expect(try fetch.count() == 20)
        #expect(try fetch.explain().description.contains("year"))
        #expect(try store.fetch(ShelfBook.self).where { $0.author == Reference(composer) }.count() == 100)
        #expect(try store.delete(ShelfAuthor.self, id: composer.id))
        #expect(try store.fetch(ShelfBook.self).where { $0.author == nil }.count() == 200)
        #expect(try store.verify().isSound)
        let copy = try SortedArrayBackend(path: directory.file("copy"))
        try store.copy(to: copy)
        #expect(try copy.read { try $0.keyspaceNames().isEmpty } == false)
        try copy.close()
        try store.close()
    }
}

@Model
struct ShelfAuthor {
    @Attribute(.unique) var name: String
}

@Model
struct ShelfBook {
    @Attribute(.fullText) var title: String
    @Attribute(.indexed) var year: Int
    @Relationship(deleteRule: .nullify) var author: Reference<ShelfAuthor>?
}
