import Foundation
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

    fileprivate enum Keyed {
        @Model("Member") struct Member {
            #Unique<Member>([\.email], name: "key")
            let id: Int
            var email: String
        }
    }

    fileprivate enum KeyedLater {
        @Model("Member", version: 2) struct Member {
            #Unique<Member>([\.email], name: "key")
            let id: Int
            var email: String
        }
    }

    fileprivate enum KeyedOtherwise {
        @Model("Member") struct Member {
            #Index<Member>([\.email], name: "key")
            let id: Int
            var email: String
        }
    }

    fileprivate enum Nameless {
        @Model("Member") struct Member {
            let id: Int
            var phone: String = ""
        }
    }

    fileprivate enum Plain {
        @Model("Member") struct Member {
            let id: Int
            var email: String
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

    /// A unique index of a newer version of the model is another one: the older program has nothing that judges what it saves, and must not blind the newer.
    @Test(arguments: Engine.allCases) func aUniqueIndexOfANewerVersion(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let old = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Keyed.Member.self)
        defer { try? old.close() }
        try old.save([Keyed.Member(id: 1, email: "a"), Keyed.Member(id: 2, email: "b")])
        let new = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: KeyedLater.Member.self)
        defer { try? new.close() }
        Self.expectChanged("Member") { try old.save(Keyed.Member(id: 3, email: "a")) }
        Self.expectChanged("Member") { try old.fetch(Keyed.Member.self).update(\.email, to: "a") }
        Self.expectChanged("Member") { try old.delete(Keyed.Member.self, id: 1) }
        #expect { try new.save(KeyedLater.Member(id: 3, email: "a")) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        try new.save(KeyedLater.Member(id: 3, email: "c"))
        #expect(try new.verify().isSound)
        try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: KeyedLater.Member.self).close()
    }

    /// An index that has the name of a unique one alone keeps nothing apart.
    @Test(arguments: Engine.allCases) func anotherIndexOfTheSameName(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let unique = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Keyed.Member.self)
        defer { try? unique.close() }
        try unique.save(Keyed.Member(id: 1, email: "a"))
        let other = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: KeyedOtherwise.Member.self)
        defer { try? other.close() }
        Self.expectChanged("Member") { try unique.save(Keyed.Member(id: 2, email: "a")) }
        try other.save(KeyedOtherwise.Member(id: 2, email: "a"))
        #expect(try other.verify().isSound)
    }

    /// A program that lacks the field of a unique index that was made at run time saves nothing before it is dropped; the others go on judging.
    @Test(arguments: Engine.allCases) func aUniqueIndexMadeAtRunTime(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let first = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Plain.Member.self)
        defer { try? first.close() }
        try first.save([Plain.Member(id: 1, email: "a"), Plain.Member(id: 2, email: "b")])
        try first.createIndex("emails", on: Plain.Member.self, \.email, unique: true)
        let nameless = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Nameless.Member.self)
        defer { try? nameless.close() }
        Self.expectChanged("Member") { try nameless.save(Nameless.Member(id: 3)) }
        Self.expectChanged("Member") { try nameless.delete(Nameless.Member.self, id: 1) }
        #expect { try first.save(Plain.Member(id: 3, email: "a")) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        try nameless.dropIndex(named: "emails", of: "Member")
        try nameless.save(Nameless.Member(id: 3))
        #expect(try nameless.verify().isSound)
        #expect(try first.fetch(Plain.Member.self, id: 1)?.email == "a")
    }

    /// A program without the model keeps its unique index, so that both go on.
    @Test(arguments: Engine.allCases) func changesWithoutTheModel(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Keyed.Member.self)
        defer { try? store.close() }
        try store.save([Keyed.Member(id: 1, email: "a"), Keyed.Member(id: 2, email: "b")])
        let stranger = try ObjectStore(engine.open(directory.file()), durability: .relaxed)
        defer { try? stranger.close() }
        try stranger.write { transaction in
            var record = try #require(try transaction.storedRecord(of: "Member", key: 2.keyBytes))
            try record.set("email", to: .string("c"))
            try transaction.save(record)
        }
        #expect { try stranger.documents(of: "Member").insert(ModelDocument(["email": "a"], id: 3)) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        #expect { try store.save(Keyed.Member(id: 3, email: "a")) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        #expect { try store.save(Keyed.Member(id: 3, email: "c")) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        try store.save(Keyed.Member(id: 3, email: "b"))
        #expect(try store.verify().isSound)
    }

    fileprivate enum Early {
        @Model("Target") struct Target { var id: Int }
        @Model("Holder") struct Holder {
            let id: Int
            var number = 0
            @Relationship var one: Reference<Target>?
            @Relationship(whenTargetDeleted: .nullify) var many: [Reference<Target>] = []
        }
    }

    fileprivate enum Later {
        @Model("Target") struct Target { var id: Int }
        @Model("Holder") struct Holder {
            let id: Int
            var number = 0
            @Relationship var one: Reference<Target>?
            @Relationship(whenTargetDeleted: .nullify) var many: [Reference<Target>] = []
            var secret = ""
            @Attribute(.indexed) var index: Int?
            @Attribute(.creationDate) var created: Date?
        }
    }

    /// What the program does to records that it has not read as objects leaves alone what it does not know in them.
    @Test(arguments: Engine.allCases) func whatAnotherProgramHasAddedStays(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let early = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Early.Holder.self, Early.Target.self)
        try early.save((1...3).map { Early.Target(id: $0) })
        let later = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Later.Holder.self, Later.Target.self)
        try later.save([
            Later.Holder(id: 1, many: [Reference(id: 1), Reference(id: 2)], secret: "first", index: 5),
            Later.Holder(id: 2, one: Reference(id: 3), secret: "second", index: 6),
            Later.Holder(id: 3, secret: "third", index: 7),
        ])
        try early.delete(Early.Target.self, id: 1)
        try early.rekey(Early.Target.self, from: 3, to: Early.Target(id: 30))
        #expect(try early.fetch(Early.Holder.self).where { $0.id == 3 }.update(\.number, to: 9) == 1)
        let holders = try later.fetch(Later.Holder.self).all()
        #expect(holders.map(\.secret) == ["first", "second", "third"] && holders.map(\.index) == [5, 6, 7])
        #expect(holders[0].many == [Reference(id: 2)] && holders[1].one == Reference(id: 30) && holders[2].number == 9)
        #expect(try later.fetch(Later.Holder.self).where { $0.index == 6 }.ids() == [2])
        for store in [early, later] {
            let report = try store.verify()
            #expect(report.isSound, "\(report)")
        }
        try later.close()
        try early.close()
    }

    /// As the early one, with a property that the later one does not have.
    fileprivate enum Noting {
        @Model("Target") struct Target { var id: Int }
        @Model("Holder") struct Holder {
            let id: Int
            var number = 0
            @Relationship var one: Reference<Target>?
            @Relationship(whenTargetDeleted: .nullify) var many: [Reference<Target>] = []
            var note = ""
        }
    }

    /// So it is where each of two programs has a property that the other one has not got.
    @Test(arguments: Engine.allCases) func whatEachProgramHasForItselfStays(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let noting = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Noting.Holder.self, Noting.Target.self)
        defer { try? noting.close() }
        try noting.save((1...4).map { Noting.Target(id: $0) })
        try noting.save([
            Noting.Holder(id: 4, one: Reference(id: 4), note: "fourth"), Noting.Holder(id: 5, many: [Reference(id: 2), Reference(id: 4)], note: "fifth"),
            Noting.Holder(id: 6, note: "sixth"),
        ])
        let later = try ObjectStore(engine.open(directory.file()), durability: .relaxed, models: Later.Holder.self, Later.Target.self)
        defer { try? later.close() }
        try later.save([
            Later.Holder(id: 1, many: [Reference(id: 1), Reference(id: 2)], secret: "first", index: 5),
            Later.Holder(id: 2, one: Reference(id: 3), secret: "second", index: 6),
            Later.Holder(id: 3, secret: "third", index: 7),
        ])
        try noting.delete(Noting.Target.self, id: 1)
        try noting.rekey(Noting.Target.self, from: 3, to: Noting.Target(id: 30))
        #expect(try noting.fetch(Noting.Holder.self).where { $0.id == 3 }.update(\.number, to: 9) == 1)
        try later.delete(Later.Target.self, id: 2)
        try later.rekey(Later.Target.self, from: 4, to: Later.Target(id: 40))
        #expect(try later.fetch(Later.Holder.self).where { $0.id == 6 }.update(\.number, to: 8) == 1)
        let holders = try later.fetch(Later.Holder.self).all()
        #expect(holders.map(\.secret) == ["first", "second", "third", "", "", ""] && holders.map(\.index) == [5, 6, 7, nil, nil, nil])
        #expect(holders[0].many == [] && holders[1].one == Reference(id: 30) && holders[2].number == 9)
        let noted = try noting.fetch(Noting.Holder.self).all()
        #expect(noted.map(\.note) == ["", "", "", "fourth", "fifth", "sixth"])
        #expect(noted[3].one == Reference(id: 40) && noted[4].many == [Reference(id: 40)] && noted[5].number == 8)
        // What the record lacks can only be stored in the program's own layout.
        #expect(try later.fetch(Later.Holder.self).where { $0.id == 6 }.update(\.secret, to: "sixth") == 1)
        #expect(try noting.fetch(Noting.Holder.self, id: 6)?.note == "")
        for store in [noting, later] {
            let report = try store.verify()
            #expect(report.isSound, "\(report)")
        }
    }
}
