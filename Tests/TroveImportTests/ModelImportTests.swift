import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// Rows that become objects of models, and what the report says of them.
@Suite struct ModelImportTests {
    @Model("Writer")
    fileprivate struct Author {
        let id: Int
        var name: String
        @Relationship(deleteRule: .cascade) var books: [Reference<Book>] = []
    }

    @Model("Volume")
    fileprivate struct Book {
        let id: Int
        var title: String
        @Relationship(inverse: \Author.books) var author: Reference<Author>?
        @Attribute(.modificationDate) var modified: Date?
    }

    @Model("Place")
    fileprivate struct Edition {
        #Unique<Edition>([\.work, \.number], identity: true)
        var work: String
        var number: Int
        var pages: Int?
        var note: String?
    }

    private static let books = """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author INTEGER REFERENCES writer);
        CREATE TABLE writer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO writer VALUES (1, 'Ann'), (2, 'Bo');
        INSERT INTO book VALUES (10, 'one', 1), (11, 'two', 1), (12, 'three', NULL);
        """

    private let files: SourceFiles

    init() throws { files = try SourceFiles() }

    private func library(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Author.self, Book.self, Edition.self) }
    }

    /// What a source does not name it says nothing of: inverses stay, and what they own.
    @Test(arguments: Engine.allCases) func replacingLeavesWhatTheSourceLacks(engine: Engine) throws {
        let path = try files.sqlite("library.db", Self.books)
        let fixture = try library(engine)
        let store = fixture.store
        let models = ["book": "Volume", "writer": "Writer"]
        _ = try store.importDocuments(from: ImportSource(path: path), ImportOptions(models: models))
        #expect(try store.fetch(Author.self, id: 1)?.books.count == 2)
        for inBatches in [false, true] {
            let report = try store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .replace, inBatches: inBatches, models: models))
            #expect(report.isComplete && report.collections.map(\.replaced) == [3, 2], "\(report)")
        }
        let names = try files.write("writers.csv", "id,name\n1,Anna\n3,Cy\n")
        let report = try store.importDocuments(from: ImportSource(path: names), ImportOptions(existing: .replace, models: ["writers": "Writer"]))
        #expect(report.isComplete && report.collections[0].replaced == 1 && report.stored == 2)
        let anna = try #require(try store.fetch(Author.self, id: 1))
        #expect(anna.name == "Anna" && anna.books.count == 2)
        #expect(try store.fetch(Book.self).all().map { $0.author != nil } == [true, true, false])
        #expect(try store.verify().isSound)
    }

    /// The same of models whose ids are made of properties.
    @Test(arguments: Engine.allCases) func replacingByTheIdentity(engine: Engine) throws {
        let fixture = try library(engine)
        let models = ["editions": "Place"]
        let first = try files.write("editions.csv", "work,number,pages,note\na,1,10,x\nb,1,20,y\n")
        _ = try fixture.store.importDocuments(from: ImportSource(path: first), ImportOptions(models: models))
        let second = try files.write("editions.csv", "work,number,pages\na,1,11\nb,1,\nc,1,30\n")
        let report = try fixture.store.importDocuments(from: ImportSource(path: second), ImportOptions(existing: .replace, models: models))
        #expect(report.isComplete && report.collections[0].replaced == 2, "\(report)")
        let found = try fixture.store.fetch(Edition.self).all().sorted { $0.work < $1.work }
        #expect(found.map(\.pages) == [11, nil, 30] && found.map(\.note) == ["x", "y", nil])
        // Rows that go by their numbers may be one object, which none of them may be lost for.
        let third = try files.write("editions.csv", "work,number,pages\na,1,1\nd,1,2\na,1,3\n")
        for existing in [ImportOptions.ExistingObjects.skip, .replace] {
            let report = try fixture.store.importDocuments(from: ImportSource(path: third), ImportOptions(existing: existing, inBatches: true, models: models))
            #expect(!report.isComplete && report.collections[0].refused == 1 && report.faults.map(\.place) == ["line 4"], "\(report)")
            #expect(report.faults[0].reason.contains("another row before became the same object"))
        }
        #expect(try fixture.store.fetch(Edition.self).all().sorted { $0.work < $1.work }.map(\.pages) == [1, nil, 30, 2])
    }

    /// Rows of two collections may become objects of one model, but no two of them one object.
    @Test(arguments: Engine.allCases, ImportOptions.ExistingObjects.allCases) func twoCollectionsOfOneModel(engine: Engine, existing: ImportOptions.ExistingObjects) throws {
        let path = try files.sqlite(
            "years.db",
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO a VALUES (1, 'a1'), (2, 'a2');
            INSERT INTO b VALUES (2, 'b2'), (3, 'b3');
            """)
        let models = ["a": "Writer", "b": "Writer"]
        let fixture = try library(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: existing, inBatches: true, models: models))
        #expect(!report.isComplete && report.stored == 3 && report.collections.map(\.refused) == [0, 1] && report.collections.allSatisfy { $0.isVerified == true }, "\(report)")
        #expect(report.faults.map { "\($0.collection), \($0.place): \($0.reason)" } == ["b, the row 2: another row before became the same object, 2 of Writer"])
        #expect(try fixture.store.fetch(Author.self).all().map(\.name) == ["a1", "a2", "b3"])
        let whole = try library(engine)
        #expect { try whole.store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: existing, models: models)) } throws: {
            if case ImportError.refused(let fault) = $0 { fault.collection == "b" } else { false }
        }
    }

    /// The key of a row is its id, whatever its column is called.
    @Test(arguments: Engine.allCases) func keysOfOtherNames(engine: Engine) throws {
        let fixture = try library(engine)
        let store = fixture.store
        let table = try files.sqlite("t.db", "CREATE TABLE writer (writer_id INTEGER PRIMARY KEY, name TEXT); INSERT INTO writer VALUES (1, 'Ann')")
        _ = try store.importDocuments(from: ImportSource(path: table), ImportOptions(models: ["writer": "Writer"]))
        _ = try store.importDocuments(
            from: ImportSource(path: files.write("a.csv", "nr,name\n2,Bo\n"), .init(idAttribute: "nr")), ImportOptions(models: ["a": "Writer"]))
        _ = try store.importDocuments(from: ImportSource(path: files.write("b.json", #"[{"id": null, "_id": 3, "name": "Cy"}]"#)), ImportOptions(models: ["b": "Writer"], names: ["b": ["id": ""]]))
        #expect(try store.fetch(Author.self).all().map { "\($0.id) \($0.name)" } == ["1 Ann", "2 Bo", "3 Cy"])
        // One that is to be a property by another name is one.
        #expect { try store.importDocuments(from: ImportSource(path: table), ImportOptions(existing: .replace, models: ["writer": "Writer"], names: ["writer": ["writer_id": "number"]])) } throws: {
            if case ImportError.refused(let fault) = $0 { fault.reason.contains("number") } else { false }
        }
    }

    /// A key that is no id of the model leads to nothing, which is told when all is stored.
    @Test(arguments: Engine.allCases) func referencesByKeysOfAnotherType(engine: Engine) throws {
        let path = try files.sqlite(
            "keys.db",
            """
            CREATE TABLE ahead (id INTEGER PRIMARY KEY, writer INTEGER REFERENCES writer);
            CREATE TABLE writer (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO ahead VALUES (1, 'none'), (2, 1), (3, x'00');
            INSERT INTO writer VALUES (1, 'Ann');
            """)
        let fixture = try library(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(models: ["writer": "Writer"]))
        #expect(report.stored == 4 && report.faults.map(\.place) == ["the row 1", "the row 3"] && report.collections.allSatisfy { $0.isVerified == true }, "\(report)")
        #expect(report.faults[0].reason.hasPrefix("it is the first to refer to none of writer, which is not there"))
    }

    /// Where a class and its table have two names, what refers to a row has no id of the model, and leads nowhere also when the model has the key.
    @Test(arguments: Engine.allCases) func referencesToAModelOfAnotherName(engine: Engine) throws {
        let path = try files.sqlite(
            "bz.db",
            """
            CREATE TABLE __BZObjectStoreAttribute__ (tableName TEXT, className TEXT, attributeName TEXT, attributeType TEXT);
            CREATE TABLE __BZObjectStoreRelationship__ (fromClassName TEXT, fromTableName TEXT, fromAttributeName TEXT, fromRowid INTEGER, toClassName TEXT, toTableName TEXT, toRowid INTEGER,
                attributeLevel INTEGER, attributeSequence INTEGER, attributeParentLevel INTEGER, attributeParentSequence INTEGER, attributeKey TEXT, attributeValue TEXT);
            CREATE TABLE Author (name TEXT);
            CREATE TABLE Novel (title TEXT);
            INSERT INTO __BZObjectStoreAttribute__ VALUES ('Author', 'BZAuthor', 'name', 'NSString');
            INSERT INTO Author (rowid, name) VALUES (2, 'Bo');
            INSERT INTO Novel VALUES ('one');
            INSERT INTO __BZObjectStoreRelationship__ (fromTableName, fromAttributeName, fromRowid, toTableName, toRowid, attributeLevel, attributeSequence, attributeKey) VALUES
                ('Novel', 'author', 1, 'Author', 1, 0, 1, NULL);
            """)
        let fixture = try library(engine)
        try fixture.store.save(Author(id: 1, name: "Ann"))
        let report = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(models: ["BZAuthor": "Writer"]))
        #expect(report.stored == 2 && report.faultCount == 1 && report.collections.allSatisfy { $0.isVerified == true }, "\(report)")
        #expect(report.faults.first?.reason.hasPrefix("it is the first to refer to 1 of Author, which is not there") == true)
        #expect(try fixture.store.fetch(Author.self).all().map(\.name) == ["Ann", "Bo"])
    }

    /// A report is what the caller has of what was committed.
    @Test(arguments: Engine.allCases) func whatFailsBehindTheCommit(engine: Engine) throws {
        let path = try files.sqlite("one.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t); INSERT INTO t VALUES (1, 5), (2, 1)")
        let fixture = try emptyStore(engine)
        let store = fixture.store
        let report = try store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true)) { _ in try store.close() }
        #expect(report.stored == 2 && report.collections[0].isVerified == false && !report.isComplete)
        #expect(report.faults.map(\.place) == ["the references", "what was stored"], "\(report)")
    }

    /// Options are for what the source has, with rows or without.
    @Test(arguments: Engine.allCases) func optionsOfCollectionsThatAreNotThere(engine: Engine) throws {
        let table = try files.sqlite("t.db", "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE none (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1, 'x')")
        let lists = try files.write("lists.json", #"{"a": [{"id": 1, "name": "x"}], "none": []}"#)
        for path in [table, lists, try files.write("a.csv", "id,name\n1,x\n"), try files.write("a.jsonl", "{\"id\": 1, \"name\": \"x\"}\n")] {
            let fixture = try library(engine)
            for options in [ImportOptions(models: ["A": "Writer"]), ImportOptions(names: ["b": ["name": "n"]])] {
                #expect { try fixture.store.importDocuments(from: ImportSource(path: path), options) } throws: {
                    if case ImportError.invalidOption(let reason) = $0 { reason.contains("has no collection") && reason.contains("it has a") } else { false }
                }
                #expect(try fixture.store.collectionNames().isEmpty)
            }
            let told = try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(inBatches: true, names: ["b": ["name": "n"]]))
            #expect(told.stored == 1 && told.faults.map(\.collection) == ["b"] && !told.isComplete)
            let empty = path == table || path == lists ? ["none": "Writer"] : [:]
            #expect(try fixture.store.importDocuments(from: ImportSource(path: path), ImportOptions(existing: .skip, models: empty)).isComplete)
        }
        // Before a row is stored, which may be refused.
        let broken = try files.write("a.jsonl", "{\n")
        let fixture = try library(engine)
        #expect { try fixture.store.importDocuments(from: ImportSource(path: broken), ImportOptions(names: ["b": ["name": "n"]])) } throws: {
            if case ImportError.invalidOption = $0 { true } else { false }
        }
    }
}
