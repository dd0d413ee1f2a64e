import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// The differences of a live list, as a sequence.
@Suite struct LiveResultChangesTests {
    @Test(arguments: Engine.allCases) func eachChangeIsTold(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30)
        let context = ObjectContext(fixture.store)
        let list = try await context.fetch(Account.self).sorted(by: \.balance).results()
        var changes = list.changes.makeAsyncIterator()
        var copy: [Account] = []
        let first = try #require(await changes.next())
        #expect(first.inserted.map(\.object.id) == [1, 2, 3] && first.removed.isEmpty && first.moved.isEmpty && first.updated.isEmpty)
        copy = first.applied(to: copy)
        copy[0].balance = 40
        let moved = try #require(await changes.next())
        copy = moved.applied(to: copy)
        #expect(copy.map(\.id) == [2, 3, 1])
        #expect(moved.moved.map(\.oldPosition) == [0] && moved.updated.map(\.position) == [2])
        try context.delete(copy[1])
        let removed = try #require(await changes.next())
        #expect(removed.removed.map(\.id) == [3] && removed.applied(to: copy).map(\.id) == [2, 1])
        withExtendedLifetime(list) {}
    }

    /// Who is slow gets one difference; whoever comes later begins with all.
    @Test(arguments: Engine.allCases) func nothingIsQueued(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let list = try await context.fetch(Account.self).results()
        var changes = list.changes.makeAsyncIterator()
        #expect(await changes.next()?.isEmpty == true, "the list is empty")
        for id in 1...5 {
            try context.insert(Account(id: id, name: "account \(id)"))
            try await list.refresh()
        }
        #expect(await changes.next()?.inserted.map(\.object.id) == [1, 2, 3, 4, 5])
        var late = list.changes.makeAsyncIterator()
        #expect(await late.next()?.inserted.count == 5)
    }

    @Test func itEndsWithTheListAndTheTask() async throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(10)
        let context = ObjectContext(fixture.store)
        var list: LiveResults<Account>? = try await context.fetch(Account.self).results()
        let changes = try #require(list).changes
        let hasBegun = SharedFlag()
        let following = Task {
            var count = 0
            for await _ in changes {
                count += 1
                hasBegun.raise()
            }
            return count
        }
        let cancelled = Task { for await _ in changes {} }
        cancelled.cancel()
        await cancelled.value
        try await waitUntil("the first difference") { hasBegun.isRaised }
        list = nil
        #expect(await following.value == 1)
        withExtendedLifetime(context) {}
    }
}
