import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trove

@Suite struct ContextSavingTests {
    @Test(arguments: Engine.allCases) func insertChangeDelete(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30)
        let context = ObjectContext(fixture.store)
        #expect(!context.hasChanges)
        let first = try #require(try context.fetch(Account.self, id: 1))
        let second = try #require(try context.fetch(Account.self, id: 2))
        let new = Account(id: 4, name: "new", balance: 40)
        try context.insert(new)
        first.balance = 11
        first.note = "changed"
        try context.delete(second)
        #expect(context.hasChanges)
        #expect(context.insertedObjects.map(\.contextKey) == [new.contextKey])
        #expect(context.changedObjects.map(\.contextKey) == [first.contextKey])
        #expect(context.deletedObjects.map(\.contextKey) == [second.contextKey])
        #expect(try context.changedProperties(of: first) == ["balance", "note"])
        #expect(try context.changedProperties(of: new) == ["name", "balance", "note"])
        // A fetch shows what it would show after a save, and the store what it has.
        #expect(try context.fetch(Account.self).sorted(by: \.balance).all() == [first, try #require(try context.fetch(Account.self, id: 3)), new])
        #expect(try context.fetch(Account.self).sum(\.balance) == 81)
        #expect(try context.fetch(Account.self).where { $0.balance == 11 }.all() == [first])
        #expect(try context.fetch(Account.self).where { $0.balance == 10 }.all() == [])
        #expect(try context.fetch(Account.self, id: 2) == nil)
        #expect(try context.saved.fetch(Account.self).where { $0.balance == 10 }.all() == [first])
        #expect(try context.fetch(Account.self, includesPendingChanges: false).count() == 3)
        #expect(try fixture.store.fetch(Account.self).sum(\.balance) == 60)

