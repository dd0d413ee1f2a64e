import TestSupport
import Testing
import Trove

/// Objects of classes that a store saves without a context, and the objects that they hold.
@Suite struct HeldObjectTests {
    @Model final class Parent {
        let id: Int
        @Relationship(deleteRule: .cascade, inverse: \Kid.parent) var kids: [Kid] = []
        init(_ id: Int) { self.id = id }
    }

    @Model final class Kid {
        let id: Int
        @Relationship var parent: Parent?
        init(_ id: Int) { self.id = id }
    }

    @Model final class Crate {
        let id: Int
        @Attribute(.unique) var code: String
        @Relationship var kids: [Kid] = []
        init(_ id: Int, code: String, kids: [Kid] = []) {
            self.id = id
            self.code = code
            self.kids = kids
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Parent.self, Kid.self) }
    }

    private func family(_ id: Int, kids: Int = 2) -> Parent {
        let parent = Parent(id)
        parent.kids = (0..<kids).map { Kid(10 * id + $0) }
        return parent
    }

    private func isLeftOut(_ error: any Error, _ parent: Int, _ kid: Int) -> Bool {
        guard case TroveError.newObjectLeftOut("Parent", "\(parent)", "Kid", "\(kid)") = error else { return false }
        return "\(error)".contains("ObjectContext")
    }

    @Test(arguments: Engine.allCases) func aNewObjectIsNotLeftOut(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        #expect { try store.save(family(1)) } throws: { isLeftOut($0, 1, 10) }
        #expect { try store.insert(family(1)) } throws: { isLeftOut($0, 1, 10) }
        #expect { try store.save([family(2), family(3)]) } throws: { isLeftOut($0, 2, 20) }
        #expect { _ = try store.upsert(family(1)) } throws: { isLeftOut($0, 1, 10) }
        #expect(try store.fetch(Parent.self).count() == 0)
        #expect(try store.danglingReferences().isEmpty)
        // An object that holds none is saved as any other.
        try store.save(Parent(4))
        // With all that it holds, in any order.
        let parent = family(1)
        try store.write { transaction in
            try transaction.save(parent)
            try transaction.save(parent.kids)
        }
        let other = family(5)
        try store.save(other.kids)
        try store.save(other)
        #expect(try store.fetch(Kid.self).count() == 4)
        #expect(try store.danglingReferences().isEmpty)
        let context = ObjectContext(store)
        #expect(try context.fetch(Parent.self, id: 1)?.kids.map(\.id) == [10, 11])
        // What a savepoint has taken back holds nothing.
        try store.write { transaction in
            _ = try? transaction.savepoint {
                try transaction.save(family(6))
                throw CancellationError()
            }
            try transaction.save(Parent(7))
        }
        #expect(try store.fetch(Parent.self).ids() == [1, 4, 5, 7])
    }

    /// What counts is what is stored at the end: not what a savepoint has taken back, nor what an object held before it was saved once more.
    @Test(arguments: Engine.allCases) func whatIsTakenBackHoldsNothing(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.save(Parent(1))
        try store.write { transaction in
            let parent = family(1)
            _ = try? transaction.savepoint {
                try transaction.save(parent)
                throw CancellationError()
            }
            try transaction.save(Parent(2))
        }
        try store.write { transaction in
            let parent = family(3)
            try transaction.save(parent)
            parent.kids = []
            try transaction.save(parent)
        }
        #expect(try store.fetch(Parent.self).ids() == [1, 2, 3])
        #expect(try store.danglingReferences().isEmpty)
        // What was noted before the savepoint counts still.
        #expect {
            try store.write { transaction in
                try transaction.save(family(4))
                _ = try? transaction.savepoint {
                    try transaction.save(family(5))
                    throw CancellationError()
                }
            }
        } throws: { isLeftOut($0, 4, 40) }
    }

    /// The object that is found by unique values waits for what it is to hold until the end of the transaction, as one that is saved does.
    @Test(arguments: Engine.allCases) func anUpsertByUniqueValuesWaitsForTheRest(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Crate.self, Kid.self) }
        let store = fixture.store
        try store.save(Crate(1, code: "a"))
        let crate = Crate(2, code: "a", kids: [Kid(20)])
        #expect { _ = try store.upsert(crate, matching: .uniqueValues) } throws: { error in
            if case TroveError.newObjectLeftOut("Crate", "2", "Kid", "20") = error { true } else { false }
        }
        try store.write { transaction in
            _ = try transaction.upsert(crate, matching: .uniqueValues)
            try transaction.save(crate.kids)
        }
        let context = ObjectContext(store)
        #expect(try context.fetch(Crate.self, id: 1)?.kids.map(\.id) == [20])
        // What the stored object was to hold before does not count any more.
        try store.write { transaction in
            try transaction.save(Crate(1, code: "a", kids: [Kid(30)]))
            _ = try transaction.upsert(Crate(3, code: "a"), matching: .uniqueValues)
        }
        #expect(try store.fetch(Crate.self).ids() == [1])
        #expect(try store.danglingReferences().isEmpty)
    }

    /// Of writes that share a commit, one that fails after it has saved a parent that was there blames no other.
    @Test(arguments: Engine.allCases) func aWriteThatFailsBlamesNoOther(_ engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try await store.save((0..<40).map { Parent($0) })
        let failed = await withTaskGroup(of: Int?.self) { group in
            for id in 0..<40 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.save(family(id, kids: id % 10 == 3 ? 1 : 0))
                            if id % 10 == 3 { throw CancellationError() }
                        }
                        return nil
                    } catch {
                        return error is CancellationError ? id : -1
                    }
                }
            }
            var failed: [Int] = []
            for await case let id? in group { failed.append(id) }
            return failed.sorted()
        }
        #expect(failed == [3, 13, 23, 33])
    }

    /// Of writes that share a commit the one fails alone.
    @Test(arguments: Engine.allCases) func onlyTheWriteThatLeavesOneOutFails(_ engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let failed = await withTaskGroup(of: Int?.self) { group in
            for id in 0..<40 {
                group.addTask {
                    do {
                        if id % 10 == 3 { try await store.save(family(id)) } else { try await store.save(Parent(id)) }
                        return nil
                    } catch {
                        return isLeftOut(error, id, 10 * id) ? id : -1
                    }
                }
            }
            var failed: [Int] = []
            for await case let id? in group { failed.append(id) }
            return failed.sorted()
        }
        #expect(failed == [3, 13, 23, 33])
        #expect(try await store.fetch(Parent.self).ids() == (0..<40).filter { $0 % 10 != 3 })
    }

    /// What is added to a relationship of an object that a store gave stands beside what the record has, though that cannot be read.
    @Test(arguments: Engine.allCases) func whatIsAddedWithoutAContextStandsBesideTheRest(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        try context.insert(family(1))
        try context.save()
        let parent = try #require(try fixture.store.fetch(Parent.self).first())
        let kid = Kid(19)
        parent.kids.append(kid)
        try fixture.store.write { transaction in
            try transaction.save(kid)
            try transaction.save(parent)
        }
        let other = ObjectContext(fixture.store)
        #expect(try other.fetch(Parent.self, id: 1)?.kids.map(\.id) == [10, 11, 19])
    }
}
