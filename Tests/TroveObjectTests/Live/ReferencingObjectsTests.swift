import TestSupport
import Testing

@testable import Trove

@Model
fileprivate final class Carrier {
    let id: Int
    var name = ""
    var flights: ReferencingObjects<Departure> { ReferencingObjects(to: self, by: \.carrier) }

    init(_ id: Int) { self.id = id }
}

@Model
fileprivate final class Departure {
    let id: Int
    @Attribute(.indexed) var delay = 0
    @Relationship(whenTargetDeleted: .cascade) var carrier: Carrier?

    init(_ id: Int, delay: Int = 0) {
        self.id = id
        self.delay = delay
    }
}

/// Points at places in each form of a relationship to many.
@Model
fileprivate final class Tour {
    let id: Int
    @Relationship var stops: [Place]
    @Relationship var sights: ObjectList<Place>
    @Relationship var rests: Set<Place>

    init(_ id: Int) { self.id = id }
}

@Model
fileprivate final class Place {
    let id: Int
    var stoppingTours: ReferencingObjects<Tour> { ReferencingObjects(to: self, by: \.stops) }
    var seeingTours: ReferencingObjects<Tour> { ReferencingObjects(to: self, by: \.sights) }
    var restingTours: ReferencingObjects<Tour> { ReferencingObjects(to: self, by: \.rests) }

    init(_ id: Int) { self.id = id }
}

private func fixture(_ engine: Engine) throws -> StoreFixture {
    try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Carrier.self, Departure.self, Tour.self, Place.self) }
}

@Suite struct ReferencingObjectsTests {
    /// A program of random changes gives what a dictionary says, with pending changes and without, and in another context after a save.
    @Test(arguments: Engine.allCases) func isLikeADictionary(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let carriers = (0..<5).map { Carrier($0) }
        let flights = (0..<600).map { Departure($0) }
        try context.insert(carriers)
        try context.insert(flights)
        var expected: [Int: Int] = [:]
        var random = SeededGenerator(seed: 11)

        func check(_ carrier: Carrier) throws {
            let ids = expected.filter { $0.value == carrier.id }.keys.sorted()
            #expect(carrier.flights.map(\.id) == ids)
            #expect(carrier.flights.count == ids.count)
            #expect(carrier.flights.isEmpty == ids.isEmpty)
            #expect(try carrier.flights.fetch().sorted(by: \.id, .descending).limit(3).all().map(\.id) == Array(ids.reversed().prefix(3)))
        }
        for step in 0..<40 {
            for _ in 0..<25 {
                let (carrier, flight) = (try #require(carriers.randomElement(using: &random)), try #require(flights.randomElement(using: &random)))
                #expect(carrier.flights.contains(flight) == (expected[flight.id] == carrier.id))
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    carrier.flights.insert(flight)
                    expected[flight.id] = carrier.id
                case 2:
                    #expect(carrier.flights.remove(flight) == (expected[flight.id] == carrier.id))
                    if expected[flight.id] == carrier.id { expected[flight.id] = nil }
                default:
                    flight.carrier = carrier
                    expected[flight.id] = carrier.id
                }
            }
            if step % 3 == 0 { try check(carriers[step % 5]) }
            if step % 7 == 6 {
                try context.save()
                let other = ObjectContext(fixture.store)
                for carrier in try other.fetch(Carrier.self).all() {
                    let count = expected.values.count { $0 == carrier.id }
                    #expect(carrier.flights.count == count)
                }
                try check(carriers[(step + 1) % 5])
            }
        }
        carriers[2].flights.removeAll()
        expected = expected.filter { $0.value != 2 }
        carriers[3].flights.insert(contentsOf: flights.prefix(300))
        for flight in flights.prefix(300) { expected[flight.id] = 3 }
        try context.save()
        for carrier in carriers { try check(carrier) }
        #expect(context.faultErrors.isEmpty)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func everyFormOfTheOtherSide(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (places, tours) = ((0..<3).map { Place($0) }, (0..<4).map { Tour($0) })
        try context.insert(places)
        try context.insert(tours)
        for tour in tours {
            places[1].stoppingTours.insert(tour)
            places[0].stoppingTours.insert(tour)
            // A second time changes nothing.
            places[1].stoppingTours.insert(tour)
            places[2].seeingTours.insert(tour)
            places[0].restingTours.insert(tour)
        }
        #expect(tours[3].stops.map(\.id) == [1, 0] && tours[3].sights.map(\.id) == [2] && tours[3].rests.map(\.id) == [0])
        try context.save()
        #expect(places[0].stoppingTours.map(\.id) == [0, 1, 2, 3] && places[2].stoppingTours.isEmpty)
        #expect(places[1].stoppingTours.remove(tours[2]) && places[2].seeingTours.remove(tours[1]) && places[0].restingTours.remove(tours[0]))
        #expect(!places[1].stoppingTours.remove(tours[2]) && !places[2].seeingTours.remove(tours[1]) && !places[0].restingTours.remove(tours[0]))
        #expect(places[1].stoppingTours.map(\.id) == [0, 1, 3] && places[2].seeingTours.map(\.id) == [0, 2, 3] && places[0].restingTours.map(\.id) == [1, 2, 3])
        try context.save()
        let other = ObjectContext(fixture.store)
        let place = try #require(try other.fetch(Place.self, id: 0))
        #expect(place.stoppingTours.map(\.id) == [0, 1, 2, 3] && place.restingTours.count == 3 && place.seeingTours.isEmpty)
    }

