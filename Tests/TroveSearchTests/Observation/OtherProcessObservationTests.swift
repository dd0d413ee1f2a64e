import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveStorage

@testable import TestModels
@testable import Trove

/// What a store does of itself about the commits of other processes; `OtherProcessTests` of the robustness tests has these processes.
@Suite struct OtherProcessObservationTests {
    private func fixture(_ engine: Engine, _ observation: OtherProcessObservation) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, observesOtherProcesses: observation, models: Song.self, Country.self) }
    }

    /// Where nobody knows what was changed, a result that is the one before is not given again.
    @Test(arguments: Engine.allCases) func onlyOtherResultsAreGiven(engine: Engine) throws {
        let fixture = try fixture(engine, .every(.seconds(3_600))), store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let observed = store.observe(store.fetch(Country.self).sorted(by: \.code))
        let read = observed.makeReader()
        func result(isConcerned: Bool) throws -> [Country]? { try store.read { try read($0, isConcerned) } }
        #expect(try result(isConcerned: false)?.isEmpty == true, "the first")
        #expect(try result(isConcerned: false) == nil)
        #expect(try result(isConcerned: true)?.isEmpty == true, "one of this process concerns the query")
        let norway = Country(code: "no", name: "Norway"), sweden = Country(code: "se", name: "Sweden")
        try store.save(norway)
        #expect(try result(isConcerned: false) == [norway])
        try store.save(norway)
        #expect(try result(isConcerned: false) == nil, "the same values")
        try store.save(Country(code: "no", name: "Noreg"))
        #expect(try result(isConcerned: false)?.map(\.name) == ["Noreg"])
        try store.save(sweden)
        try store.delete(norway)
        #expect(try result(isConcerned: false) == [sweden])
        #expect(try result(isConcerned: false) == nil)
    }

    @Test func whatIsUnknownIsNoConcern() {
        let observer = Observer(filters: [:])
        #expect(observer.wakeUp.take() && observer.takeConcern() && !observer.takeConcern())
        observer.noteUnknownCommits()
        #expect(observer.wakeUp.take() && !observer.takeConcern())
        observer.signal()
        observer.noteUnknownCommits()
        #expect(observer.wakeUp.take() && observer.takeConcern())
    }

    /// Without looks too: a program that was told by other means tells the store.
    @Test(arguments: Engine.allCases, [OtherProcessObservation.never, .every(.seconds(3_600))])
    func notifyingWakesObservers(engine: Engine, observation: OtherProcessObservation) async throws {
        let fixture = try fixture(engine, observation), store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let observer = Observer(filters: [:])
        let registration = ObserverRegistration(observer, store.core.observers)
        #expect(registration.observer.wakeUp.take())
        store.notifyChangesOfOtherProcesses()
        #expect(registration.observer.wakeUp.take())
        var counts = store.observeCount(of: store.fetch(Country.self)).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        // Inside of a transaction too, and what comes next is the change alone.
        try await store.write { transaction in
            store.notifyChangesOfOtherProcesses()
            try transaction.save(Country(code: "no", name: "Norway"))
        }
        #expect(try await counts.next() == 1)
        try await store.close()
        store.notifyChangesOfOtherProcesses()
        await #expect(throws: StorageError.self) { try await counts.next() }
    }

    /// Commits that do not concern a query wake its observer as little as without looks.
    @Test(arguments: Engine.allCases) func ownCommitsAreNotTakenForThoseOfOthers(engine: Engine) throws {
        let fixture = try fixture(engine, .every(.seconds(3_600))), store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let second = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Country.self)
        let observer = try Observer(filters: store.core.observedFilters(of: store.fetch(Song.self).query, store.core.binding(for: Song.self)))
        let registration = ObserverRegistration(observer, store.core.observers)
        #expect(registration.observer.wakeUp.take())
        for (number, writer) in [store, second, store, second].enumerated() {
            let durability: Durability = number < 2 ? .durable : .relaxed
            try writer.write(durability) { try $0.save(Country(code: "c\(number)", name: "x")) }
            try store.core.otherProcesses.look()
            #expect(throws: TroveError.self) {
                try writer.write { transaction in
                    try transaction.deleteAll(Country.self)
                    throw TroveError.transactionFinished
                }
            }
            try store.core.otherProcesses.look()
            // Nothing is written: there is no such object.
            try writer.delete(Country.self, id: "none")
            try writer.write { _ in }
            try store.core.otherProcesses.look()
            try writer.createIndex("by name", on: Country.self, \.name)
            try writer.dropIndex(named: "by name", of: Country.self)
            try store.core.otherProcesses.look()
            #expect(!observer.wakeUp.isDue, "write \(number)")
        }
        try second.close()
    }

    /// The commits of somebody around the engine, of whose writes it is not told, count as another process's.
    @Test func commitsThatTheEngineDoesNotTellOfAreFound() throws {
        let shared = MemoryBackend()
        let store = try ObjectStore(SharedBackend(shared), observesOtherProcesses: .every(.seconds(3_600)), models: Country.self)
        let other = try ObjectStore(SharedBackend(shared), models: Country.self)
        let observer = Observer(filters: [:])
        let registration = ObserverRegistration(observer, store.core.observers)
        #expect(registration.observer.wakeUp.take())
        try store.core.otherProcesses.look()
        _ = observer.wakeUp.take()
        try store.core.otherProcesses.look()
        #expect(!observer.wakeUp.isDue, "nobody has committed")
        try other.save(Country(code: "no", name: "Norway"))
        #expect(!observer.wakeUp.isDue)
        try store.core.otherProcesses.look()
        #expect(observer.wakeUp.take())
        try store.core.otherProcesses.look()
        #expect(!observer.wakeUp.isDue)
        try store.close()
        try other.close()
    }

    /// Looks go on as long as somebody observes. The looks of another store with the same interval tell that time has passed.
    @Test func nobodyIsLookedForInVain() async throws {
        let (idle, busy) = (SharedBackend(MemoryBackend()), SharedBackend(MemoryBackend()))
        let idleStore = try ObjectStore(idle, observesOtherProcesses: .every(.zero), models: Country.self)
        let busyStore = try ObjectStore(busy, observesOtherProcesses: .every(.milliseconds(1)), models: Country.self)
        let clock = ObserverRegistration(Observer(filters: [:]), busyStore.core.observers)
        func passTime() async throws {
            let until = busy.lookCount + 20
            try await waitUntil("twenty looks") { busy.lookCount >= until }
        }
        try await passTime()
        let untouched = idle.lookCount
        try await passTime()
        #expect(idle.lookCount == untouched, "nobody waits")
        var observed: ObserverRegistration? = ObserverRegistration(Observer(filters: [:]), idleStore.core.observers)
        try await waitUntil("looks") { idle.lookCount >= untouched + 5 }
        withExtendedLifetime(observed) {}
        observed = nil
        let afterwards = idle.lookCount
        try await passTime()
        #expect(idle.lookCount <= afterwards + 1, "the look that was under way is the last")
        withExtendedLifetime(clock) {}
        try await idleStore.close()
        try await busyStore.close()
    }

    /// What looks keeps no store: neither the time that it waits for nor an observer does.
    @Test(arguments: Engine.allCases) func looksEndWithTheStore(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        for closes in [true, false] {
            let hasEnded = SharedFlag()
            do {
                let backend = try EndingBackend(engine.open(directory.file()), hasEnded)
                let store = try ObjectStore(backend, observesOtherProcesses: .every(.milliseconds(1)), models: Country.self)
                let registration = ObserverRegistration(Observer(filters: [:]), store.core.observers)
                try await store.save(Country(code: "no", name: "Norway"))
                if closes { try await store.close() }
                withExtendedLifetime(registration) {}
            }
            try await waitUntil("the end of the store") { hasEnded.isRaised }
        }
    }
}

/// A store in memory that says that other processes have it too, and shares no engine: each backend around it is one of another process.
private final class SharedBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let pathCount = Atomic(0)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// Each look asks for the path once.
    var lookCount: Int { pathCount.load(ordering: .relaxed) }

    var path: String {
        pathCount.add(1, ordering: .relaxed)
        return wrappedBackend.path
    }

    var sharedEngine: any AnyObject & Sendable { self }

    var capabilities: StorageCapabilities {
        var capabilities = wrappedBackend.capabilities
        capabilities.sharing = .manyProcesses
        return capabilities
    }
}

/// Tells when nobody has it any more; what looks has it.
private final class EndingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let hasEnded: SharedFlag

    init(_ backend: any StorageBackend, _ hasEnded: SharedFlag) { (wrappedBackend, self.hasEnded) = (backend, hasEnded) }

    deinit { hasEnded.raise() }
}
