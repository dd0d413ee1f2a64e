import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// Asynchronous saves go through the queue of writes and share commits.
@Suite struct ContextAsyncSavingTests {
    /// Tasks, some of which block the threads that they run on.
    private final class Tasks: Sendable {
        private let tasks = Mutex<[Task<Void, any Error>]>([])
        private let blocked = Atomic(0)

        var blockedCount: Int { blocked.load(ordering: .acquiring) }

        func noteBlocked() { blocked.add(1, ordering: .acquiringAndReleasing) }

        func begin(_ body: @escaping @Sendable () async throws -> Void) { tasks.withLock { $0.append(Task { try await body() }) } }

        func wait() async throws {
            for task in tasks.withLock({ $0 }) { try await task.value }
        }
    }

    private func counted(_ engine: Engine) throws -> (fixture: StoreFixture, backend: CallCountingBackend) {
        try StoreFixture.counting(engine) { try ObjectStore($0, durability: .buffered, models: Account.self, Player.self, Team.self) }
    }

    /// Runs `body` while another write has the writer thread, until so many writes wait behind it.
    ///
    /// The body starts once that write has begun: before, its own writes could become one group with it, and would wait for it while it waits
    /// for them.
    private func held<Outcome>(_ store: ObjectStore, until count: Int, _ body: () async throws -> Outcome) async throws -> Outcome {
        let hasBegun = DispatchSemaphore(value: 0)
        let holder = Task {
            try await store.write { _ in
                hasBegun.signal()
                try blockUntil("\(count) waiting writes") { store.writeQueue.waitingCount == count }
            }
        }
        try await hasBegun.signalled()
        let outcome = try await body()
        try await holder.value
        return outcome
    }

