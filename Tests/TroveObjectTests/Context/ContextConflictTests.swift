import Synchronization
import TestSupport
import Testing

@testable import Trove

@Suite struct ContextConflictTests {
    private struct Sides {
        let mine: ObjectContext
        let theirs: ObjectContext
        let account: Account
        let same: Account
    }

    /// Two contexts with the same account, which has the balance 10.
    private func sides(_ fixture: StoreFixture, _ policy: MergePolicy = .error) throws -> Sides {
        try fixture.fill(10, 20)
        let mine = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy))
        let theirs = ObjectContext(fixture.store)
        return Sides(
            mine: mine, theirs: theirs, account: try #require(try mine.fetch(Account.self, id: 1)),
            same: try #require(try theirs.fetch(Account.self, id: 1)))
    }

    @Test(arguments: Engine.allCases) func conflictCarriesBothVersions(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let sides = try sides(fixture)
        sides.same.balance = 11
        try sides.theirs.save()
        sides.account.balance = 12
        #expect { try sides.mine.save() } throws: { error in
            guard case TroveError.conflict("Account", "1", let object, let stored) = error else { return false }
            return object?["balance"] == .int(12) && stored?["balance"] == .int(11) && "\(error)".contains("Account 1")
        }
        #expect(sides.mine.changedObjects.count == 1)
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 11)
        // Reading it anew without its changes settles it.
        try sides.mine.refresh(sides.account, keepingChanges: false)
        #expect(sides.account.balance == 11)
        sides.account.balance = 13
        try sides.mine.save()
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 13)
    }

    @Test(arguments: Engine.allCases) func policies(engine: Engine) throws {
        for (policy, name, balance) in [
            (MergePolicy.storeWins, "theirs", 11), (.objectWins, "account 1", 12), (.byProperty, "theirs", 12),
            (.custom { conflict in
                guard conflict.base?["balance"] == .int(10), conflict.changedFields == ["balance"], var stored = conflict.stored else { return .fail }
                try stored.set("balance", to: .int(99))
                return .use(stored)
            }, "theirs", 99),
        ] {
            let fixture = try liveFixture(engine)
            let sides = try sides(fixture, policy)
            sides.same.name = "theirs"
            sides.same.balance = 11
            try sides.theirs.save()
            sides.account.balance = 12
            try sides.mine.save()
            let stored = try #require(try fixture.store.fetch(Account.self, id: 1))
            #expect(stored.name == name && stored.balance == balance, "\(policy)")
            #expect(sides.account.name == name && sides.account.balance == balance, "\(policy)")
            #expect(!sides.mine.hasChanges)
            // The version is known now.
            sides.account.balance = 0
            try sides.mine.save()
            #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 0)
            #expect(try fixture.store.verify().isSound)
        }
    }

    @Test(arguments: Engine.allCases) func deletionAgainstChange(engine: Engine) throws {
        for (policy, isThere) in [(MergePolicy.error, nil), (.storeWins, true), (.objectWins, false), (.byProperty, true)] as [(MergePolicy, Bool?)] {
            let fixture = try liveFixture(engine)
            let sides = try sides(fixture, policy)
            sides.same.balance = 11
            try sides.theirs.save()
            try sides.mine.delete(sides.account)
            guard let isThere else {
                #expect { try sides.mine.save() } throws: { error in
                    guard case TroveError.conflict(_, _, object: nil, let stored) = error else { return false }
                    return stored?["balance"] == .int(11)
                }
                #expect(sides.mine.deletedObjects.count == 1)
                continue
            }
            try sides.mine.save()
            #expect(try fixture.store.contains(Account.self, id: 1) == isThere, "\(policy)")
            #expect(try sides.mine.fetch(Account.self, id: 1)?.balance == (isThere ? 11 : nil), "\(policy)")
        }
    }

    /// Links that a context makes to what somebody else has deleted are not stored, where the object is not stored again.
    @Test(arguments: Engine.allCases) func linksToWhatIsGone(engine: Engine) throws {
        // Of objects that are changed and not deleted, the other policies store these again, or throw.
        for (policy, deletes) in [(.error, true), (.storeWins, true), (.objectWins, true), (.byProperty, true), (.storeWins, false)] as [(MergePolicy, Bool)] {
            let fixture = try StoreFixture(engine) {
                try ObjectStore($0, durability: .relaxed, models: UndoShelf.self, UndoBook.self, UndoTag.self, UndoNote.self)
            }
            let theirs = ObjectContext(fixture.store), mine = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy))
            let (book, shelf, tag, note) = (UndoBook(title: "a"), UndoShelf(name: "b"), UndoTag(name: "c"), UndoNote(text: "d"))
            try theirs.insert([book, shelf, tag, note])
            try theirs.save()
            let ownBook = try #require(try mine.fetch(UndoBook.self, id: book.id)), ownShelf = try #require(try mine.fetch(UndoShelf.self, id: shelf.id))
            let ownTag = try #require(try mine.fetch(UndoTag.self, id: tag.id)), ownNote = try #require(try mine.fetch(UndoNote.self, id: note.id))
            try theirs.delete(book)
            try theirs.delete(shelf)
            try theirs.save()
            ownTag.books = [ownBook]
            ownNote.shelf = ownShelf
            if deletes {
                try mine.delete(ownBook)
                try mine.delete(ownShelf)
            } else {
                ownBook.pages = 1
                ownShelf.name = "e"
            }
            try mine.save()
            #expect(try fixture.store.fetch(UndoBook.self).count() == 0 && fixture.store.fetch(UndoShelf.self).count() == 0, "\(policy)")
            #expect(try fixture.store.danglingReferences().isEmpty, "\(policy)")
            #expect(ownTag.books.isEmpty && ownNote.shelf == nil && !mine.hasChanges, "\(policy)")
            #expect(try fixture.store.verify().isSound)
        }
    }

    /// Of a record that is not there nothing tells an id that is longer than the engine's keys.
    @Test(arguments: Engine.allCases) func linksToWhatIsGoneByALongID(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: LongTarget.self, LongLink.self) }
        let theirs = ObjectContext(fixture.store), mine = ObjectContext(fixture.store)
        let target = LongTarget(id: String(repeating: "long", count: 200))
        try theirs.insert(target)
        try theirs.save()
        let own = try #require(try mine.fetch(LongTarget.self, id: target.id))
        try theirs.delete(target)
        try theirs.save()
        let link = LongLink(text: "a")
        try mine.insert(link)
        link.target = own
        try mine.delete(own)
        try mine.save()
        #expect(try fixture.store.danglingReferences().isEmpty)
        #expect(try fixture.store.fetch(LongLink.self).count() == 1 && fixture.store.fetch(LongTarget.self).count() == 0)
        #expect(link.target == nil && !mine.hasChanges)
    }

    @Test(arguments: Engine.allCases) func changeAgainstDeletion(engine: Engine) throws {
        for (policy, isThere) in [(MergePolicy.error, nil), (.storeWins, false), (.objectWins, true), (.byProperty, true)] as [(MergePolicy, Bool?)] {
            let fixture = try liveFixture(engine)
            let sides = try sides(fixture, policy)
            try sides.theirs.delete(sides.same)
            try sides.theirs.save()
            sides.account.balance = 12
            guard let isThere else {
                #expect { try sides.mine.save() } throws: { error in
                    guard case TroveError.conflict(_, _, let object, stored: nil) = error else { return false }
                    return object?["balance"] == .int(12)
                }
                continue
            }
            try sides.mine.save()
            #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == (isThere ? 12 : nil), "\(policy)")
            #expect((try sides.mine.fetch(Account.self, id: 1) === sides.account) == isThere, "\(policy)")
        }
    }

    @Test func deletionOnBothSidesIsNone() throws {
        let fixture = try liveFixture(.memory)
        let sides = try sides(fixture)
        try sides.theirs.delete(sides.same)
        try sides.theirs.save()
        try sides.mine.delete(sides.account)
        try sides.mine.save()
        #expect(try fixture.store.fetch(Account.self).ids() == [2])
    }

    @Test(arguments: Engine.allCases) func mergeChanges(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30, 40)
        let (mine, theirs) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let (here, there) = (try mine.fetch(Account.self).all(), try theirs.fetch(Account.self).all())
        for account in there.prefix(2) { account.balance += 1 }
        try theirs.delete(there[2])
        there[3].balance = 41
        here[1].note = "mine"
        here[3].balance = 42
        try theirs.save()
        #expect(here.map(\.balance) == [10, 20, 30, 42])
        try mine.mergeChanges()
        #expect(here.map(\.balance) == [11, 21, 30, 42])
        #expect(here[1].note == "mine")
        #expect(try mine.saved.fetch(Account.self).ids() == [1, 2, 4])
        #expect(mine.changedObjects.count == 2)
        // Both changed the same property: that is for the save to say.
        #expect { try mine.save() } throws: { error in
            if case TroveError.conflict(_, "4", _, _) = error { true } else { false }
        }
        try mine.refresh(here[3], keepingChanges: false)
        try mine.save()
        #expect(try fixture.store.fetch(Account.self, id: 2)?.note == "mine")
        #expect(try fixture.store.fetch(Account.self, id: 2)?.balance == 21)
        // There is nothing more to take over.
        try mine.mergeChanges()
        #expect(!mine.hasChanges)
    }

    @Test func mergesByItself() async throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(10)
        let mine = ObjectContext(fixture.store, options: ContextOptions(mergesChangesAutomatically: true))
        let theirs = ObjectContext(fixture.store)
        let here = try #require(try await mine.fetch(Account.self, id: 1))
        let there = try #require(try await theirs.fetch(Account.self, id: 1))
        for balance in 11...20 {
            there.balance = balance
            try await theirs.save()
            try await waitUntil("the merge") { here.balance == balance }
        }
    }
}

@Model("conflict long target") fileprivate final class LongTarget {
    let id: String
    init(id: String) { self.id = id }
}

@Model("conflict long link") fileprivate final class LongLink {
    var text: String
    @Relationship var target: LongTarget?
    init(text: String) { self.text = text }
}