    /// What one change asks of the engine is the same with few others as with many, and so is what it writes.
    @Test(arguments: Engine.allCases) func aMoveDoesNotGrowWithTheOthers(engine: Engine) throws {
        func calls(_ count: Int) throws -> [CallCounts.Call: Int] {
            let (fixture, backend) = try StoreFixture.counting(engine) {
                try ObjectStore($0, durability: .relaxed, models: Carrier.self, Departure.self)
            }
            let (one, two) = (Carrier(1), Carrier(2))
            let filling = ObjectContext(fixture.store)
            try filling.insert([one, two])
            for id in 0..<count {
                let flight = Departure(id)
                flight.carrier = one
                try filling.insert(flight)
            }
            try filling.save()
            let context = ObjectContext(fixture.store)
            let target = try #require(try context.fetch(Carrier.self, id: 2))
            let flight = try #require(try context.fetch(Departure.self, id: 5))
            let calls = backend.counts
            calls.reset()
            target.flights.insert(flight)
            let new = Departure(count)
            target.flights.insert(new)
            try context.save()
            let saved = calls.all
            #expect(calls[.put] == 1 && calls[.insert] == 1 && calls[.commit] == 1)
            #expect(target.flights.map(\.id) == [5, count])
            return saved
        }
        #expect(try calls(10) == calls(2_000))
    }

    /// The rules of the property hold, whichever side the program uses.
    @Test(arguments: Engine.allCases) func deletingTheTargetHeedsTheRule(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (one, two) = (Carrier(1), Carrier(2))
        try context.insert([one, two])
        // In no context before.
        for id in 0..<20 { (id < 12 ? one : two).flights.insert(Departure(id, delay: id)) }
        try context.save()
        #expect(try one.flights.fetch().where { $0.delay > 5 }.count() == 6)
        try context.delete(one)
        #expect(try context.fetch(Departure.self).count() == 8)
        try context.save()
        #expect(try fixture.store.fetch(Departure.self).ids() == Array(12..<20))
        #expect(try two.flights.fetch().delete() == 8)
        try context.save()
        #expect(two.flights.isEmpty)
    }

    @Test func objectsOfNoContextAndOfAnother() throws {
        let fixture = try fixture(.memory)
        let (one, flight) = (Carrier(1), Departure(1))
        one.flights.insert(flight)
        #expect(flight.carrier === one && one.flights.contains(flight))
        #expect(one.flights.isEmpty && one.flights.count == 0 && Array(one.flights).isEmpty)
        #expect { try one.flights.fetch() } throws: { if case TroveError.notInContext(model: "Carrier", id: "1") = $0 { true } else { false } }

        // The object that points brings in what it points at.
        let context = ObjectContext(fixture.store)
        try context.insert(flight)
        #expect(one.modelContext === context && one.flights.map(\.id) == [1])
        try context.save()

        let foreign = Departure(2)
        let other = ObjectContext(fixture.store)
        try other.insert(foreign)
        one.flights.insert(foreign)
        #expect(foreign.carrier == nil && foreign.modelContext === other)
        #expect { try context.save() } throws: { if case TroveError.foreignObject(model: "Departure", id: "2") = $0 { true } else { false } }
        #expect(one.flights.map(\.id) == [1])

        // One whose id is there already is refused too, and the one that is there stays as it is.
        one.flights.insert(Departure(1, delay: 99))
        #expect { try context.save() } throws: { if case TroveError.alreadyExists(model: "Departure", id: "1") = $0 { true } else { false } }
        #expect(flight.delay == 0 && one.flights.map(\.id) == [1])
    }

    /// Nothing is brought in for an object that is deleted.
    @Test func aDeletedTargetTakesNothing() throws {
        let fixture = try fixture(.memory)
        let context = ObjectContext(fixture.store)
        let one = Carrier(1)
        try context.insert(one)
        try context.save()
        try context.delete(one)
        try context.save()
        let flight = Departure(1)
        one.flights.insert(flight)
        #expect(flight.modelContext == nil && flight.carrier == nil && one.flights.isEmpty && !context.hasChanges)
        #expect { try context.save() } throws: { if case TroveError.notInContext(model: "Carrier", id: "1") = $0 { true } else { false } }
    }

    @Test func whatAGetterCannotThrowIsKept() throws {
        let fixture = try fixture(.memory)
        let context = ObjectContext(fixture.store)
        let (one, flight) = (Carrier(1), Departure(1))
        try context.insert([one, flight])
        try context.save()
        let odd = ReferencingObjects<Departure>(to: one, by: \.computedCarrier)
        #expect(odd.count == 0 && !odd.contains(flight) && Array(odd).isEmpty)
        #expect(context.faultErrors.count == 3)
        #expect(throws: TroveError.self) { try odd.fetch().count() }
    }

    /// A walk without pending changes may change what it walks over.
    @Test(arguments: Engine.allCases) func movingAllInAWalk(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (one, two) = (Carrier(1), Carrier(2))
        try context.insert([one, two])
        for id in 0..<700 { one.flights.insert(Departure(id)) }
        try context.save()
        var count = 0
        for flight in one.flights {
            two.flights.insert(flight)
            count += 1
        }
        #expect(count == 700 && one.flights.isEmpty && two.flights.count == 700)
        try context.save()
        #expect(one.flights.isEmpty && two.flights.count == 700)
    }
}

extension Departure {
    fileprivate var computedCarrier: Carrier? {
        get { carrier }
        set { carrier = newValue }
    }
}
