import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// What threads do while a context saves, reads or is cancelled: nothing is lost, and nothing that was is brought back.
@Suite struct SaveUnderWayTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Atlas.self, Chart.self, Account.self) }
    }

    /// Saves while another thread does something after the values were taken.
    private func save(_ context: ObjectContext, during action: @escaping @Sendable () -> Void) throws {
        let during = ActionDuringSave(action)
        context.store.delegate = during
        defer { context.store.delegate = nil }
        try context.save()
    }

    // MARK: Deletions

    @Test(arguments: Engine.allCases) func whatIsDeletedWhileItIsSavedIsDeletedByTheNextSave(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (atlas, other) = (Atlas(id: 1), Account(id: 2, name: "other"))
        atlas.charts = [Chart(id: 1), Chart(id: 2)]
        try context.insert([atlas, other] as [any LiveModel])
        try save(context) { try? context.delete(atlas) }
        #expect(context.hasChanges && context.deletedObjects.count == 1)
        #expect(try fixture.store.contains(Atlas.self, id: 1))
        let summary = try context.save()
        #expect(summary.deletedCount == 1 && !context.hasChanges)
        #expect(try fixture.store.fetch(Atlas.self).count() == 0)
        // Their owner's rule.
        #expect(try fixture.store.fetch(Chart.self).count() == 0)
        #expect(try fixture.store.contains(Account.self, id: 2))
    }

    @Test(arguments: Engine.allCases) func whatIsDeletedWhileItsSaveFailsHasNeverBeenStored(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.save(Account(id: 9, name: "taken"))
        let context = ObjectContext(fixture.store)
        let (first, second) = (Account(id: 1, name: "first"), Account(id: 2, name: "taken"))
        try context.insert([first, second])
        #expect(throws: TroveError.self) { try save(context) { try? context.delete(first) } }
        #expect(context.deletedObjects.isEmpty && context.insertedObjects.count == 1)
        second.name = "second"
        try context.save()
        #expect(try fixture.store.fetch(Account.self).ids().sorted() == [2, 9])
        // It is free, for this context as for others.
        try context.insert(first)
        try context.save()
        #expect(try fixture.store.contains(Account.self, id: 1))
    }

    @Test(arguments: Engine.allCases, [false, true]) func whatIsDeletedAndInsertedAgainWhileItIsSavedStays(engine: Engine, fails: Bool) throws {
        let fixture = try fixture(engine)
        try fixture.store.save(Account(id: 9, name: "taken"))
        let context = ObjectContext(fixture.store)
        let (first, second) = (Account(id: 1, name: "first"), Account(id: 2, name: fails ? "taken" : "second"))
        try context.insert([first, second])
        let action: @Sendable () -> Void = {
            try? context.delete(first)
            try? context.insert(first)
            first.balance = 5
        }
        if fails {
            #expect(throws: TroveError.self) { try save(context, during: action) }
            second.name = "second"
        } else {
            try save(context, during: action)
        }
        try context.save()
        #expect(!context.hasChanges)
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 5)
        #expect(try fixture.store.fetch(Account.self).count() == 3)
    }

    /// Whether the save has changes of it too or not.
    @Test(arguments: Engine.allCases, [false, true]) func nothingPointsAtWhatTheRulesOfASaveUnderWayDelete(engine: Engine, isChanged: Bool) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (first, second, chart) = (Atlas(id: 1), Atlas(id: 2), Chart(id: 1))
        first.charts = [chart]
        try context.insert([first, second])
        try context.save()
        if isChanged { chart.sheet = 1 }
        try context.delete(first)
        try save(context) { second.charts.append(chart) }
        #expect(second.charts.isEmpty && !context.insertedObjects.contains { $0 === chart })
        #expect(context.faultErrors.contains { if case TroveError.changeLost(model: "Chart", id: "1", reason: _) = $0 { true } else { false } })
        try context.save()
        #expect(try fixture.store.verify().danglingReferences.isEmpty)
        #expect(try fixture.store.fetch(Chart.self).count() == 0)
    }

    /// That the save frees the id the context cannot know, which does not have the object that goes.
    @Test(arguments: Engine.allCases) func aNewObjectWithTheIDOfWhatTheRulesOfASaveUnderWayDelete(engine: Engine) throws {
        let fixture = try fixture(engine)
        let setup = ObjectContext(fixture.store)
        let atlas = Atlas(id: 1)
        atlas.charts = [Chart(id: 1)]
        try setup.insert([atlas, Atlas(id: 2)])
        try setup.save()
        let context = ObjectContext(fixture.store)
        let (first, second, new) = (try #require(try context.fetch(Atlas.self, id: 1)), try #require(try context.fetch(Atlas.self, id: 2)), Chart(id: 1))
        new.sheet = 5
        try context.delete(first)
        try save(context) { second.charts.append(new) }
        #expect(second.charts == [new] && new.atlas === second && context.insertedObjects.count == 1)
        try context.save()
        #expect(try fixture.store.fetch(Chart.self).all().map(\.sheet) == [5])
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime((setup, context)) {}
    }

    @Test(arguments: Engine.allCases, [false, true]) func whatItsOwnerLetGoOfIsNotStoredThoughItIsChangedMeanwhile(engine: Engine, isOwned: Bool) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (atlas, chart) = (Atlas(id: 1), Chart(id: 1))
        atlas.charts = [chart]
        try context.insert(atlas)
        atlas.charts = []
        try save(context) { chart.sheet = 1 }
        #expect(try fixture.store.fetch(Chart.self).count() == 0)
        if isOwned { atlas.charts = [chart] }
        try context.save()
        #expect(try fixture.store.fetch(Chart.self).all().map(\.sheet) == (isOwned ? [1] : []))
        #expect(!context.hasChanges && context.insertedObjects.isEmpty)
    }

    @Test(arguments: Engine.allCases) func aDeletionWhileItIsSavedIsTakenBackToWhatIsStored(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.fill(0)
        let context = ObjectContext(fixture.store)
        let (account, new) = (try #require(try context.fetch(Account.self, id: 1)), Account(id: 2, name: "new", balance: 1))
        try context.insert(new)
        account.balance = 1
        try save(context) {
            new.balance = 2
            try? context.delete([account, new])
        }
        #expect(context.deletedObjects.count == 2)
        try context.rollback()
        #expect(account.balance == 1 && new.balance == 1 && !context.hasChanges)
        (account.note, new.note) = ("x", "x")
        try context.save()
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [1, 1])
    }

    @Test(arguments: Engine.allCases) func aDeletionTakenBackBringsNothingBackThatTheRulesOfASaveRemove(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let atlas = Atlas(id: 1)
        atlas.charts = (1...2).map { Chart(id: $0) }
        try context.insert(atlas)
        try context.save()
        try context.delete(atlas.charts[0])
        try save(context) { try? context.delete(atlas) }
        #expect(context.deletedObjects.count == 1)
        try context.rollback()
        #expect(atlas.charts.map(\.id) == [2] && context.faultErrors.isEmpty)
        atlas.charts.append(Chart(id: 3))
        try context.save()
        #expect(try fixture.store.fetch(Chart.self).ids() == [2, 3])
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    // MARK: Getters of cancelled tasks

    @Test(arguments: Engine.allCases) func gettersGiveAllOfARelationshipInACancelledTask(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try Self.fill(store)
        let task = Task.detached {
            while !Task.isCancelled { await Task.yield() }
            try Self.readInACancelledTask(store)
        }
        task.cancel()
        try await task.value
        #expect(try Self.charts(store) == (1...400).filter { $0 != 7 })
    }

    // What a test without tasks does with the synchronous calls.
    private static func fill(_ store: ObjectStore) throws {
        let context = ObjectContext(store)
        let atlas = Atlas(id: 1)
        atlas.charts = (1...400).map { Chart(id: $0) }
        try context.insert(atlas)
        try context.save()
    }

    private static func charts(_ store: ObjectStore) throws -> [Int] { try store.fetch(Chart.self).ids() }

    private static func readInACancelledTask(_ store: ObjectStore) throws {
        let context = ObjectContext(store)
        let other = ObjectContext(store)
        let chart = try #require(try other.fetch(Chart.self, id: 3))
        #expect(chart.atlas?.id == 1 && other.faultErrors.isEmpty)
        let atlas = try #require(try context.fetch(Atlas.self, id: 1))
        #expect(atlas.referring.count == 400 && !atlas.referring.isEmpty)
        #expect(atlas.referring.reduce(0) { count, _ in count + 1 } == 400)
        #expect(atlas.charts.count == 400)
        atlas.charts = atlas.charts.filter { $0.id != 7 }
        #expect(context.faultErrors.isEmpty)
        try context.save()
        // What can throw says that it was cancelled.
        #expect(throws: CancellationError.self) { try ObjectContext(store).fetch(Chart.self).all() }
    }

    // MARK: Reads that began before a save

    @Test(arguments: Engine.allCases, [false, true]) func aReadUnderWayShowsOthersNothingThatIsOver(engine: Engine, isDeleted: Bool) throws {
        let fixture = try fixture(engine)
        try fixture.fill(50, 50)
        let context = ObjectContext(fixture.store, options: .init(mergePolicy: .byProperty, recentObjectCount: 0))
        guard fixture.store.capabilities.readersDuringWrite == .proceed else {
            // There a save waits for all reads, so none can be older than it.
            #expect(fixture.store.capabilities.readersDuringWrite == .waitForCommit)
            return
        }
        let (begun, saved, loaded, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let finish = DispatchSemaphore(value: 0)
        let outcome = Mutex<Int?>(nil)
        Thread {
            let count = try? context.read { transaction in
                begun.signal()
                try saved.waitPatiently()
                let all = try transaction.fetch(Account.self).all()
                loaded.signal()
                try finish.waitPatiently()
                return all.count
            }
            outcome.withLock { $0 = count }
            ended.signal()
        }.start()
        try begun.waitPatiently()
        do {
            let account = try #require(try context.fetch(Account.self, id: 1))
            if isDeleted { try context.delete(account) } else { account.balance = 100 }
            try context.save()
        }
        saved.signal()
        try loaded.waitPatiently()
        if isDeleted {
            #expect(try context.fetch(Account.self, id: 1) == nil)
            #expect(try context.fetch(Account.self).all().map(\.id) == [2])
        } else {
            #expect(try context.fetch(Account.self).where { $0.balance == 100 }.all().map(\.balance) == [100])
            let account = try #require(try context.fetch(Account.self, id: 1))
            #expect(account.balance == 100)
            account.balance += 10
            try context.save()
            #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 110)
        }
        finish.signal()
        try ended.waitPatiently()
        #expect(outcome.withLock { $0 } == 2)
        #expect(try context.fetch(Account.self, id: 1)?.balance == (isDeleted ? nil : 110))
    }

    // MARK: Merging

    @Test(arguments: Engine.allCases, [false, true]) func whatAMergeLeftOutIsMergedWhenItsChangesAreGone(engine: Engine, byItself: Bool) throws {
        let fixture = try fixture(engine)
        try fixture.fill(0, 0)
        let other = ObjectContext(fixture.store)
        let context = ObjectContext(fixture.store, options: .init(mergesChangesAutomatically: byItself))
        let (theirs, mine) = (try #require(try other.fetch(Account.self, id: 1)), try #require(try context.fetch(Account.self, id: 1)))
        let gone = try #require(try context.fetch(Account.self, id: 2))
        mine.balance = 2
        gone.balance = 2
        theirs.balance = 1
        try other.delete(try #require(try other.fetch(Account.self, id: 2)))
        try other.save()
        if byItself {
            try blockUntil("the first merge") { context.inbox.withLock { !$0.isQueued } }
        } else {
            try context.mergeChanges()
        }
        #expect(mine.balance == 2)
        try context.rollback()
        if byItself {
            try blockUntil("the second merge") { mine.balance == 1 }
        } else {
            try context.mergeChanges()
        }
        #expect(mine.balance == 1 && !context.hasChanges)
        try blockUntil("the end of the merge") { context.inbox.withLock { $0.isEmpty } }
        #expect(try context.fetch(Account.self, id: 2) == nil)
        mine.note = "x"
        try context.save()
    }
}

@Model final class Atlas {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \Chart.atlas) var charts: [Chart] = []
    var referring: ReferencingObjects<Chart> { ReferencingObjects(to: self, by: \.atlas) }
    init(id: Int) { self.id = id }
}

@Model final class Chart {
    let id: Int
    var sheet = 0
    @Relationship var atlas: Atlas?
    init(id: Int) { self.id = id }
}