        let summary = try context.save()
        #expect(summary.insertedCount == 1 && summary.updatedCount == 1 && summary.deletedCount == 1)
        #expect(!context.hasChanges)
        #expect(try context.changedProperties(of: first) == [])
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [11, 30, 40])
        #expect(try context.fetch(Account.self, id: 4) === new)
        #expect(try context.save() == SaveSummary())
        // What was saved can be changed and saved again.
        first.balance = 12
        new.name = "newer"
        try context.save()
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [12, 30, 40])
        #expect(try fixture.store.verify().isSound)
    }

    @Test func cleanObjectsWriteNothing() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(10, 20)
        let context = ObjectContext(fixture.store)
        let account = try #require(try context.fetch(Account.self, id: 1))
        account.balance = 11
        account.balance = 10
        #expect(context.hasChanges)
        #expect(try context.changedProperties(of: account) == [])
        #expect(try context.save() == SaveSummary())
        #expect(!context.hasChanges)
        account.balance = 11
        #expect(try context.save().updatedCount == 1)
    }

    @Test(arguments: Engine.allCases) func rollback(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30)
        let context = ObjectContext(fixture.store)
        let all = try context.fetch(Account.self).all()
        let new = Account(id: 4, name: "new")
        try context.insert(new)
        all[0].balance = 100
        all[0].note = "note"
        all[1].balance = 200
        try context.delete(all[1])
        try context.delete(all[2])
        try context.rollback()
        #expect(!context.hasChanges)
        #expect(all.map(\.balance) == [10, 20, 30])
        #expect(all[0].note == nil)
        #expect(try context.fetch(Account.self).all() == all)
        #expect(try context.save() == SaveSummary())
        // What left the context can be inserted again.
        #expect(throws: TroveError.self) { try context.delete(new) }
        try context.insert(new)
        #expect(try context.save().insertedCount == 1)
        #expect(try fixture.store.fetch(Account.self).count() == 4)
        // Changes after a roll-back are noticed.
        all[0].balance = 5
        #expect(try context.save().updatedCount == 1)
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 5)
    }

    @Test(arguments: Engine.allCases) func failedSaveKeepsChanges(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20)
        let context = ObjectContext(fixture.store)
        let first = try #require(try context.fetch(Account.self, id: 1))
        let new = Account(id: 7, name: "account 2", balance: 1)
        try context.insert(new)
        first.balance = 11
        #expect { try context.save() } throws: { error in
            if case TroveError.uniqueViolation = error { true } else { false }
        }
        // The fetch that would show it says the same.
        #expect { try context.fetch(Account.self).all() } throws: { error in
            if case TroveError.uniqueViolation = error { true } else { false }
        }
        #expect(try context.saved.fetch(Account.self).count() == 2)
        #expect(try fixture.store.fetch(Account.self).sum(\.balance) == 30)
        #expect(context.insertedObjects.count == 1 && context.changedObjects.count == 1)
        new.name = "another name"
        #expect(try context.save().insertedCount == 1)
        #expect(try fixture.store.fetch(Account.self).sum(\.balance) == 32)
        // An id that is taken.
        let twin = Account(id: 1, name: "twin")
        #expect { try context.insert(twin) } throws: { error in
            if case TroveError.alreadyExists(model: "Account", id: "1") = error { true } else { false }
        }
        let other = ObjectContext(fixture.store)
        try other.insert(twin)
        #expect { try other.save() } throws: { error in
            if case TroveError.alreadyExists(model: "Account", id: "1") = error { true } else { false }
        }
        #expect(other.insertedObjects.count == 1)
    }

    /// An id is free for another object once the deletion of the one that has it is saved.
    @Test(arguments: Engine.allCases) func theIdOfADeletedObjectIsFreeOnceThatIsSaved(_ engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let old = Account(id: 1, name: "old")
        try context.insert(old)
        try context.save()
        try context.delete(old)
        let new = Account(id: 1, name: "new")
        #expect { try context.insert(new) } throws: { error in
            guard case TroveError.deletionNotSaved("Account", "1") = error else { return false }
            return "\(error)".contains("save first")
        }
        #expect(context.deletedObjects.count == 1 && context.insertedObjects.isEmpty)
        try context.save()
        try context.insert(new)
        try context.save()
        #expect(try fixture.store.fetch(Account.self).all().map(\.name) == ["new"])
        #expect(old.name == "old")
    }

    @Test func deletedBeforeAndInsertedAgain() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(10)
        let context = ObjectContext(fixture.store)
        let account = try #require(try context.fetch(Account.self, id: 1))
        try context.delete(account)
        try context.delete(account)
        try context.insert(account)
        #expect(try context.save() == SaveSummary())
        #expect(try fixture.store.fetch(Account.self).count() == 1)
        account.balance = 12
        try context.delete(account)
        try context.save()
        #expect(try fixture.store.fetch(Account.self).count() == 0)
        #expect(try context.fetch(Account.self, id: 1) == nil)
        try context.insert(account)
        try context.save()
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 12)
        // Inserted and deleted before a save: nothing is left.
        let passing = Account(id: 2, name: "passing")
        try context.insert(passing)
        try context.delete(passing)
        #expect(!context.hasChanges)
        #expect(try context.save() == SaveSummary())
        let another = Account(id: 2, name: "another")
        try context.insert(another)
        #expect(try context.save().insertedCount == 1)
    }

    @Test func hooks() throws {
        let fixture = try liveFixture(.memory)
        let context = ObjectContext(fixture.store)
        let calls = Mutex<[String]>([])
        let account = Account(id: 1, name: "hooked", balance: -1)
        account.hooks = Account.Hooks(
            validate: { account in
                calls.withLock { $0.append("validate \(account.balance)") }
                if account.balance < 0 { throw Refusal() }
            },
            willSave: { account in
                calls.withLock { $0.append("willSave") }
                account.note = "saved"
            },
            didSave: { account in calls.withLock { $0.append("didSave \(account.note ?? "")") } },
            didDelete: { _ in calls.withLock { $0.append("didDelete") } })
        try context.insert(account)
        #expect(throws: Refusal()) { try context.save() }
        #expect(context.insertedObjects.count == 1)
        #expect(try fixture.store.fetch(Account.self).count() == 0)
        account.balance = 5
        try context.save()
        #expect(try fixture.store.fetch(Account.self, id: 1)?.note == "saved")
        try context.delete(account)
        try context.save()
        #expect(calls.withLock { $0 } == ["willSave", "validate -1", "willSave", "validate 5", "didSave saved", "didDelete"])
    }

    /// A hook may change other objects, whose hooks then run too; it must not save.
    @Test func hooksReachOtherObjects() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(1, 2, 3)
        let context = ObjectContext(fixture.store)
        let accounts = try context.fetch(Account.self).all()
        let validated = Mutex<[Int]>([])
        for account in accounts {
            account.hooks.validate = { account in validated.withLock { $0.append(account.id) } }
            account.hooks.willSave = { account in if account.id < 3 { accounts[account.id].balance += 10 } }
        }
        accounts[0].balance = 100
        try context.save()
        #expect(accounts.map(\.balance) == [100, 12, 13])
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [100, 12, 13])
        #expect(validated.withLock { $0 } == [1, 2, 3])
        accounts[0].hooks.willSave = { _ in try context.save() }
        accounts[0].balance = 1
        #expect { try context.save() } throws: { error in
            if case TroveError.contextMisuse = error { true } else { false }
        }
    }

    // What is pending is written to be looked at, so that a fetch is as impossible there as a save.
    @Test(arguments: Engine.allCases) func insideATransactionOfTheStore(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(1)
        let context = ObjectContext(fixture.store)
        let account = try #require(try context.fetch(Account.self, id: 1))
        account.balance = 2
        let isMisuse = { (error: any Error) in
            if case TroveError.contextMisuse(let reason) = error { reason.contains("inside a transaction of the store") } else { false }
        }
        try fixture.store.write { _ in
            #expect { try context.save() } throws: { isMisuse($0) }
            #expect { try context.fetch(Account.self).all() } throws: { isMisuse($0) }
            #expect { try context.rollback() } throws: { isMisuse($0) }
            #expect { try context.refresh() } throws: { isMisuse($0) }
            #expect { try context.mergeChanges() } throws: { isMisuse($0) }
            #expect { try context.reset() } throws: { isMisuse($0) }
        }
        try context.save()
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 2)
    }

    @Test func misuse() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(1)
        let context = ObjectContext(fixture.store)
        let isMisuse = { (error: any Error) in if case TroveError.contextMisuse = error { true } else { false } }
        #expect(throws: (any Error).self) { try context.perform { try context.save() } }
        #expect { try context.perform { try context.rollback() } } throws: { isMisuse($0) }
        #expect { try context.read { _ in try context.save() } } throws: { isMisuse($0) }
        let account = try #require(try context.fetch(Account.self, id: 1))
        let other = ObjectContext(fixture.store)
        #expect { try other.insert(account) } throws: { error in
            if case TroveError.foreignObject(model: "Account", id: "1") = error { true } else { false }
        }
        #expect { try other.delete(account) } throws: { error in
            if case TroveError.notInContext(model: "Account", id: "1") = error { true } else { false }
        }
        #expect { try other.refresh(account) } throws: { error in
            if case TroveError.notInContext(model: "Account", id: "1") = error { true } else { false }
        }
    }

    @Test(arguments: Engine.allCases) func refreshAndReset(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30)
        let context = ObjectContext(fixture.store)
        let all = try context.fetch(Account.self).all()
        try fixture.store.write { transaction in
            try transaction.save(Account(id: 1, name: "renamed", balance: 11))
            try transaction.save(Account(id: 2, name: "renamed too", balance: 22))
            try transaction.delete(Account.self, id: 3)
        }
        // An object that is in memory is as it was read.
        #expect(try context.fetch(Account.self).where { $0.balance == 11 }.all().map(\.balance) == [10])
        all[1].note = "mine"
        try context.refresh(all[0])
        #expect(all[0].name == "renamed" && all[0].balance == 11)
        #expect(all[1].name == "account 2")
        try context.refresh()
        #expect(all[1].name == "renamed too" && all[1].balance == 22 && all[1].note == "mine")
        #expect(try context.fetch(Account.self, id: 3) == nil)
        #expect(try context.changedProperties(of: all[1]) == ["note"])
        #expect(all[0].loadCount == 3)
        try context.save()
        #expect(try fixture.store.fetch(Account.self, id: 2)?.note == "mine")
        all[1].balance = 0
        try context.refresh(all[1], keepingChanges: false)
        #expect(all[1].balance == 22 && !context.hasChanges)
        all[1].balance = 0
        try context.reset()
        #expect(all[1].balance == 22 && !context.hasChanges)
        all[1].balance = 1
        #expect(!context.hasChanges)
        #expect(try context.fetch(Account.self, id: 2) !== all[1])
    }

    @Test(arguments: Engine.allCases) func aRefreshLoadsWhatHasARecord(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20)
        let context = ObjectContext(fixture.store)
        let stored = try context.fetch(Account.self).all(), new = Account(id: 3, name: "new")
        try context.insert(new)
        stored[0].note = "mine"
        try context.delete(stored[1])
        try context.refresh()
        try context.refresh(new)
        #expect(stored.map(\.loadCount) == [2, 2] && new.loadCount == 0)
        try context.save()
        try context.refresh(new)
        #expect(new.loadCount == 1)
    }

    /// Insertions that are taken back stay in the list of pending objects for a while; they must not be saved, nor twice when they come again.
    @Test func insertionsTakenBackAreNotSaved() throws {
        let fixture = try liveFixture(.memory)
        let context = ObjectContext(fixture.store)
        let accounts = (1...200).map { Account(id: $0, name: "\($0)") }
        try context.insert(accounts as [any LiveModel])
        var kept = Set(1...200)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<1_000 {
            let account = try #require(accounts.randomElement(using: &generator))
            if kept.remove(account.id) != nil {
                try context.delete(account)
            } else {
                try context.insert(account)
                kept.insert(account.id)
            }
            #expect(context.insertedObjects.count == kept.count)
        }
        #expect(try context.save().insertedCount == kept.count)
        #expect(Set(try fixture.store.fetch(Account.self).all().map(\.id)) == kept)
        #expect(!context.hasChanges)
        for account in accounts where !kept.contains(account.id) { try context.insert(account) }
        try context.rollback()
        #expect(context.insertedObjects.isEmpty)
        for account in accounts where !kept.contains(account.id) { try context.insert(account) }
        try context.save()
        #expect(try fixture.store.fetch(Account.self).count() == 200)
    }

    @Test func identitiesStay() throws {
        let fixture = try liveFixture(.memory)
        let context = ObjectContext(fixture.store)
        let pair = (Account(id: 1, name: "one"), Account(id: 1, name: "another one"))
        try context.insert(pair.0)
        #expect(throws: TroveError.self) { try context.insert(pair.1) }
        #expect(context.insertedObjects.count == 1)
    }
}