    @Test(arguments: Engine.allCases) func savesOfManyContextsShareCommits(_ engine: Engine) async throws {
        let (fixture, backend) = try counted(engine)
        let store = fixture.store
        try fixture.fill(1)
        let contexts = (0..<64).map { _ in ObjectContext(store) }
        for (number, context) in contexts.enumerated() {
            let team = Team(name: "\(number)")
            try context.insert(team)
            team.players = [Player(name: "\(number)")]
        }
        // One that fails takes back only its own changes.
        try contexts[63].insert(Account(id: 7, name: "account 1"))
        backend.counts.reset()
        let outcomes = try await held(store, until: 64) {
            await withTaskGroup(of: (Int, Bool).self) { group in
                for (number, context) in contexts.enumerated() {
                    group.addTask {
                        do {
                            return (number, try await context.save().insertedCount == 2)
                        } catch TroveError.uniqueViolation {
                            return (number, false)
                        } catch {
                            return (-1, false)
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        #expect(outcomes == Dictionary(uniqueKeysWithValues: (0..<64).map { ($0, $0 != 63) }))
        // That of the write that held them up, and theirs.
        #expect(backend.counts[.commit] == 2)
        #expect(try await store.fetch(Team.self).count() == 63)
        #expect(contexts.prefix(63).allSatisfy { !$0.hasChanges } && contexts[63].hasChanges)
        #expect(try await store.verify().isSound)
        // Each context's objects have the versions of what was stored.
        for context in contexts.prefix(63) {
            #expect(try await context.save() == SaveSummary())
        }
    }

    /// The objects of a save that shared a commit are as they were stored: the next save finds no conflict.
    @Test(arguments: Engine.allCases) func whatWasSavedTogetherIsSavedAgain(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        let accounts = (1...20).map { Account(id: $0, name: "\($0)") }
        let contexts = accounts.map { _ in ObjectContext(store) }
        for (context, account) in zip(contexts, accounts) { try context.insert(account) }
        for round in 1...3 {
            try await held(store, until: 20) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for context in contexts { group.addTask { try await context.save() } }
                    try await group.waitForAll()
                }
            }
            for account in accounts { account.balance = round }
        }
        #expect(try await store.fetch(Account.self).sum(\.balance) == 40)
        for context in contexts { try await context.save() }
        #expect(try await store.fetch(Account.self).sum(\.balance) == 60)
    }

    @Test(arguments: Engine.allCases) func savesOfBagsShareCommits(_ engine: Engine) async throws {
        let (fixture, backend) = try counted(engine)
        let store = fixture.store
        try await Bag(named: "first", in: store).save()
        let bags = (0..<16).map { number in
            let bag = Bag(named: "\(number)", in: ObjectContext(store))
            bag.add(Account(id: number, name: "\(number)"))
            return bag
        }
        backend.counts.reset()
        try await held(store, until: 16) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for bag in bags { group.addTask { try await bag.save() } }
                try await group.waitForAll()
            }
        }
        #expect(backend.counts[.commit] == 2)
        #expect(bags.allSatisfy { !$0.hasUnsavedChanges })
        #expect(try await store.bags().count == 17)
        #expect(try await store.fetch(Account.self).count() == 16)
    }

    /// A task that is cancelled while its save waits for its turn throws, and its changes stay; neither thread nor turn is lost.
    @Test(arguments: Engine.allCases) func aCancelledSaveLeavesItsChanges(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        let context = ObjectContext(store)
        try context.insert(Account(id: 1, name: "a"))
        let holder = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        let saves = (0..<3).map { _ in Task { try await context.save() } }
        try await waitUntil("a save in the queue") { store.writeQueue.waitingCount == 1 }
        for save in saves { save.cancel() }
        for save in saves { await #expect(throws: CancellationError.self) { try await save.value } }
        try await holder.end()
        #expect(context.hasChanges)
        #expect(try await store.fetch(Account.self).count() == 0)
        #expect(try await context.save().insertedCount == 1)
        #expect(try await context.save() == SaveSummary())
    }

    /// Synchronous calls in tasks block threads of Swift's until the operations before them have ended: these need none of them. One engine after the other, since
    /// each blocks all of them.
    @Test(.serialized, arguments: Engine.allCases) func operationsEndWithoutTheThreadsOfTasks(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        let context = ObjectContext(store)
        try context.insert(Account(id: 1, name: "a"))
        let tasks = Tasks()
        let (mayCommit, mayGoOn) = (SharedFlag(), SharedFlag())
        // All on threads that are none of the tasks'.
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
            Thread {
                let outcome = Result { try Self.saveBesideBlockedTasks(context, tasks, mayCommit, mayGoOn) }
                mayCommit.raise()
                mayGoOn.raise()
                continuation.resume(returning: outcome)
            }.start()
        }
        try outcome.get()
        try await tasks.wait()
        #expect(try await store.fetch(Account.self).count() == 1 && !context.hasChanges)
    }

    private static func saveBesideBlockedTasks(_ context: ObjectContext, _ tasks: Tasks, _ mayCommit: SharedFlag, _ mayGoOn: SharedFlag) throws {
        let store = context.store
        let isWriting = SharedFlag()
        tasks.begin {
            try await store.write { _ in
                isWriting.raise()
                try blockUntil("the operations behind it") { mayCommit.isRaised }
            }
        }
        try blockUntil("the write") { isWriting.isRaised }
        tasks.begin { _ = try await context.save() }
        try blockUntil("the save") { store.writeQueue.waitingCount == 1 }
        tasks.begin { try await context.refresh() }
        tasks.begin { try await context.mergeChanges() }
        try blockUntil("the operations behind the save") { context.operations.waitingCount == 2 }
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            tasks.begin {
                tasks.noteBlocked()
                try blockUntil("the end of the synchronous save") { mayGoOn.isRaised }
            }
        }
        // As many as there are threads: of some machines the system tells more cores than Swift takes, so the number is not waited for.
        for _ in 0..<500 where tasks.blockedCount < ProcessInfo.processInfo.activeProcessorCount { usleep(10_000) }
        mayCommit.raise()
        let isSaved = DispatchSemaphore(value: 0)
        DispatchQueue(label: "saving").async {
            do { try context.save() } catch { Issue.record(error) }
            isSaved.signal()
        }
        try isSaved.waitPatiently()
    }

