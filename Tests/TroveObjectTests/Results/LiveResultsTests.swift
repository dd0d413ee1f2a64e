import Dispatch
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// What a live list shows, and when.
@Suite struct LiveResultsTests {
    private func rich(_ context: ObjectContext) throws -> LiveResults<Account> {
        try context.fetch(Account.self).where { $0.balance >= 10 }.sorted(by: \.balance).results()
    }

    @Test(arguments: Engine.allCases) func unsavedChangesShow(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(5, 20, 10)
        let context = ObjectContext(fixture.store)
        let list = try rich(context)
        #expect(list.map(\.id) == [3, 2])
        let new = Account(id: 4, name: "new", balance: 15)
        try context.insert(new)
        context.settleLists()
        #expect(list.map(\.id) == [3, 4, 2])
        #expect(list[1] === new)
        new.balance = 30
        context.settleLists()
        #expect(list.map(\.id) == [3, 2, 4])
        new.balance += -25
        try #require(try context.fetch(Account.self, id: 1)).balance = 11
        context.settleLists()
        #expect(list.map(\.id) == [3, 1, 2])
        try context.delete(list[0])
        context.settleLists()
        #expect(list.map(\.id) == [1, 2])
        #expect(list.error == nil)
    }

    @Test(arguments: Engine.allCases) func savesRollbacksAndUndoShow(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20, 10)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let list = try rich(context)
        let first = list[1]
        try context.delete(first)
        try context.insert(Account(id: 3, name: "third", balance: 12))
        list[0].balance = 40
        context.settleLists()
        #expect(list.map(\.id) == [3, 2])
        try context.rollback()
        context.settleLists()
        #expect(list.map(\.id) == [2, 1])
        #expect(list[1] === first)
        context.undoGroup { first.balance = 1 }
        try context.save()
        context.settleLists()
        #expect(list.map(\.id) == [2])
        try context.undo()
        context.settleLists()
        #expect(list.map(\.id) == [2, 1])
        try context.redo()
        context.settleLists()
        #expect(list.map(\.id) == [2])
        try context.reset()
        context.settleLists()
        #expect(list.map(\.id) == [2])
        #expect(list[0] === context.loadedObject(Account.self, id: 2), "not the object that the context has forgotten")
    }

    @Test(arguments: Engine.allCases) func commitsOfOthersShow(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20, 10)
        let context = ObjectContext(fixture.store, options: ContextOptions(mergesChangesAutomatically: true))
        let list = try rich(context)
        let other = ObjectContext(fixture.store)
        try #require(try other.fetch(Account.self, id: 1)).balance = 5
        try other.insert(Account(id: 3, name: "third", balance: 30))
        context.settleLists()
        #expect(list.map(\.id) == [2, 1], "not saved yet")
        try other.save()
        context.settleLists()
        #expect(list.map(\.id) == [2, 3])
        #expect(list.map(\.balance) == [10, 30])
        try fixture.store.save(Account(id: 4, name: "fourth", balance: 40))
        let store = try ObjectStore(engine.open(fixture.directory.file()), models: Account.self, Player.self, Team.self)
        try store.save(Account(id: 5, name: "fifth", balance: 25))
        context.settleLists()
        #expect(list.map(\.id) == [2, 5, 3, 4])
        try store.close()
    }

    /// What other processes have committed is told without a word of what it was: each time the list reads again, also with unsaved changes.
    @Test(arguments: Engine.allCases) func aNotifiedStoreLetsListsRead(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let list = try rich(context)
        for _ in 0..<2 {
            context.settleLists()
            let number = list.shown.beginReading()
            fixture.store.notifyChangesOfOtherProcesses()
            context.settleLists()
            #expect(list.shown.beginReading() == number + 2)
            if list.count == 1 { try context.insert(Account(id: 2, name: "second", balance: 30)) }
        }
        #expect(list.map(\.id) == [1, 2])
    }

    /// An object that was read before has the values of another context's save after the merge: then it is told once more.
    @Test(arguments: Engine.allCases) func aMergeIsAnUpdate(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let list = try rich(context)
        let other = ObjectContext(fixture.store)
        try #require(try other.fetch(Account.self, id: 1)).note = "new"
        try other.save()
        context.settleLists()
        let before = list.shown.snapshot
        #expect(list[0].note == nil)
        try context.mergeChanges()
        context.settleLists()
        #expect(list[0].note == "new")
        #expect(list.shown.snapshot.result.changes(from: before.result).updated.map(\.position) == [0])
    }

    @Test(arguments: Engine.allCases) func limitsAndOffsetsHold(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30, 40)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).sorted(by: \.balance).offset(1).limit(2).results()
        #expect(list.map(\.id) == [2, 3])
        try context.insert(Account(id: 5, name: "least", balance: 0))
        context.settleLists()
        #expect(list.map(\.id) == [1, 2])
        let none = try context.fetch(Account.self).where { $0.balance > 1_000 }.results()
        #expect(none.isEmpty && none.first == nil && none.last == nil && Array(none).isEmpty)
    }

    /// What the query reads of other objects, and what rules do to those in the list.
    @Test(arguments: Engine.allCases) func otherModelsConcernTheList(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let album = LiveAlbum(title: "A", songs: [LiveSong(title: "1"), LiveSong(title: "2")])
        try context.insert(album)
        try context.save()
        let named = try context.fetch(LiveSong.self).where { $0.album.title == "A" }.sorted(by: \.title).results()
        let all = try context.fetch(LiveSong.self).sorted(by: \.title).results()
        #expect(named.map(\.title) == ["1", "2"])
        album.title = "B"
        context.settleLists()
        #expect(named.isEmpty && all.count == 2)
        album.title = "A"
        let number = all.shown.snapshot.number
        context.settleLists()
        #expect(named.count == 2 && all.shown.snapshot.number == number)
        try context.delete(album)
        context.settleLists()
        #expect(named.isEmpty && all.isEmpty, "the album's rule deletes its songs")
        try context.rollback()
        context.settleLists()
        #expect(named.count == 2 && all.count == 2)
    }

    /// A change of another object moves those that are sorted by it, saved or not.
    @Test(arguments: Engine.allCases) func valuesBehindRelationshipsSort(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let albums = [LiveAlbum(title: "A", songs: [LiveSong(title: "1")]), LiveAlbum(title: "B", songs: [LiveSong(title: "2")])]
        try context.insert(albums)
        try context.save()
        let list = try context.fetch(LiveSong.self).sorted(by: \.album?.title).results()
        let last = try context.fetch(LiveSong.self).sorted(by: { $0.album.title }, .descending).limit(1).results()
        #expect(list.map(\.title) == ["1", "2"] && last.map(\.title) == ["2"])
        albums[0].title = "C"
        context.settleLists()
        #expect(list.map(\.title) == ["2", "1"] && last.map(\.title) == ["1"])
        try context.rollback()
        context.settleLists()
        #expect(list.map(\.title) == ["1", "2"] && last.map(\.title) == ["2"])
        #expect(list.error == nil && last.error == nil)
    }

    /// All that changes while the lock is held is shown by the one reading that waits for it.
    @Test(arguments: Engine.allCases) func manyChangesAreOneReading(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.store.save((1...50).map { Account(id: $0, name: "account \($0)", balance: $0) })
        let context = ObjectContext(fixture.store)
        let list = try rich(context)
        let number = list.shown.beginReading()
        let objects = list.objects
        context.perform {
            for object in objects { for _ in 0..<3 { object.balance += 1_000 } }
        }
        context.settleLists()
        #expect(list.first?.balance == 3_010)
        #expect(list.shown.beginReading() == number + 2)
    }

    /// Of two readings the one that has the lock last shows the most, also when it was asked for first.
    @Test(arguments: Engine.allCases) func theReadingThatBeginsLastIsShown(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let list = try rich(context)
        let readings = try #require(context.domain.withLock { context.state.lists?.queue })
        let isRefreshed = SharedFlag()
        readings.suspend()
        try context.perform {
            Thread {
                try? list.refresh()
                isRefreshed.raise()
            }.start()
            try blockUntil("the thread that waits for the lock") { context.domain.lock.word.load(ordering: .relaxed) & 1 != 0 }
            list.refetch()
            list[0].balance = 1
        }
        try blockUntil("the refreshing") { isRefreshed.isRaised }
        readings.resume()
        context.settleLists()
        #expect(list.isEmpty)
    }

    @Test(arguments: Engine.allCases) func refreshingShowsAllAtOnce(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let list = try await context.fetch(Account.self).sorted(by: \.id).results()
        for id in 2...20 {
            try context.insert(Account(id: id, name: "account \(id)", balance: id))
            guard id % 2 == 0 else { continue }
            try await list.refresh()
            #expect(list.map(\.id) == Array(1...id))
        }
        let refresh: () throws -> Void = { try list.refresh() }
        try context.delete(list[0])
        try refresh()
        #expect(list.map(\.id) == Array(2...20))
    }

    /// Changes without an end leave time to others: behind a reading is a pause as long as it was.
    @Test func readingsPause() throws {
        let readings = TimedReadings()
        let trigger = RefetchTrigger(on: nil) {}
        trigger.begin(on: DispatchQueue(label: "readings")) { [weak trigger] in
            guard let trigger else { return }
            trigger.beginReading()
            readings.read()
            if readings.times.count < 3 { trigger.note() }
        }
        trigger.note()
        try blockUntil("the readings") { trigger.isSettled }
        let times = readings.times
        #expect(times.count == 3)
        for (former, next) in zip(times, times.dropFirst()) { #expect(next.begin - former.end >= former.end - former.begin) }
        trigger.end()
    }

    /// A list that a thread draws stays as it is meanwhile.
    @Test func aListChangesOnItsQueue() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(20)
        let context = ObjectContext(fixture.store)
        let queue = DispatchQueue(label: "list")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let list = try context.fetch(Account.self).results(on: queue)
        let isThere = SharedFlag()
        withObservationTracking { _ = list.count } onChange: { if DispatchQueue.getSpecific(key: key) == true { isThere.raise() } }
        let readings = try #require(context.domain.withLock { context.state.lists?.queue })
        try queue.sync {
            try context.insert(Account(id: 2, name: "second"))
            readings.sync {}
            #expect(list.count == 1, "nothing is read before the queue has done what it does")
        }
        queue.sync {}
        context.settleLists()
        queue.sync {}
        #expect(list.count == 2)
        #expect(isThere.isRaised)
    }

    @Test func readingIsObserved() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(20, 30)
        let context = ObjectContext(fixture.store)
        let list = try rich(context)
        func notices(_ read: () -> Void, _ change: () throws -> Void) rethrows -> Int {
            let counter = NoticeCounter()
            withObservationTracking(read) { counter.add() }
            try change()
            context.settleLists()
            return counter.count
        }
        let inserted = try notices { _ = list.count } _: { try context.insert(Account(id: 3, name: "third", balance: 40)) }
        #expect(inserted == 1)
        let updated = notices { for account in list { _ = account } } _: { list[0].note = "other" }
        #expect(updated == 1)
        let elsewhere = try notices { _ = list.first } _: { try context.insert(Account(id: 4, name: "poor", balance: 1)) }
        #expect(elsewhere == 0, "the list is as before")
        let unread = notices {} _: { list[0].note = "another" }
        #expect(unread == 0)
    }

    /// What a collection finds position by position is found in one state of the list, which may become shorter meanwhile.
    @Test func searchesSeeOneState() throws {
        func emptying(_ search: (LiveResults<Account>, (Account) throws -> Bool) throws -> Bool) throws {
            let fixture = try liveFixture(.memory)
            try fixture.fill(20, 30, 40)
            let context = ObjectContext(fixture.store)
            let list = try context.fetch(Account.self).sorted(by: \.id).results()
            let isNothing = try search(list) { account in
                if account.id != 2 { return false }
                try context.delete(list.objects)
                try list.refresh() as Void
                return false
            }
            #expect(isNothing && list.isEmpty)
        }
        try emptying { try $0.firstIndex(where: $1) == nil }
        try emptying { try $0.lastIndex(where: $1) == nil }
        try emptying { try $0.last(where: $1) == nil }
        try emptying { list, isMeant in try list.drop { try !isMeant($0) }.isEmpty }
        let fixture = try liveFixture(.memory)
        try fixture.fill(20, 30, 40)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).sorted(by: \.id).results()
        #expect(list.prefix(2).map(\.id) == [1, 2] && list.suffix(2).map(\.id) == [2, 3])
        #expect(list.dropFirst().map(\.id) == [2, 3] && list.dropLast(2).map(\.id) == [1])
        #expect(list.firstIndex(of: list[1]) == 1 && list.lastIndex(of: list[2]) == 2 && list.prefix { $0.id < 3 }.count == 2)
        let sections = list.sectioned { $0.id == 1 }
        #expect(sections.prefix(1).map(\.value) == [true] && sections.dropFirst().map(\.value) == [false])
        #expect(sections.firstIndex { !$0.value } == 1 && sections.last { $0.value }?.count == 1)
    }

    /// What goes through the positions later, or looks at the count first, has one state of the list as well.
    @Test func whatIsTakenOfAListStaysAsItWas() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(20, 30, 40)
        let context = ObjectContext(fixture.store)
        let list = try context.fetch(Account.self).sorted(by: \.id).results()
        let sections = list.sectioned { $0.id == 1 }
        let (reversed, reversedSections) = (list.reversed(), sections.reversed())
        let ids = list.map(\.id)
        #expect(list.randomElement().map { ids.contains($0.id) } == true && sections.randomElement() != nil)
        #expect(list.suffix(from: 1).map(\.id) == [2, 3] && sections.suffix(from: 1).map(\.value) == [false])
        var generator = EmptyingGenerator {
            try context.delete(list.objects)
            try list.refresh() as Void
        }
        let chosen = list.randomElement(using: &generator)
        #expect(chosen?.id == 2)
        #expect(list.isEmpty && sections.isEmpty)
        let (none, noSection) = (list.randomElement(using: &generator), sections.randomElement(using: &generator))
        #expect(none == nil && noSection == nil)
        #expect(reversed.map(\.id) == [3, 2, 1] && reversedSections.map(\.value) == [false, true])
    }
}

/// A generator that does something before each number.
private struct EmptyingGenerator: RandomNumberGenerator {
    let empty: () throws -> Void

    init(_ empty: @escaping () throws -> Void) { self.empty = empty }

    func next() -> UInt64 {
        #expect(throws: Never.self) { try empty() }
        // The middle of all numbers.
        return 1 << 63
    }
}

/// Readings that take some time, and when they were.
private final class TimedReadings: Sendable {
    private let done = Mutex<[(begin: UInt64, end: UInt64)]>([])

    var times: [(begin: UInt64, end: UInt64)] { done.withLock { $0 } }

    func read() {
        let begin = DispatchTime.now().uptimeNanoseconds
        Thread.sleep(forTimeInterval: 0.02)
        let end = DispatchTime.now().uptimeNanoseconds
        done.withLock { $0.append((begin, end)) }
    }
}
