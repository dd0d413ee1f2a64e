import Synchronization
import TestSupport
import Testing
import Trove

/// What a store's delegate may do when it is called, and when it is let go of.
@Suite struct StoreDelegateCallTests {
    @Model struct Item: Equatable {
        let id: Int
    }

    struct TakenBack: Error {}

    /// Does something after each commit.
    final class AfterCommit: StoreDelegate {
        private let action: @Sendable ([ObjectChange]) throws -> Void

        init(_ action: @escaping @Sendable ([ObjectChange]) throws -> Void) { self.action = action }

        func didCommit(_ changes: [ObjectChange]) {
            do { try action(changes) } catch { Issue.record(error) }
        }
    }

    /// Stores an item when nobody has it any more.
    final class Parting: StoreDelegate {
        private weak let store: ObjectStore?
        private let item: Item

        init(_ store: ObjectStore, _ item: Item) {
            self.store = store
            self.item = item
        }

        deinit {
            do { try store?.save(item) } catch { Issue.record(error) }
        }
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
    }

    private static func ids(_ store: ObjectStore) throws -> [Int] { try store.fetch(Item.self).ids() }

    /// The one before was let go of with the lock held, which its write asks for.
    @Test(arguments: Engine.allCases) func aDelegateThatIsReplacedMayWrite(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        store.delegate = Parting(store, Item(id: 1))
        store.delegate = Parting(store, Item(id: 2))
        #expect(try Self.ids(store) == [1])
        store.delegate = nil
        #expect(try Self.ids(store) == [1, 2])
    }

    /// A transaction has the delegate that there was when it began, and goes after its end.
    @Test(arguments: Engine.allCases, [false, true]) func aDelegateThatOnlyATransactionHasMayWrite(engine: Engine, commits: Bool) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        store.delegate = Parting(store, Item(id: 1))
        func write() throws {
            try store.write { transaction in
                try transaction.save(Item(id: 2))
                store.delegate = nil
                if !commits { throw TakenBack() }
            }
        }
        if commits { try write() } else { #expect(throws: TakenBack.self) { try write() } }
        #expect(try Self.ids(store) == (commits ? [1, 2] : [1]))
    }

    @Test(arguments: Engine.allCases) func afterACommitTheStoreMayBeUsed(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let seen = Mutex<[[Int]]>([])
        store.delegate = AfterCommit { [weak store] changes in
            guard let store else { return }
            let ids = try Self.ids(store)
            seen.withLock { $0.append(ids) }
            if let last = ids.last, last < 3 { try store.save(Item(id: last + 1)) }
            if ids.count == 3 { store.delegate = nil }
        }
        try store.save(Item(id: 1))
        #expect(seen.withLock { $0 } == [[1], [1, 2], [1, 2, 3]])
        #expect(store.delegate == nil)
        try store.save(Item(id: 9))
        #expect(seen.withLock(\.count) == 3)
    }

    @Test(arguments: Engine.allCases, [false, true]) func afterACommitTheStoreMayBeClosed(engine: Engine, waits: Bool) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        store.delegate = AfterCommit { [weak store] _ in try store?.close() }
        // What was committed is no failure of the call.
        if waits { try await store.save(Item(id: 1)) } else { try Self.save(Item(id: 1), store) }
        #expect(store.isClosed)
        try fixture.reopenStore()
        #expect(try Self.ids(fixture.store) == [1])
    }

    /// The synchronous form, in a function that is not asynchronous.
    private static func save(_ item: Item, _ store: ObjectStore) throws { try store.save(item) }

    /// The calls for one thread's transactions are in their order, those of different threads need not be.
    @Test(arguments: Engine.allCases) func theCallsForOneThreadAreInOrder(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let told = Mutex<[Int]>([])
        store.delegate = AfterCommit { changes in
            let ids = try changes.compactMap { try $0.new(Item.self)?.id }
            told.withLock { $0 += ids }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<25 { try Self.save(Item(id: thread * 100 + number), store) }
                }
            }
            try await group.waitForAll()
        }
        let ids = told.withLock { $0 }
        for thread in 0..<4 { #expect(ids.filter { $0 / 100 == thread } == (0..<25).map { thread * 100 + $0 }) }
        #expect(ids.count == 100)
    }
}
