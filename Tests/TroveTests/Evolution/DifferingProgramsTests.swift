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

    fileprivate enum Narrow {
        @Model("Point") struct Point: Equatable {
            let id: Int
            var x: Int32
        }
    }

    fileprivate enum Wide {
        @Model("Point") struct Point: Equatable {
            let id: Int
            var x: Int64
        }
    }

    fileprivate enum Fractional {
        @Model("Point") struct Point: Equatable {
            let id: Int
            var x: Double
        }
    }

    fileprivate enum Upgraded {
        @Model("Point", version: 2) struct Point: Equatable {
            let id: Int
            var x: String = ""

            mutating func upgrade(from old: StoredRecord) throws { x = "\(try old.value(of: "x", as: Int32.self))" }
        }
    }

    private static func expectChanged(_ model: String, _ body: () throws -> Void) {
        #expect {
            try body()
        } throws: { error in
            if case TroveError.changedByAnotherProgram(model, _) = error { true } else { false }
        }
    }

    /// Updates by query write records as saves do.
    @Test(arguments: Engine.allCases) func updatesByQueryInALayoutThatIsRetired(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let narrow = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Narrow.Point.self)
        try narrow.save(Narrow.Point(id: 1, x: 1))
        defer { try? narrow.close() }
        let wide = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Wide.Point.self)
        defer { try? wide.close() }
        let fractional = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Fractional.Point.self)
        defer { try? fractional.close() }
        let all = wide.fetch(Wide.Point.self)
        Self.expectChanged("Point") { try wide.save(Wide.Point(id: 2, x: 2)) }
        Self.expectChanged("Point") { try all.update { $0.x = 2 } }
        Self.expectChanged("Point") { try all.update(\.x, to: 2) }
        Self.expectChanged("Point") { try all.update(\.x, adding: 2) }
        Self.expectChanged("Point") { try wide.rekey(Wide.Point.self, from: 1, to: Wide.Point(id: 2, x: 2)) }
        #expect(try fractional.fetch(Fractional.Point.self).all() == [Fractional.Point(id: 1, x: 1)])
        #expect(try all.delete() == 1, "what is deleted need not be read")
    }

    /// A program whose objects another one has upgraded does not write them in the old layout any more, which nobody looks for.
    @Test(arguments: Engine.allCases) func aLayoutThatAnUpgradeRetires(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let old = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Narrow.Point.self)
        defer { try? old.close() }
        try old.save(Narrow.Point(id: 1, x: 1))
        let new = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Upgraded.Point.self)
        defer { try? new.close() }
        try old.save(Narrow.Point(id: 2, x: 2))
        #expect(try new.upgrade(Upgraded.Point.self) == 2)
        Self.expectChanged("Point") { try old.save(Narrow.Point(id: 3, x: 3)) }
        #expect(try new.fetch(Upgraded.Point.self).all() == [Upgraded.Point(id: 1, x: "1"), Upgraded.Point(id: 2, x: "2")])
        try new.save(Upgraded.Point(id: 3, x: "3"))
        #expect(try new.verify().isSound)
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
        Self.expectChanged("Note") { try unique.fetch(Unique.Note.self).update { $0.value = 2 } }
        Self.expectChanged("Note") { try unique.fetch(Unique.Note.self).update(\.value, to: 2) }
        #expect(try unique.fetch(Unique.Note.self).count() == 1)
        // Opened again, the index is there again.
        let again = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Unique.Note.self)
        defer { try? again.close() }
        #expect(throws: TroveError.self) { try again.save(Unique.Note(id: 2, value: 1)) }
        try again.save(Unique.Note(id: 2, value: 2))
        #expect(try again.verify().isSound)
    }
}
