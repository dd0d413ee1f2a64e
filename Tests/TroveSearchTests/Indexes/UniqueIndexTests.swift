import Synchronization
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct UniqueIndexTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((1...5).map(Person.sample))
        return fixture
    }

    private func expectViolation(id: String, otherID: String, _ body: () throws -> Void) {
        #expect { try body() } throws: { error in
            guard case TroveError.uniqueViolation("Person", "email", let values, id, otherID) = error else { return false }
            return values.hasPrefix("email = ")
        }
    }

    /// Nothing may disagree with the records, whatever was refused.
    private func expectSound(_ fixture: StoreFixture, count: Int) throws {
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report.problems)")
        #expect(try fixture.store.fetch(Person.self).count() == count)
    }

    @Test(arguments: Engine.allCases) func singleSavesAreCheckedBeforeTheyWrite(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.write { transaction in
            expectViolation(id: "7", otherID: "2") {
                try transaction.save(Person(id: 7, email: "2@example.org", name: "", team: ""))
            }
            expectViolation(id: "1", otherID: "2") {
                try transaction.save(Person(id: 1, email: "2@example.org", name: "", team: ""))
            }
            expectViolation(id: "8", otherID: "2") {
                try transaction.insert(Person(id: 8, email: "2@example.org", name: "", team: ""))
            }
            // The transaction goes on.
            try transaction.save(Person(id: 9, email: "9@example.org", name: "", team: ""))
            expectViolation(id: "10", otherID: "9") {
                try transaction.save(Person(id: 10, email: "9@example.org", name: "", team: ""))
            }
            // What was given up in the transaction is free.
            try transaction.save(Person(id: 2, email: "new@example.org", name: "", team: ""))
            try transaction.save(Person(id: 7, email: "2@example.org", name: "", team: ""))
            try transaction.delete(Person.self, id: 7)
            try transaction.save(Person(id: 11, email: "2@example.org", name: "", team: ""))
        }
        try expectSound(fixture, count: 7)
        #expect(try fixture.store.fetch(Person.self, id: 1) == .sample(1), "what was refused changed nothing")
    }

    /// The values of a record that cannot be read are taken all the same.
    @Test(arguments: Engine.allCases) func aDamagedOwnerIsTold(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.setBytes([1, 2, 3], of: "Person", key: 2.keyBytes)
        let person = Person(id: 7, email: "2@example.org", name: "", team: "")
        expectViolation(id: "7", otherID: "2") { try fixture.store.save(person) }
        expectViolation(id: "7", otherID: "2") { try fixture.store.save([person]) }
        #expect(try fixture.store.fetch(Person.self, id: 7) == nil)
    }

    @Test(arguments: Engine.allCases) func severalNilsAreAllowed(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.save((6...9).map { Person(id: $0, email: nil, name: "", team: "") })
        try fixture.store.save(Person(id: 10, email: nil, name: "", team: ""))
        try expectSound(fixture, count: 10)
    }

    @Test(arguments: Engine.allCases) func aBatchIsJudgedByItsEnd(engine: Engine) throws {
        let fixture = try fixture(engine)
        // Two objects exchange their values, three pass theirs on.
        func person(_ id: Int, _ email: Int) -> Person { Person(id: id, email: "\(email)@example.org", name: "", team: "") }
        try fixture.store.save([person(1, 2), person(2, 1)])
        // Also when the first half is written before the second is known.
        fixture.store.core.maxBufferedIndexSize.store(1, ordering: .relaxed)
        try fixture.store.save([person(1, 1), person(2, 2)])
        try fixture.store.save([person(1, 2), person(2, 1)])
        try fixture.store.save([person(3, 4), person(4, 5), person(5, 3)])
        // The last of several saves of one id counts.
        try fixture.store.save([person(6, 1), person(7, 7), person(6, 6)])
        try expectSound(fixture, count: 7)
        #expect(try fixture.store.fetch(Person.self, id: 6)?.email == "6@example.org")
    }

    /// It finds what was changed so far, though the index has that at the end alone.
    @Test(arguments: Engine.allCases) func aQueryInABatchJudgesNothing(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.write { transaction in
            let count = try transaction.fetch(Person.self).where { $0.id <= 2 }.update { person in
                person.email = "\(3 - person.id)@example.org"
                let same = try transaction.fetch(Person.self).matching("email = ?", "2@example.org").ids()
                #expect(same == (person.id == 1 ? [2] : [1, 2]))
            }
            #expect(count == 2)
        }
        #expect(try fixture.store.fetch(Person.self).matching("email = ?", "1@example.org").ids() == [2])
        try expectSound(fixture, count: 5)
    }

    @Test(arguments: Engine.allCases) func nothingOfARefusedBatchIsStored(engine: Engine) throws {
        let fixture = try fixture(engine)
        func person(_ id: Int, _ email: Int) -> Person { Person(id: id, email: "\(email)@example.org", name: "", team: "") }
        expectViolation(id: "7", otherID: "2") { try fixture.store.save([person(6, 6), person(7, 2), person(8, 8)]) }
        expectViolation(id: "7", otherID: "6") { try fixture.store.insert([person(6, 9), person(7, 9)]) }
        try expectSound(fixture, count: 5)
        // Under a savepoint the transaction goes on.
        try fixture.store.write { transaction in
            try transaction.save(person(9, 9))
            expectViolation(id: "7", otherID: "9") {
                try transaction.savepoint { try transaction.save([person(6, 6), person(7, 9)]) }
            }
            try transaction.save([person(6, 6), person(7, 7)])
        }
        try expectSound(fixture, count: 8)
        // Without one it cannot be committed by swallowing the error.
        #expect {
            try fixture.store.write { transaction in
                #expect(throws: TroveError.self) { try transaction.save([person(10, 10), person(11, 9)]) }
            }
        } throws: { error in
            guard case TroveError.transactionPoisoned = error else { return false }
            return true
        }
        try expectSound(fixture, count: 8)
    }

    @Model struct Post {
        var id: Int
        var place: Int = 0
        @Attribute(.unique) var tags: [String]
    }

    /// Two collections need only have one member in common, which is told, and not all that one of them has.
    @Test(arguments: Engine.allCases) func aCollectionsMemberIsTold(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Post.self) }
        let store = fixture.store
        try store.save(Post(id: 7, tags: ["a", "c"]))
        func expectViolation(_ member: String, _ ids: (String, String), _ body: () throws -> Void) {
            #expect { try body() } throws: { error in
                guard case TroveError.uniqueViolation("Post", _, let values, ids.0, ids.1) = error else { return false }
                return values == "tags = \(member)"
            }
        }
        expectViolation("a", ("8", "7")) { try store.save(Post(id: 8, tags: ["b", "a"])) }
        expectViolation("c", ("8", "7")) { try store.save([Post(id: 9, tags: ["x"]), Post(id: 8, tags: ["d", "c", "e"])]) }
        expectViolation("z", ("11", "10")) { try store.save([Post(id: 10, tags: ["z", "y"]), Post(id: 11, tags: ["w", "z"])]) }
        try store.save([Post(id: 8, tags: ["b"]), Post(id: 9, tags: [])])
        #expect(try store.fetch(Post.self).count() == 3)
        // Beside another part, without regard to case.
        try store.createIndex(Index<Post>([.ascending(\.place), .ignoringCase(\.tags)], unique: true, name: "by place"))
        #expect { try store.save(Post(id: 12, place: 0, tags: ["B", "d"])) } throws: { error in
            guard case TroveError.uniqueViolation("Post", "by place", let values, "12", "8") = error else { return false }
            return values == "place = 0, tags = B"
        }
    }

    @Test(arguments: Engine.allCases) func anExistingObjectIsToldBeforeItsOwnValues(engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect { try fixture.store.insert(Person.sample(1)) } throws: { error in
            guard case TroveError.alreadyExists("Person", "1") = error else { return false }
            return true
        }
        try expectSound(fixture, count: 5)
    }

    /// What an object held for a while in a batch was held against others when the building of the index had not come to it.
    @Test(arguments: Engine.allCases) func valuesGivenUpInABatchWhileBuilding(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainPerson.self) }
        try fixture.store.save((0..<20).map(PlainPerson.sample))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: Person.self) }
        try fixture.store.core.write(.durable) { _ = try $0.buildIndexes(batchSize: 10) }
        func person(_ id: Int, _ email: String?) -> Person { Person(id: id, email: email, name: "", team: "") }
        try fixture.store.save([person(15, "x"), person(15, "y"), person(3, "x"), person(16, "z"), person(16, nil), person(4, "z")])
        // A new object beyond the build, saved twice; and one that is deleted again.
        try fixture.store.save([person(40, "u"), person(40, "v"), person(5, "u")])
        // What is still held counts.
        expectViolation(id: "6", otherID: "15") { try fixture.store.save([person(15, "p"), person(15, "q"), person(15, "p"), person(6, "p")]) }
        expectViolation(id: "15", otherID: "3") { try fixture.store.save([person(15, "p"), person(15, "x")]) }
        try fixture.store.buildIndexes()
        try expectSound(fixture, count: 21)
        #expect(try fixture.store.fetch(Person.self, id: 3)?.email == "x")
        #expect(try fixture.store.fetch(Person.self, id: 15)?.email == "y")
    }
}
