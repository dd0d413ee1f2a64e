import TestSupport
import Testing
import Trove

/// Two programs, or two versions of one, have a store open at the same time, with other declarations of a model.
@Suite struct DifferingProgramsTests {
    private enum Old {
        struct Note: Model {
            var id: Int
            var value: Int
            static let schema = ModelSchema("Note", fields: [FieldSchema("value", \Note.value)])
            init(id: Int, value: Int) { (self.id, self.value) = (id, value) }
            init(from record: inout RecordDecoder) throws {
                value = try record.decode()
                id = try record.decodeID()
            }
            func encode(into record: inout RecordEncoder) throws { try record.encode(value) }
        }
    }

    private enum Changed {
        struct Note: Model {
            var id: Int
            var value: String
            static let schema = ModelSchema("Note", fields: [FieldSchema("value", \Note.value)])
            init(id: Int, value: String) { (self.id, self.value) = (id, value) }
            init(from record: inout RecordDecoder) throws {
                value = try record.decode()
                id = try record.decodeID()
            }
            func encode(into record: inout RecordEncoder) throws { try record.encode(value) }
        }
    }

    private enum Unique {
        struct Note: Model {
            var id: Int
            var value: Int
            static let schema = ModelSchema("Note", fields: [FieldSchema("value", \Note.value)])
            static let indexes = [Index<Note>(unique: [\.value])]
            init(id: Int, value: Int) { (self.id, self.value) = (id, value) }
            init(from record: inout RecordDecoder) throws {
                value = try record.decode()
                id = try record.decodeID()
            }
            func encode(into record: inout RecordEncoder) throws { try record.encode(value) }
        }
    }

    /// A layout that another program cannot read is not written in any more.
    @Test(arguments: Engine.allCases) func aLayoutThatIsRetired(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let old = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Old.Note.self)
        defer { try? old.close() }
        let new = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Changed.Note.self)
        defer { try? new.close() }
        let error = #expect(throws: TroveError.self) { try old.save(Old.Note(id: 1, value: 1)) }
        guard case .changedByAnotherProgram("Note", _)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        try new.save(Changed.Note(id: 2, value: "two"))
        #expect(try new.fetch(Changed.Note.self).all().map(\.value) == ["two"])
        #expect(try new.verify().isSound)
    }

    /// A unique index that another program has let go of is missed before values are stored that it would have refused.
    @Test(arguments: Engine.allCases) func aUniqueIndexThatIsGone(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let unique = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Unique.Note.self)
        defer { try? unique.close() }
        try unique.save(Unique.Note(id: 1, value: 1))
        let other = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Old.Note.self)
        defer { try? other.close() }
        let error = #expect(throws: TroveError.self) { try unique.save(Unique.Note(id: 2, value: 1)) }
        guard case .changedByAnotherProgram("Note", _)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(try unique.fetch(Unique.Note.self).count() == 1)
        // Opened again, the index is there again.
        let again = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Unique.Note.self)
        defer { try? again.close() }
        #expect(throws: TroveError.self) { try again.save(Unique.Note(id: 2, value: 1)) }
        try again.save(Unique.Note(id: 2, value: 2))
        #expect(try again.verify().isSound)
    }
}
