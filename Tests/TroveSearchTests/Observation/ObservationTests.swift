import Foundation
import TestSupport
import Testing
import TroveTesting

@testable import TestModels
@testable import Trove

@Suite struct ObservationTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self, Country.self) }
    }

    @Test(arguments: Engine.allCases) func resultsFollowCommits(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var results = store.observe(store.fetch(Song.self).where { $0.year >= 2000 }.sorted(by: \.title)).makeAsyncIterator()
        #expect(try await results.next()?.isEmpty == true, "the present state comes at once")
        var late = Song.sample(1)
        late.year = 2001
        try await store.save(late)
        #expect(try await results.next() == [late])
        late.title = "Another"
        try await store.save(late)
        #expect(try await results.next() == [late])
        late.year = 1950
        try await store.save(late)
        #expect(try await results.next()?.isEmpty == true, "it does not pass any more")
    }

    /// Nothing has relationships here, so all objects are unreferenced.
    @Test(arguments: Engine.allCases) func unreferencedObjectsOfALoneModel(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var unreferenced = store.observe(store.fetch(Song.self).unreferenced()).makeAsyncIterator()
        var dangling = store.observe(store.fetch(Song.self).withDanglingReferences()).makeAsyncIterator()
        #expect(try await unreferenced.next()?.isEmpty == true)
        #expect(try await dangling.next()?.isEmpty == true)
        let song = Song.sample(1)
        try await store.save(song)
        #expect(try await unreferenced.next() == [song])
        try await store.delete(song)
        #expect(try await unreferenced.next()?.isEmpty == true)
    }

    /// The commit may have happened, so observers look, also those of another store on the file. None is concerned: a result like the one before is not told,
    /// which whoever saves after each result would answer with the next failing commit.
    @Test(arguments: Engine.allCases) func aCommitWhoseOutcomeIsUnknownWakesObservers(engine: Engine) throws {
        let faults = FaultInjector()
        let fixture = try StoreFixture(engine) { try ObjectStore(FaultInjectingBackend($0, faults: faults), durability: .relaxed, models: Song.self) }
        let store = fixture.store
        func observe(_ store: ObjectStore) throws -> ObserverRegistration {
            let filters = try store.core.observedFilters(of: store.fetch(Song.self).query, store.core.binding(for: Song.self))
            return ObserverRegistration(Observer(filters: filters), store.core.observers)
        }
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Song.self)
        let registrations = [try observe(store), try observe(other)]
        for registration in registrations { #expect(registration.observer.wakeUp.take() && registration.observer.takeConcern()) }
        for (number, point) in [FaultPoint.afterCommit, .beforeCommit].enumerated() {
            faults.arm(FaultPlan(.nth(1), at: [point], as: .inputOutput))
            #expect(throws: StorageError.self) { try store.save(Song.sample(number)) }
            faults.disarm()
            for registration in registrations {
                #expect(registration.observer.wakeUp.take(), "\(point)")
                #expect(!registration.observer.takeConcern(), "\(point)")
            }
        }
        #expect(store.core.observers.wakesInVain && other.core.observers.wakesInVain)
        // Here nobody is in doubt.
        #expect(throws: CancellationError.self) { try store.write { _ in throw CancellationError() } }
        for registration in registrations { #expect(!registration.observer.wakeUp.isDue) }
        #expect(try store.fetch(Song.self).count() == 1)
        try other.close()
        withExtendedLifetime(registrations) {}
    }

    /// The next reading is due to the last commit alone: the ones before concern objects that the query does not want.
    @Test(arguments: Engine.allCases) func commitsThatDoNotConcernTheQueryAreNotRead(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let query = store.fetch(Song.self).where { $0.year >= 2000 }.query
        let observer = Observer(filters: try store.core.observedFilters(of: query, store.core.binding(for: Song.self)))
        let registration = ObserverRegistration(observer, store.core.observers)
        try await observer.wait()
        let old = Song(title: "old", artist: "x", year: 1900, rating: nil)
        try await store.save(old)
        try await store.save(Country(code: "no", name: "Norway"))
        try await store.delete(old)
        await #expect(throws: TroveError.self) {
            try await store.write { transaction in
                try transaction.save(Song(title: "never", artist: "x", year: 2020, rating: nil))
                throw TroveError.transactionFinished
            }
        }
        #expect(!registration.observer.wakeUp.isDue)
        let new = Song(title: "new", artist: "x", year: 2020, rating: nil)
        try await store.save(new)
        #expect(registration.observer.wakeUp.isDue)
        try await observer.wait()
        try await store.deleteAll(Song.self)
        #expect(registration.observer.wakeUp.isDue)
    }

    /// Two stores on one file have one engine, and hear of each other's commits.
    @Test(arguments: Engine.allCases) func commitsOfOtherStoresOnTheFile(engine: Engine) async throws {
        let fixture = try fixture(engine), store = fixture.store
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Song.self, Country.self)
        let recent = store.fetch(Song.self).where { $0.year >= 2000 }
        var results = store.observe(recent).makeAsyncIterator()
        var counts = store.observeCount(of: recent).makeAsyncIterator()
        #expect(try await results.next()?.isEmpty == true)
        #expect(try await counts.next() == 0)
        let song = Song(title: "new", artist: "x", year: 2020, rating: nil)
        try await other.save(song)
        #expect(try await results.next() == [song])
        #expect(try await counts.next() == 1)
        // The filter is the other store's: any change of the model is told, and one of another model is not.
        let observer = try Observer(filters: store.core.observedFilters(of: recent.query, store.core.binding(for: Song.self)))
        let registration = ObserverRegistration(observer, store.core.observers)
        try await observer.wait()
        try await other.save(Country(code: "no", name: "Norway"))
        #expect(!registration.observer.wakeUp.isDue)
        try await other.save(Song(title: "old", artist: "x", year: 1900, rating: nil))
        #expect(registration.observer.wakeUp.isDue)
        try await observer.wait()
        // Closing one store tells nobody of the other.
        try await other.close()
        #expect(!registration.observer.wakeUp.isDue)
        try await store.delete(song)
        #expect(try await counts.next() == 0)
    }

    @Model struct Sheet: Equatable {
        var id: Int
    }

    @Model struct Sleeve {
        var id: Int
        @Relationship var sheets: [Reference<Sheet>] = []
    }

    @Model struct Pin: Equatable {
        var id: Int
        var about: AnyReference?
    }

    /// What points at objects may be of models that the program of the observer does not have.
    @Test(arguments: Engine.allCases) func referencesOfModelsThatTheProgramLacks(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Sheet.self) }
        let store = fixture.store
        let sheets = [Sheet(id: 1), Sheet(id: 2)]
        try await store.save(sheets)
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Sheet.self, Sleeve.self)
        var lonely = store.observe(store.fetch(Sheet.self).unreferenced()).makeAsyncIterator()
        var counts = store.observeCount(of: store.fetch(Sheet.self).matching("count($referencing.Sleeve.sheets) > 0")).makeAsyncIterator()
        #expect(try await lonely.next() == sheets)
        #expect(try await counts.next() == 0)
        try await other.save(Sleeve(id: 1, sheets: [Reference(id: 2)]))
        #expect(try await lonely.next() == [sheets[0]])
        #expect(try await counts.next() == 1)
        // Its own changes of such records, too.
        let isDeleted = try await store.write { try $0.deleteStoredRecord(of: "Sleeve", key: 1.keyBytes) }
        #expect(isDeleted)
        #expect(try await lonely.next() == sheets)
        #expect(try await counts.next() == 0)
        try await other.close()
    }

    /// What a reference to any model points at may come to be in a collection that nobody had before.
    @Test(arguments: Engine.allCases) func danglingReferencesToAnything(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Pin.self, Song.self) }
        let store = fixture.store
        let note = Document(["title": .string("a")])
        let pin = Pin(id: 1, about: AnyReference(note, in: "notes"))
        try await store.save(pin)
        var dangling = store.observe(store.fetch(Pin.self).withDanglingReferences()).makeAsyncIterator()
        #expect(try await dangling.next() == [pin])
        // Of other commits the result is the one before, which is not told.
        try await store.save(Song.sample(1))
        try await store.documents("notes").save(note)
        #expect(try await dangling.next()?.isEmpty == true)
    }

    /// A store that nobody observes looks for observers of others once in a transaction; one on another file has none.
    @Test func otherFilesAreNotHeardOf() throws {
        let (first, second) = (try fixture(.memory), try fixture(.memory))
        let observer = Observer(filters: [:])
        let registration = ObserverRegistration(observer, first.store.core.observers)
        #expect(!first.store.core.observers.isEmpty && second.store.core.observers.isEmpty)
        withExtendedLifetime(registration) {}
    }

    /// One object is followed from before it is stored until after it is deleted; commits about others are not told.
    @Test(arguments: Engine.allCases) func oneObjectIsFollowed(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var song = Song.sample(1)
        var values = store.observe(Song.self, id: song.id).makeAsyncIterator()
        #expect(try await values.next() == .some(nil))
        try await store.save(Song.sample(2))
        try await store.save(song)
        #expect(try await values.next() == song)
        try await store.save(song)
        song.title = "Another"
        try await store.save(song)
        #expect(try await values.next() == song)
        try await store.delete(Song.sample(2))
        try await store.delete(song)
        #expect(try await values.next() == .some(nil))
        // An id that is not stored as itself: that of a country is a text.
        var countries = store.observe(Country.self, id: "no").makeAsyncIterator()
        #expect(try await countries.next() == .some(nil))
        try await store.save(Country(code: "no", name: "Norway"))
        #expect(try await countries.next()??.name == "Norway")
    }

    private struct Measured: Model, Equatable {
        var id: Double
        var text: String
        static let schema = ModelSchema("Measured", fields: [FieldSchema("text", \Measured.text)])
        init(id: Double, text: String) { (self.id, self.text) = (id, text) }
        init(from record: inout RecordDecoder) throws {
            text = try record.decode()
            id = try record.decodeID()
        }
        func encode(into record: inout RecordEncoder) throws { try record.encode(text) }
    }

    private struct Dated: Model {
        var id: Date
        var text: String
        static let schema = ModelSchema("Dated", fields: [FieldSchema("text", \Dated.text)])
        init(id: Date, text: String) { (self.id, self.text) = (id, text) }
        init(from record: inout RecordDecoder) throws {
            text = try record.decode()
            id = try record.decodeID()
        }
        func encode(into record: inout RecordEncoder) throws { try record.encode(text) }
    }

    /// An id that is no number equals nothing, and is the id of one object all the same.
    @Test(arguments: Engine.allCases) func idsThatAreNoNumbers(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Measured.self, Dated.self) }
        let store = fixture.store
        try await store.save([Measured(id: 1, text: "one"), Measured(id: .infinity, text: "infinite"), Measured(id: -0.0, text: "zero")])
        var values = store.observe(Measured.self, id: .nan).makeAsyncIterator()
        #expect(try await values.next() == .some(nil))
        try await store.save(Measured(id: .nan, text: "none"))
        #expect(try await values.next()??.text == "none")
        try await store.save(Measured(id: -.nan, text: "the same"))
        #expect(try await values.next()??.text == "the same")
        var zeros = store.observe(Measured.self, id: 0).makeAsyncIterator()
        #expect(try await zeros.next()??.text == "zero")
        let noDate = Date(timeIntervalSinceReferenceDate: .nan)
        try await store.save([Dated(id: noDate, text: "never"), Dated(id: .distantPast, text: "past")])
        var dates = store.observe(Dated.self, id: noDate).makeAsyncIterator()
        #expect(try await dates.next()??.text == "never")

        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: [AnyReference(Measured.self, id: .nan)])
        #expect(try await bag.fetch(Measured.self).all().map(\.text) == ["the same"])
        bag.add(contentsOf: [AnyReference(Measured.self, id: 1), AnyReference(Dated.self, id: noDate)])
        #expect(try await bag.fetch(Measured.self).all().map(\.text) == ["one", "the same"])
        #expect(try await bag.fetch(Dated.self).all().map(\.text) == ["never"])
    }

    @Test(arguments: Engine.allCases) func countsAreToldWhenTheyChange(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var counts = store.observeCount(of: store.fetch(Song.self)).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        var song = Song.sample(1)
        try await store.save(song)
        #expect(try await counts.next() == 1)
        song.title = "same number"
        try await store.save(song)
        try await store.save(Song.sample(2))
        #expect(try await counts.next() == 2)
    }

    /// Who is slow gets the newest state, and only once.
    @Test(arguments: Engine.allCases) func thereIsNoBacklog(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var results = store.observe(store.fetch(Song.self)).makeAsyncIterator()
        _ = try await results.next()
        for number in 0..<20 { try await store.save(Song.sample(number)) }
        #expect(try await results.next()?.count == 20)
        try await store.save(Song.sample(20))
        #expect(try await results.next()?.count == 21)
    }

    /// The differences, applied to a plain array as documented, give the query's result, after any number of random commits.
    @Test(arguments: Engine.allCases) func differencesLeadToTheResult(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let fetch = store.fetch(Song.self).where { $0.year > 1930 }.sorted(by: \.artist).sorted(by: \.year).limit(15)
        var changes = store.observeChanges(of: fetch).makeAsyncIterator()
        var shown: [Song] = []
        var random = SeededGenerator(seed: 42)
        var songs = (0..<40).map(Song.sample)
        try await store.save(songs)
        for _ in 0..<40 {
            let change = try #require(try await changes.next())
            shown = change.applied(to: shown)
            #expect(try await store.fetch(Song.self).where { $0.year > 1930 }.sorted(by: \.artist).sorted(by: \.year).limit(15).all() == shown)
            // At least one of the changes concerns the result: its first object goes.
            var changed: [Song] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let index = songs.indices.randomElement(using: &random) ?? 0
                songs[index].year = Int.random(in: 1900...2000, using: &random)
                songs[index].artist = "Artist \(Int.random(in: 0...9, using: &random))"
                changed.append(songs[index])
            }
            let gone = shown.first
            songs.removeAll { $0.id == gone?.id }
            let fresh = Song(title: "fresh", artist: "Artist 0", year: 1931, rating: nil)
            songs.append(fresh)
            try await store.write { [changed] transaction in
                try transaction.save(changed)
                if let gone { try transaction.delete(gone) }
                try transaction.save(fresh)
            }
        }
    }

    @Test(arguments: Engine.allCases) func itEndsByAnErrorOnly(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let unknown = store.observe(store.fetch(Song.self).where(.comparison(.path("nothing"), .equal, .value(.null))))
        await #expect(throws: TroveError.self) { for try await _ in unknown {} }

        let cancelled = Task { for try await _ in store.observe(store.fetch(Song.self)) {} }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }

        let waiting = Task {
            var rounds = 0
            for try await _ in store.observe(store.fetch(Song.self)) { rounds += 1 }
            return rounds
        }
        try await waitUntil("the observer") { !store.core.observers.isEmpty }
        try await store.close()
        await #expect { try await waiting.value } throws: { error in
            guard case StorageError.closed = error else { return false }
            return true
        }
        #expect(store.core.observers.isEmpty, "nobody is left registered")
    }

    // Who asks again after an error gets an answer, and does not wait for ever.
    @Test(.timeLimit(.minutes(2)), arguments: Engine.allCases) func itReadsAgainAfterAnError(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var late = store.observe(store.fetch(Song.self).deadline(.nanoseconds(1))).makeAsyncIterator()
        for _ in 0..<2 {
            await #expect { _ = try await late.next() } throws: { error in
                if case TroveError.deadlineExceeded = error { true } else { false }
            }
        }
        var songs = store.observe(store.fetch(Song.self)).makeAsyncIterator()
        #expect(try await songs.next() != nil)
        // A task that has been cancelled cleans up too.
        let closing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.close()
        }
        try await closing.value
        #expect(store.isClosed)
        for _ in 0..<2 {
            await #expect { _ = try await songs.next() } throws: { error in
                if case StorageError.closed = error { true } else { false }
            }
        }
    }

    @Test(arguments: Engine.allCases) func manyObserversAndWriters(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var last = 0
                    for try await count in store.observeCount(of: store.fetch(Song.self)) {
                        #expect(count >= last)
                        last = count
                        if count == 200 { break }
                    }
                    return last
                }
            }
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<50 { try await store.save(Song.sample(writer * 50 + number)) }
                    return 200
                }
            }
            for try await count in group { #expect(count == 200) }
        }
    }
}
