import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Random programs on a context with live lists, which are compared with what plain Swift makes of the context's objects.
@Suite struct LiveResultsProgramTests {
    @Test(arguments: TestShare.trials([1, 2, 3])) func program(engine: Engine, seed: UInt64) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 40, 70, 90)
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .buffered, models: Account.self, Player.self, Team.self)
        let context = ObjectContext(
            fixture.store, options: ContextOptions(mergePolicy: .objectWins, mergesChangesAutomatically: true, undo: .steps(20)))
        let second = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .objectWins, mergesChangesAutomatically: true))
        var random = SeededGenerator(seed: seed)
        let list = try context.fetch(Account.self).where { $0.balance < 60 }.sorted(by: \.balance, .descending).results()
        let sections = list.sectioned { $0.balance / 20 }
        var copy: [Account] = []
        var shown = ResultSnapshot<Account>(number: 0, ObservedResult(rows: []))
        var nextID = 10
        for step in 0..<150 {
            let comment = Comment(rawValue: "seed \(seed), step \(step)")
            let mine = try context.fetch(Account.self).all()
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1:
                nextID += 1
                try context.insert(Account(id: nextID, name: "account \(nextID)", balance: Int.random(in: 0..<100, using: &random)))
            case 2...5:
                for _ in 0..<Int.random(in: 1...3, using: &random) { mine.randomElement(using: &random)?.balance = Int.random(in: 0..<100, using: &random) }
            case 6: mine.randomElement(using: &random)?.note = "note \(step)"
            case 7: if let account = mine.randomElement(using: &random) { try context.delete(account) }
            case 8: try context.save()
            case 9: try context.rollback()
            case 10: try unlessImpossible { try context.undo() }
            case 11: try unlessImpossible { try context.redo() }
            case 12:
                let theirs = try second.fetch(Account.self).all()
                if let account = theirs.randomElement(using: &random) { account.balance = Int.random(in: 0..<100, using: &random) }
                nextID += 1
                try second.insert(Account(id: nextID, name: "account \(nextID)", balance: 50))
                try second.save()
            default:
                nextID += 1
                try other.save(Account(id: nextID, name: "account \(nextID)", balance: Int.random(in: 0..<100, using: &random)))
            }
            context.settleLists()
            let now = list.shown.snapshot
            try #require(list.error == nil, comment)
            let expected = try context.fetch(Account.self).all().filter { $0.balance < 60 }.sorted { ($1.balance, $0.id) < ($0.balance, $1.id) }
            #expect(list.objects == expected, comment)
            copy = now.result.changes(from: shown.result).applied(to: copy)
            shown = now
            #expect(copy == expected, comment)
            #expect(sections.flatMap(\.objects) == expected, comment)
            #expect(sections.allSatisfy { section in section.allSatisfy { $0.balance / 20 == section.value } }, comment)
        }
        try other.close()
    }

    /// Undo changes nothing when an object cannot come back because there is another one of its id.
    private func unlessImpossible(_ body: () throws -> Bool) throws {
        do {
            _ = try body()
        } catch TroveError.alreadyExists {
        } catch TroveError.deletionNotSaved {
        }
    }

    /// Several threads change, save and read while the list is read by the context's thread; when they are done, it is as a fetch without
    /// being asked to.
    @Test(arguments: TestShare.engines(1)) func threads(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        try await fixture.store.save((1...60).map { Account(id: $0, name: "account \($0)", balance: $0) })
        let context = ObjectContext(fixture.store)
        let list = try await context.fetch(Account.self).where { $0.balance < 1_000 }.sorted(by: \.balance).results()
        let tens = list.sectioned { $0.balance / 10 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for step in 0..<30 {
                        let new = Account(id: 1_000 * (thread + 1) + step, name: "new \(thread).\(step)", balance: Int.random(in: 0..<100, using: &random))
                        try context.insert(new)
                        for account in list where account.id % 3 == thread && Bool.random(using: &random) { account.balance += 1 }
                        if step % 3 == 0 { try context.delete(new) }
                        if step % 10 == thread { try await context.save() }
                        if step % 10 == 5 { try await list.refresh() }
                        _ = tens.reduce(0) { $0 + $1.count }
                    }
                }
            }
            try await group.waitForAll()
        }
        context.settleLists()
        let expected = try await context.fetch(Account.self).all().filter { $0.balance < 1_000 }.sorted { ($0.balance, $0.id) < ($1.balance, $1.id) }
        #expect(list.objects == expected)
        #expect(tens.flatMap(\.objects).count == expected.count)
        #expect(list.error == nil)
        try await context.save()
        #expect(try await fixture.store.fetch(Account.self).count() == expected.count)
    }
}