    /// A context inside a transaction of the writer thread would wait for saves that wait for that thread.
    @Test(arguments: Engine.allCases) func notOnTheWriterThread(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        let context = ObjectContext(store)
        try context.insert(Account(id: 1, name: "a"))
        await #expect {
            try await store.write { _ in try context.save() }
        } throws: { error in
            if case TroveError.contextMisuse = error { true } else { false }
        }
        try await context.save()
        #expect(try await store.fetch(Account.self).count() == 1)
    }

    /// Does something when it is told of the first commit.
    private final class AfterCommit: StoreDelegate {
        private let action: Mutex<(@Sendable () throws -> Void)?>
        let outcome = Mutex<Result<Void, any Error>?>(nil)

        init(_ action: @escaping @Sendable () throws -> Void) { self.action = Mutex(action) }

        func didCommit(_ changes: [ObjectChange]) {
            guard let action = action.withLock({ $0.take() }) else { return }
            let result = Result { try action() }
            outcome.withLock { $0 = result }
        }
    }

    /// A delegate is told of a commit outside of the transaction, so that contexts may save then.
    @Test(arguments: Engine.allCases) func aDelegateSavesAContextAfterAnAsynchronousWrite(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        let context = ObjectContext(store, options: ContextOptions(undo: .unlimited))
        let account = Account(id: 1, name: "a")
        try context.insert(account)
        try await context.save()
        let delegate = AfterCommit {
            account.balance += 1
            try context.save()
            try context.undo()
            try context.rollback()
            try context.refresh()
        }
        store.delegate = delegate
        try await store.save(Account(id: 2, name: "b"))
        try delegate.outcome.withLock { try #require($0).get() }
        #expect(try await store.fetch(Account.self, id: 1)?.balance == 1)
        store.delegate = nil
    }

    /// The save that was committed has the context's turn until the delegate has returned.
    @Test(arguments: Engine.allCases) func aDelegateThatWouldWaitForItsOwnThreadIsTold(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        let context = ObjectContext(store)
        try context.insert(Account(id: 1, name: "a"))
        let delegate = AfterCommit { try context.save() }
        store.delegate = delegate
        #expect(try await context.save().insertedCount == 1)
        #expect {
            try delegate.outcome.withLock { try $0?.get() }
        } throws: { error in
            if case TroveError.contextMisuse(let reason) = error { reason.contains("in a task") } else { false }
        }
        store.delegate = nil
    }

    /// What takes long has a thread of its own: readers and writers go on while one copy waits and others wait behind it.
    @Test(arguments: Engine.allCases) func maintenanceKeepsNobodyWaiting(_ engine: Engine) async throws {
        let (fixture, _) = try counted(engine)
        let store = fixture.store
        try fixture.fill(1, 2, 3)
        let mayEnd = SharedFlag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More than there are threads for reads.
            for _ in 0..<(WorkerPool.maxWorkers + 4) {
                group.addTask {
                    try await store.upgrade(Account.self) { _ in try blockUntil("the reads and writes") { mayEnd.isRaised } }
                }
            }
            defer { mayEnd.raise() }
            for number in 4..<20 {
                #expect(try await store.fetch(Account.self).count() == number - 1)
                try await store.save(Account(id: number, name: "account \(number)"))
            }
            mayEnd.raise()
            try await group.waitForAll()
        }
        #expect(try await store.verify().isSound)
    }

    /// The writer does not wait for somebody who has the context's lock.
    @Test(arguments: Engine.allCases) func aFailedSaveDoesNotHoldTheWriter(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(1)
        let (store, context) = (fixture.store, ObjectContext(fixture.store))
        // The name is taken, which the transaction finds.
        try context.insert(Account(id: 2, name: "account 1"))
        let held = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        let save = Task { try await context.save() }
        try await waitUntil("the save in the queue") { store.writeQueue.waitingCount == 1 }
        let (isLocked, isWritten, mayEnd) = (SharedFlag(), SharedFlag(), DispatchSemaphore(value: 0))
        defer { mayEnd.signal() }
        Thread {
            context.perform {
                isLocked.raise()
                mayEnd.wait()
            }
        }.start()
        try await waitUntil("the lock") { isLocked.isRaised }
        let write = Task {
            try await store.write { _ in }
            isWritten.raise()
        }
        try await held.end()
        try await waitUntil("the next write") { isWritten.isRaised }
        mayEnd.signal()
        await #expect(throws: TroveError.self) { try await save.value }
        try await write.value
        #expect(context.hasChanges)
    }
}
