import Dispatch
import Observation
import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// The ends of a live list, its errors, and what it must not be asked.
@Suite struct LiveResultsLifetimeTests {
    private func isMisuse(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch TroveError.contextMisuse {
            return true
        } catch {
            return false
        }
    }

    @Test func theListDoesNotKeepItsContext() async throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(20)
        weak var weakContext: ObjectContext?
        var list: LiveResults<Account>?
        do {
            let context = ObjectContext(fixture.store)
            list = try await context.fetch(Account.self).results()
            try context.insert(Account(id: 2, name: "second"))
            context.settleLists()
            weakContext = context
        }
        try await waitUntil("the end of the context") { weakContext == nil }
        let left = try #require(list)
        #expect(left.count == 2)
        let refresh: () throws -> Void = { try left.refresh() }
        #expect(isMisuse(refresh))
        try await fixture.store.save(Account(id: 3, name: "third"))
        #expect(left.count == 2)
        var changes = left.changes.makeAsyncIterator()
        #expect(await changes.next()?.inserted.count == 2)
        #expect(await changes.next() == nil)
    }

    @Test func theContextDoesNotKeepItsLists() async throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 0))
        weak var weakList: LiveResults<Account>?
        weak var weakSections: SectionedResults<Account, Int>?
        weak var weakObject: Account?
        do {
            let list = try await context.fetch(Account.self).results()
            let sections = list.sectioned(by: \.balance)
            #expect(sections.count == 1)
            (weakList, weakSections, weakObject) = (list, sections, list[0])
        }
        try await waitUntil("the end of the list") { weakList == nil && weakSections == nil && weakObject == nil }
        // What was told to the list is told to nobody, and no harm.
        try context.insert(Account(id: 2, name: "second"))
        try await context.save()
        context.settleLists()
        #expect(fixture.store.core.observers.isEmpty)
    }

    @Test(arguments: Engine.allCases) func unsavableChangesAreAnError(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20, 30)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).sorted(by: \.id).results()
        let notices = NoticeCounter()
        withObservationTracking { _ = list.error } onChange: { notices.add() }
        let new = Account(id: 3, name: "account 1")
        try context.insert(new)
        context.settleLists()
        guard case TroveError.uniqueViolation? = list.error else { throw Refusal() }
        #expect(list.map(\.id) == [1, 2] && notices.count == 1)
        let refresh: () throws -> Void = { try list.refresh() }
        #expect(throws: TroveError.self, performing: refresh)
        new.name = "account 3"
        context.settleLists()
        #expect(list.error == nil && list.map(\.id) == [1, 2, 3])
    }

    @Test(arguments: Engine.allCases) func anErrorOfTheEngineLeavesTheList(engine: Engine) throws {
        let faults = FaultInjector()
        let fixture = try StoreFixture(engine) {
            try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .buffered, models: Account.self, Player.self, Team.self)
        }
        try fixture.fill(20, 30)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).sorted(by: \.id).results()
        faults.arm(FaultPlan(.nth(1), at: [.beginRead, .beginWrite], lasts: true))
        list[0].balance = 1
        try context.insert(Account(id: 3, name: "account 3"))
        context.settleLists()
        #expect(list.error is StorageError && list.map(\.id) == [1, 2])
        let failed = #expect(throws: (any Error).self) { try context.fetch(Account.self).results() as LiveResults<Account> }
        #expect(failed is StorageError)
        faults.disarm()
        #expect(list.error != nil, "nothing has changed since")
        let refresh: () throws -> Void = { try list.refresh() }
        try refresh()
        #expect(list.error == nil && list.map(\.id) == [1, 2, 3])
    }

    @Test(arguments: Engine.allCases) func aClosedStoreIsAnError(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).results()
        try fixture.store.close()
        context.settleLists()
        guard case StorageError.closed? = list.error else { throw Refusal() }
        #expect(list.count == 1)
    }

    @Test(arguments: Engine.allCases) func waitingIsRefusedWhereItMightNotEnd(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).results()
        let refresh: () throws -> Void = { try list.refresh() }
        let make: () throws -> Void = { _ = try context.fetch(Account.self).results() as LiveResults<Account> }
        for body in [refresh, make] {
            #expect(isMisuse { try context.perform(body) })
            #expect(isMisuse { try context.read { _ in try body() } })
            #expect(isMisuse { try fixture.store.write { _ in try body() } })
        }
        let wrong = context.fetch(Account.self).limit(-1)
        #expect(throws: TroveError.self) { try wrong.results() as LiveResults<Account> }
        #expect(fixture.store.core.observers.observers(of: "Account").count == 1)
        withExtendedLifetime(list) {}
    }

    /// A fetch that shows insertions which are taken back meanwhile makes no second objects of their ids.
    @Test(arguments: Engine.allCases) func objectsThatLeaveDuringAReadingCanComeBack(engine: Engine) throws {
        var intervening: InterveningBackend?
        let fixture = try StoreFixture(engine) {
            let backend = InterveningBackend($0)
            intervening = backend
            return try ObjectStore(backend, durability: .buffered, models: Account.self, Player.self, Team.self)
        }
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let new = (2...40).map { Account(id: $0, name: "account \($0)") }
        try context.insert(new)
        try #require(intervening).intervene { try context.delete(new) }
        let found = try context.fetch(Account.self).sorted(by: \.id).all()
        #expect(found.count == 40 && Array(found.dropFirst()) == new)
        #expect(context.loadedObject(Account.self, id: 2) == nil)
        try context.insert(new)
        try context.save()
        #expect(try fixture.store.fetch(Account.self).ids() == Array(1...40))
    }

    /// What fails is not told before the list may change.
    @Test(arguments: Engine.allCases) func anErrorComesOnTheQueueOfTheList(engine: Engine) throws {
        let faults = FaultInjector()
        let fixture = try StoreFixture(engine) {
            try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .buffered, models: Account.self, Player.self, Team.self)
        }
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let queue = DispatchQueue(label: "list")
        let list = try context.fetch(Account.self).results(on: queue)
        faults.arm(FaultPlan(.nth(1), at: [.beginRead, .beginWrite], lasts: true))
        queue.suspend()
        list.refetch()
        #expect(list.error == nil)
        queue.resume()
        queue.sync {}
        #expect(list.error is StorageError)
        faults.disarm()
    }

    /// A read tells why its body failed, also when its objects cannot be brought up to date after it.
    @Test(arguments: Engine.allCases) func theErrorOfAReadIsThatOfItsBody(engine: Engine) throws {
        let faults = FaultInjector()
        let fixture = try StoreFixture(engine) {
            try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .buffered, models: Account.self, Player.self, Team.self)
        }
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        var account: Account?
        let read: () throws -> Void = {
            try context.read { transaction in
                account = try transaction.fetch(Account.self, id: 1)
                // As when another thread saves meanwhile.
                context.beginEpoch()
                faults.arm(FaultPlan(.nth(1), at: [.beginRead], lasts: true))
                throw Refusal()
            }
        }
        #expect(throws: Refusal(), performing: read)
        faults.disarm()
        #expect(account?.loadCount == 1)
        #expect(context.faultErrors.count == 1 && context.faultErrors[0] is StorageError)
    }

    /// That nobody waits for a read any more is no error to be told, when its objects are brought up to date after its body failed.
    @Test(arguments: Engine.allCases) func aReadThatIsCancelledHasNoFault(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        // Enough that the read looks whether it should go on.
        try fixture.store.save((1...300).map { Account(id: $0, name: "account \($0)") })
        let context = ObjectContext(fixture.store)
        let interruption = Interruption()
        var accounts: [Account] = []
        let read: () throws -> Void = {
            try context.read { transaction in
                accounts = try transaction.fetch(Account.self).all()
                // As when another thread saves meanwhile.
                context.beginEpoch()
                interruption.raise()
                throw Refusal()
            }
        }
        #expect(throws: Refusal()) { try Interruption.$current.withValue(interruption, operation: read) }
        #expect(accounts.count == 300 && context.faultErrors.isEmpty)
    }
}
