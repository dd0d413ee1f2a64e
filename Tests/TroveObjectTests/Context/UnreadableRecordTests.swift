import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// A record that no object can be made of, as a newer program may store one, concerns its own object alone.
@Suite struct UnreadableRecordTests {
    private struct Sides {
        let mine: ObjectContext
        let theirs: ObjectContext
        let here: [Journey]
        let there: [Journey]
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Journey.self) }
        try fixture.store.save((1...2).map { Journey(id: $0) })
        return fixture
    }

    /// Two contexts with the journeys 1 and 2.
    private func sides(_ fixture: StoreFixture, _ policy: MergePolicy = .error) throws -> Sides {
        let (mine, theirs) = (ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy)), ObjectContext(fixture.store))
        return Sides(mine: mine, theirs: theirs, here: try mine.fetch(Journey.self).all(), there: try theirs.fetch(Journey.self).all())
    }

    private func isDecodingFailed(_ error: any Error) -> Bool {
        if case TroveError.decodingFailed(model: "Journey", field: "length", id: _, reason: _) = error { true } else { false }
    }

    @Test(arguments: Engine.allCases, [false, true]) func aSaveIsFinishedBesideIt(engine: Engine, isAsynchronous: Bool) async throws {
        let fixture = try fixture(engine)
        let sides = try sides(fixture, .storeWins), mine = sides.mine
        sides.there[0].length.meters = -5
        try await sides.theirs.save()
        for journey in sides.here { journey.name = "mine" }
        try mine.insert(Journey(id: 3))
        let summary = try await isAsynchronous ? mine.save() : Self.save(mine)
        #expect(summary.insertedCount == 1 && summary.updatedCount == 1)
        #expect(mine.insertedObjects.isEmpty && mine.changedObjects.count == 1)
        #expect(mine.faultErrors.count == 1 && mine.faultErrors.allSatisfy(isDecodingFailed))
        try await sides.theirs.mergeChanges()
        #expect(sides.there.map(\.name) == ["", "mine"])
        // Its changes are still there, and so is the conflict.
        #expect(sides.here[0].name == "mine")
        sides.there[0].length.meters = 4
        try await sides.theirs.save()
        try await mine.save()
        #expect(!mine.hasChanges && sides.here[0].name == "" && sides.here[0].length.meters == 4)
    }

    @Test(arguments: Engine.allCases, [false, true]) func othersAreMergedBesideIt(engine: Engine, isDamaged: Bool) throws {
        let fixture = try fixture(engine)
        let sides = try sides(fixture), mine = sides.mine
        sides.there[0].name = "sound"
        try sides.theirs.save()
        let sound = try #require(try fixture.store.bytes(of: "Journey", key: 1.keyBytes))
        sides.there[0].length.meters = -5
        sides.there[1].name = "new"
        try sides.theirs.save()
        if isDamaged {
            let damaged = sound.dropLast() + [sound[sound.count - 1] ^ 1]
            try fixture.store.setBytes(Array(damaged), of: "Journey", key: 1.keyBytes)
        }
        try mine.mergeChanges()
        #expect(sides.here.map(\.name) == ["", "new"] && !mine.hasChanges)
        #expect(mine.faultErrors.count == 1)
        // It waits alone until it can be read.
        try fixture.store.setBytes(sound, of: "Journey", key: 1.keyBytes)
        try mine.mergeChanges()
        #expect(sides.here.map(\.name) == ["sound", "new"] && mine.faultErrors.count == 1)
        #expect(mine.inbox.withLock { $0.isEmpty })
    }

    /// Each merge told it again, as often as another object was saved.
    @Test(arguments: Engine.allCases) func itIsToldOnceForEachTimeItIsSaved(engine: Engine) throws {
        let fixture = try fixture(engine)
        let sides = try sides(fixture), mine = sides.mine
        for (count, meters) in [(1, -5.0), (2, -6.0)] {
            sides.there[0].length.meters = meters
            for number in 1...3 {
                sides.there[1].name = "\(meters) \(number)"
                try sides.theirs.save()
                try mine.mergeChanges()
                #expect(sides.here[1].name == sides.there[1].name)
            }
            #expect(mine.faultErrors.count == count && mine.faultErrors.allSatisfy(isDecodingFailed))
        }
        sides.there[0].length.meters = 4
        try sides.theirs.save()
        try mine.mergeChanges()
        #expect(sides.here[0].length.meters == 4 && mine.faultErrors.count == 2)
        #expect(mine.inbox.withLock { $0.isEmpty && $0.unreadable.isEmpty })
    }

    @Test(arguments: Engine.allCases) func othersAreRefreshedBesideIt(engine: Engine) throws {
        let fixture = try fixture(engine)
        let sides = try sides(fixture)
        // Whichever comes first.
        for unreadable in 0...1 {
            let (bad, good) = (sides.there[unreadable], sides.there[1 - unreadable])
            bad.length.meters = -5
            (good.name, good.length.meters) = ("new", 0)
            try sides.theirs.save()
            #expect(throws: TroveError.self) { try sides.mine.refresh() }
            #expect(sides.here[1 - unreadable].name == "new")
        }
    }

    @Test(arguments: Engine.allCases) func changesAreTakenBackBesideIt(engine: Engine) throws {
        let fixture = try fixture(engine)
        let sides = try sides(fixture)
        let (context, journey, other) = (sides.mine, sides.here[0], sides.here[1])
        journey.length.meters = -5
        try context.save()
        (journey.name, other.name) = ("x", "x")
        #expect { try context.rollback() } throws: { isDecodingFailed($0) }
        #expect(!context.hasChanges && other.name == "")
        // It is not as its record, so that no save stores what it has.
        (journey.name, other.name) = ("y", "y")
        #expect { try context.save() } throws: { if case TroveError.conflict("Journey", "1", _, _) = $0 { true } else { false } }
        try context.reset()
        #expect(!context.hasChanges && other.name == "")
        #expect(try context.fetch(Journey.self, id: 2) !== other)
    }

    // What a test without tasks does.
    private static func save(_ context: ObjectContext) throws -> SaveSummary { try context.save() }
}

/// A length that must not be negative, which only reading finds out.
struct JourneyLength: StorableConvertible {
    var meters: Double
    var storedForm: Double { meters }

    init?(storedForm: Double) {
        guard storedForm >= 0 else { return nil }
        meters = storedForm
    }

    init() { meters = 0 }
}

@Model final class Journey {
    let id: Int
    var name = ""
    var length = JourneyLength()
    init(id: Int) { self.id = id }
}
