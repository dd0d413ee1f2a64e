import Foundation
import TestSupport
import Testing

@testable import Trove

/// What a store's history has of each change.
@Suite struct HistoryTests {
    private struct Refusal: Error {}

    @Model struct Unnamed {
        let id: Int
    }

    @Test(arguments: Engine.allCases) func everyTransactionIsAnEntry(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        let before = Date()
        try store.save(HistoryNote(id: 1, title: "a", rank: 1))
        try store.write { transaction in
            transaction.author = "import"
            try transaction.save(HistoryNote(id: 1, title: "b", rank: 1))
            try transaction.save(HistoryNote(id: 2, title: "c", rank: 2))
            try transaction.delete(HistoryNote.self, id: 1)
        }
        // Neither is anything that is not committed.
        #expect(throws: Refusal.self) {
            try store.write { transaction in
                try transaction.save(HistoryNote(id: 9, title: "never", rank: 9))
                throw Refusal()
            }
        }
        try store.write { _ in }
        try store.setMetadata(.int(1), forKey: "x")
        #expect(try store.deleteAll(HistoryNote.self) == 1)
        let (entries, next) = try store.history()
        #expect(
            try entries.lines() == [
                [.init(.insertion, nil, "a")],
                [.init(.update, "a", "b"), .init(.insertion, nil, "c"), .init(.deletion, "b", nil)],
                [.init(.deletion, "c", nil)],
            ])
        #expect(entries.map(\.author) == [nil, "import", nil])
        #expect(entries.allSatisfy { (before...Date()).contains($0.date) })
        #expect(entries.map(\.token.number) == [1, 2, 3])
        #expect(try next == entries[2].token && next == store.latestHistoryToken())
        let ids = try entries[1].changes(of: HistoryNote.self)
        #expect(ids.inserted == [2] && ids.updated.isEmpty && ids.deleted == [1])
        #expect(entries[0].changes[0].newRecord?["rank"] == .int(1))
        // After the end there is nothing, and from a place what is behind it.
        #expect(try store.history(after: next).entries.isEmpty)
        #expect(try store.history(after: entries[0].token).entries.map(\.token) == entries[1...].map(\.token))
        #expect(try store.history(after: entries[0].token, limit: 1).entries.map(\.token) == [entries[1].token])
        #expect(try store.history(limit: 0).entries.count == 1)
        #expect(try store.verify().isSound)
        try fixture.reopenStore()
        #expect(try fixture.store.history().entries.lines() == entries.lines())
    }

    /// Who names nobody is the one that the store was opened by.
    @Test(arguments: Engine.allCases) func theAuthorOfAStore(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, author: "server", models: HistoryNote.self, HistoryFolder.self) }
        let store = fixture.store
        try store.save(HistoryNote(id: 1, title: "a", rank: 1))
        try store.write { transaction in
            transaction.author = "import"
            try transaction.save(HistoryNote(id: 2, title: "b", rank: 1))
        }
        for author in [nil, "editor"] {
            let context = ObjectContext(store, options: ContextOptions(author: author))
            try context.insert(HistoryFolder(name: "f"))
            try context.save()
        }
        #expect(try store.history().entries.map(\.author) == ["server", "import", "server", "editor"])
    }

    @Test(arguments: Engine.allCases) func queriesRulesAndInversesAreInIt(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        let context = ObjectContext(store, options: ContextOptions(author: "editor"))
        let folder = HistoryFolder(name: "f")
        folder.papers = [HistoryPaper(title: "p"), HistoryPaper(title: "q")]
        try context.insert(folder)
        try context.save()
        let start = try store.latestHistoryToken()
        folder.papers.removeFirst()
        try context.save()
        try store.save((1...3).map { HistoryNote(id: $0, title: "n\($0)", rank: $0) })
        try store.fetch(HistoryNote.self).where { $0.rank > 1 }.update { $0.title = "x" }
        try context.delete(folder)
        try context.save()
        let entries = try store.history(after: start).entries
        #expect(entries.map(\.author) == ["editor", nil, nil, "editor"])
        #expect(Set(entries[0].changes.map(\.reference.modelName)) == ["history folder", "history paper"])
        #expect(try entries[2].changes.map { try HistoryLine($0) } == [.init(.update, "n2", "x"), .init(.update, "n3", "x")])
        #expect(try entries[3].changes(of: HistoryFolder.self).deleted == [folder.id])
        #expect(try entries[3].changes(of: HistoryPaper.self).deleted.count == 1)
        #expect(try entries[3].changes.first { $0.reference.modelName == "history folder" }?.old(HistoryFolder.self)?.name == "f")
    }

    private func refused(_ body: () throws -> Void) throws {
        do {
            try body()
            Issue.record("it was not refused")
        } catch is Refusal {}
    }

    @Test(arguments: Engine.allCases) func aSavepointThatIsTakenBackIsNot(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        // The first one of all, whose keyspace goes with the savepoint.
        try store.write { transaction in
            try refused {
                try transaction.savepoint {
                    transaction.author = "nobody"
                    try transaction.save(HistoryNote(id: 1, title: "no", rank: 1))
                    throw Refusal()
                }
            }
            try transaction.save(HistoryNote(id: 1, title: "a", rank: 1))
            try transaction.savepoint { try transaction.save(HistoryNote(id: 2, title: "b", rank: 2)) }
            try refused {
                try transaction.savepoint {
                    try transaction.save((3...2_000).map { HistoryNote(id: $0, title: "long title of number \($0) here", rank: $0) })
                    throw Refusal()
                }
            }
            try transaction.save(HistoryNote(id: 3, title: "c", rank: 3))
        }
        let entries = try store.history().entries
        #expect(try entries.lines() == [[.init(.insertion, nil, "a"), .init(.insertion, nil, "b"), .init(.insertion, nil, "c")]])
        #expect(entries[0].author == nil)
        #expect(try store.verify().isSound)
    }

    /// Jobs that share a commit are entries of their own, also where one of them fails.
    @Test(arguments: Engine.allCases) func eachJobOfAGroupIsAnEntry(engine: Engine) async throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        let failed = await withTaskGroup(of: Bool.self) { group in
            for id in 0..<200 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            if id % 3 == 0 { transaction.author = "job \(id)" }
                            try transaction.save([HistoryNote(id: id, title: "n\(id)", rank: 1), HistoryNote(id: 1_000 + id, title: "m\(id)", rank: 2)])
                            if id % 50 == 7 { throw Refusal() }
                        }
                        return false
                    } catch {
                        return true
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failed == 4)
        let entries = try await store.history().entries
        #expect(entries.count == 196)
        for entry in entries {
            let ids = try entry.changes(of: HistoryNote.self).inserted
            let id = try #require(ids.first)
            #expect(ids == [id, 1_000 + id])
            #expect(entry.author == (id % 3 == 0 ? "job \(id)" : nil))
        }
        #expect(try await store.verify().isSound)
    }

    /// An author who is named after the changes were written in part, and an entry that nobody sees before it has ended.
    @Test(arguments: Engine.allCases) func anEntryIsThereWhenItHasEnded(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        try store.save(HistoryNote(id: 0, title: "first", rank: 1))
        let consumer = try store.historyConsumer("c")
        try store.write { transaction in
            try transaction.save(HistoryNote(id: 1, title: "a", rank: 1))
            // It is in the engine by now.
            try transaction.savepoint {}
            #expect(try transaction.history().entries.count == 1)
            #expect(try transaction.latestHistoryToken().number == 1)
            let (entries, next) = try consumer.unread(in: transaction)
            #expect(entries.count == 1)
            try consumer.markRead(through: next, in: transaction)
            #expect(try transaction.trimHistory(before: .distantFuture) == 1)
            transaction.author = "late"
        }
        let entries = try store.history().entries
        #expect(try entries.lines() == [[.init(.insertion, nil, "a")]])
        #expect(entries.map(\.author) == ["late"])
        #expect(try consumer.unread().entries.count == 1)
        #expect(try store.verify().isSound)
    }

    /// An entry of many parts is one, and one record that is larger than a part too.
    @Test(arguments: Engine.allCases) func largeTransactionsAreWhole(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let store = fixture.store
        let long = String(repeating: "long ", count: 40_000)
        try store.write { transaction in
            try transaction.save((0..<5_000).map { HistoryNote(id: $0, title: "title of number \($0)", rank: $0) })
            try transaction.save(HistoryNote(id: 7_000, title: long, rank: 1))
            transaction.author = "late"
            try transaction.save(HistoryTag(id: "t", count: 1))
        }
        try store.save(HistoryNote(id: 7_000, title: long + "!", rank: 1))
        try store.save(HistoryTag(id: "t", count: 2))
        let (entries, _) = try store.history()
        #expect(entries.map(\.changes.count) == [5_002, 1, 1])
        #expect(entries[0].author == "late")
        #expect(try entries[0].changes.prefix(5_000).map { try $0.new(HistoryNote.self)?.rank } == Array(0..<5_000))
        #expect(try entries[1].changes[0].old(HistoryNote.self)?.title == long)
        #expect(try entries[1].changes[0].new(HistoryNote.self)?.title == long + "!")
        // What a filter passes over has its author all the same.
        let tags = try store.history(of: [HistoryTag.self]).entries
        #expect(tags.map(\.author) == ["late", nil])
        #expect(try tags.map { try $0.changes.map { try $0.new(HistoryTag.self)?.count } } == [[1], [2]])
        #expect(try store.history(of: HistoryNote.self, id: 7_000).map(\.changes.count) == [1, 1])
        #expect(try store.history(of: HistoryNote.self, id: 7_001).isEmpty)
        #expect { try store.history(of: [Unnamed.self]) } throws: { if case TroveError.unknownModel = $0 { true } else { false } }
    }

    @Test(arguments: Engine.allCases) func thePolicyTellsWhatIsKept(engine: Engine) throws {
        let fixture = try historyFixture(engine, .ids(of: [HistoryTag.self]))
        let store = fixture.store
        try store.save(HistoryNote(id: 1, title: "a", rank: 1))
        try store.save(HistoryTag(id: "t", count: 1))
        try store.save(HistoryTag(id: "t", count: 2))
        let entries = try store.history().entries
        #expect(entries.map { $0.changes.map(\.kind) } == [[.insertion], [.update]])
        #expect(entries.map { $0.changes.map { $0.oldRecord == nil && $0.newRecord == nil } } == [[true], [true]])
        #expect(try entries[1].changes(of: HistoryTag.self).updated == ["t"])
        // Another policy counts from then on, and the same one writes nothing.
        try store.keepHistory(.values)
        try store.save(HistoryNote(id: 1, title: "b", rank: 1))
        let commits = try store.latestHistoryToken()
        try store.keepHistory(.values)
        #expect(try store.historyPolicy() == .values && store.latestHistoryToken() == commits)
        #expect(try store.history(after: entries[1].token).entries.lines() == [[.init(.update, "a", "b")]])
        try fixture.reopenStore()
        #expect(try fixture.store.historyPolicy() == .values)
    }

    @Test(arguments: Engine.allCases) func aStoreWithoutAHistorySaysSo(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: HistoryNote.self, HistoryTag.self) }
        let store = fixture.store
        func expectNone() throws {
            #expect(try store.historyPolicy() == nil)
            #expect { try store.history() } throws: { if case TroveError.historyNotKept = $0 { true } else { false } }
            #expect { try store.latestHistoryToken() } throws: { if case TroveError.historyNotKept = $0 { true } else { false } }
            #expect { try store.trimHistory(before: Date()) } throws: { if case TroveError.historyNotKept = $0 { true } else { false } }
            #expect { try store.historyConsumer("c") } throws: { if case TroveError.historyNotKept = $0 { true } else { false } }
        }
        try expectNone()
        try store.save(HistoryNote(id: 1, title: "a", rank: 1))
        try store.deleteHistory()
        try store.keepHistory(.values)
        #expect(try store.history().entries.isEmpty)
        #expect(try store.latestHistoryToken() == .start)
        try store.save(HistoryNote(id: 1, title: "b", rank: 1))
        let token = try store.latestHistoryToken()
        try store.deleteHistory()
        try expectNone()
        #expect(try !store.read { try $0.reader.keyspaceNames() }.contains { $0.hasPrefix("$history") })
        // A later history does not take the token for one of its own.
        try store.keepHistory(.values)
        #expect { try store.history(after: token) } throws: { if case TroveError.unknownHistoryToken = $0 { true } else { false } }
        try store.save(HistoryNote(id: 1, title: "c", rank: 1))
        #expect { try store.history(after: token) } throws: { if case TroveError.unknownHistoryToken = $0 { true } else { false } }
        #expect(try store.history(after: .start).entries.lines() == [[.init(.update, "b", "c")]])
    }

    /// Keys of more bytes than the engine takes, documents, bags and models that the program does not have.
    @Test(arguments: Engine.allCases) func everyKindOfObjectIsInIt(engine: Engine) throws {
        let fixture = try historyFixture(engine)
        let long = String(repeating: "key", count: 400)
        try fixture.store.save(HistoryTag(id: long, count: 1))
        try fixture.store.documents("papers").save(Document(json: #"{"title": "d"}"#))
        let bag = Bag(named: "favourites", in: fixture.store)
        bag.add(HistoryTag(id: long, count: 1))
        try bag.save()
        let entries = try fixture.store.history().entries
        #expect(entries.flatMap { $0.changes.map(\.reference.modelName) } == ["history tag", "papers", "$bags"])
        #expect(try entries[0].changes(of: HistoryTag.self).inserted == [long])
        #expect(try entries[0].changes[0].new(HistoryTag.self)?.id == long)
        #expect(entries[1].changes[0].newRecord != nil)
        // A program that lacks the model keeps to the policy, and so does one that looks at it.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: HistoryNote.self) }
        #expect(try fixture.store.documents(of: "history tag").delete(id: .string(long)))
        let last = try #require(try fixture.store.history().entries.last)
        #expect(last.changes.map(\.kind).contains(.deletion))
        let change = try #require(last.changes.first { $0.reference.modelName == "history tag" })
        #expect(change.oldRecord?["count"] == .int(1))
        #expect(try fixture.store.verify().isSound)
    }
}
