import Foundation
import TestSupport
import Testing

@testable import Trove

/// The example of `docs/values.md`.
struct Distance: StorableConvertible, StorableKey {
    var meters: Double

    var storedForm: Double { meters }

    init?(storedForm: Double) {
        guard storedForm >= 0 else { return nil }
        meters = storedForm
    }
}

extension Distance: Comparable {
    static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
}

extension Distance: Codable {
    init(from decoder: any Decoder) throws { meters = try decoder.singleValueContainer().decode(Double.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(meters)
    }
}

/// Types that are stored as others, and types that `Codable` stores; `ScalarTests` has a type of one's own in every place and query.
@Suite struct ConvertibleTests {
    @Model struct Place: Equatable {
        #Index<Place>([\.initial], [\.zone])
        var id: Character
        var initial: Character
        var zone: TimeZone
        var locale: Locale?
        var letters: [Character]
        var zones: [String: TimeZone]
        var hours: Range<Int>
        var floors: ClosedRange<Int>?
        var opening: DateComponents
        var rooms: Foundation.IndexSet
    }

    private func places() throws -> [Place] {
        let letters: [Character] = ["a", "é", "👩‍👩‍👧"]
        return try letters.enumerated().map { position, letter -> Place in
            let zone = try #require(TimeZone(identifier: ["Europe/Zurich", "Asia/Tokyo", "GMT"][position]))
            return Place(
                id: letter, initial: letter, zone: zone, locale: position == 0 ? nil : Locale(identifier: "de_CH"), letters: ["x", letter],
                zones: ["home": zone], hours: 8..<(12 + position), floors: position == 1 ? nil : -1...4,
                opening: DateComponents(hour: 8, minute: position), rooms: Foundation.IndexSet([1, 2, 10 + position]))
        }
    }

    @Test(arguments: Engine.allCases) func comeBackAndAreFound(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Place.self) }
        let places = try places()
        try fixture.store.save(places)
        try fixture.reopenStore()
        let fetch = fixture.store.fetch(Place.self)
        for place in places {
            #expect(try fixture.store.fetch(Place.self, id: place.id) == place)
            #expect(try fetch.where { $0.zone == place.zone }.all() == [place])
            #expect(try fetch.where { $0.initial == place.initial }.all() == [place])
            #expect(try fetch.where(Filter(criteria: "initial = ?", place.initial)).all() == [place])
            let zone = place.zone
            #expect(try fetch.where(Filter(#Predicate<Place> { $0.zone == zone })).all() == [place])
        }
        #expect(try fetch.where { $0.locale == nil }.all() == [places[0]])
        #expect(try fetch.sorted(by: \.zone).all().map(\.zone.identifier) == places.map(\.zone.identifier).sorted())
        #expect(try fetch.where { $0.initial > "a" }.count() == 2)
        #expect(try fixture.store.verify().isSound)
    }

    enum Format: String, StorableConvertible, StorableKey, CaseIterable { case vinyl = "v", tape = "t", disc = "d" }
    enum Side: Int8, StorableConvertible { case first = 1, second }
    enum PlainFormat: String, Codable { case vinyl = "v", tape = "t", disc = "d" }

    @Model("Carrier") struct Carrier: Equatable {
        var id: Format
        @Attribute(.indexed) var format: Format
        var former: Format?
        var side: Side?
        var sides: [Side] = []
        var standard = Format.disc
        var origin: Reference<Carrier>?
    }

    @Model("Carrier") struct PlainCarrier {
        var id: String
        var format: PlainFormat
        var former: PlainFormat?
    }

    /// An enum with a raw value that is stored as any type of one's own, with the same bytes: so key paths select it and group by it.
    @Test(arguments: Engine.allCases) func enumsAreSelectedAndGrouped(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Carrier.self) }
        let carriers = Format.allCases.map { format in
            Carrier(
                id: format, format: format == .disc ? .tape : format, former: format == .tape ? nil : .vinyl, side: format == .vinyl ? nil : .second,
                sides: [.second, .first], origin: Reference(id: .tape))
        }
        try fixture.store.save(carriers)
        try fixture.reopenStore()
        let fetch = fixture.store.fetch(Carrier.self)
        #expect(try fetch.all() == carriers.sorted { $0.id.rawValue < $1.id.rawValue })
        #expect(try fetch.where { $0.format == .tape && $0.side != nil && $0.format < .vinyl && $0.sides.contains(.first) && $0.origin == Reference(id: .tape) }.count() == 2)
        #expect(try fetch.sorted(by: \.format).select(\.id, \.former).all().map { "\($0.0) \($0.1?.rawValue ?? "-")" } == ["disc v", "tape -", "vinyl v"])
        let groups = try fetch.grouped(by: \.format, \.side).aggregate(.count, .maximum(\.id))
        #expect(groups.map { "\($0.key.0) \($0.key.1?.rawValue ?? 0) \($0.values.0) \($0.values.1?.rawValue ?? "-")" } == ["tape 2 2 t", "vinyl 0 1 v"])
        #expect(try fetch.distinct(\.format) == [.tape, .vinyl])
        #expect(try fetch.distinct { $0.former } == [nil, .vinyl])
        #expect(try fixture.store.resolve(Reference<Carrier>(id: .tape)) == carriers[1])
        #expect(try fixture.store.verify().isSound)
        // The same bytes as those of an enum without the protocol.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: PlainCarrier.self) }
        #expect(try fixture.store.fetch(PlainCarrier.self).where { $0.former == nil }.all().map(\.format) == [.tape])
    }

    @Model("Stock") struct Stock: Equatable {
        var id: Int
        var counts: [Format: Int]
        var shelves: [Character: [Format: Int]] = [:]
    }
    @Model("Stock") struct PlainStock: Equatable {
        var id: Int
        var counts: [String: Int]
        var shelves: [String: [String: Int]] = [:]
    }

    /// A dictionary with keys of a type that is stored as a text has the bytes of one with texts, so either is read as the other.
    @Test(arguments: Engine.allCases) func keysThatAreStoredAsTextsAreTexts(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainStock.self) }
        try fixture.store.save(PlainStock(id: 1, counts: ["v": 3], shelves: ["a": ["t": 1]]))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Stock.self) }
        #expect(try fixture.store.fetch(Stock.self, id: 1) == Stock(id: 1, counts: [.vinyl: 3], shelves: ["a": [.tape: 1]]))
        let second = Stock(id: 2, counts: [.tape: 4, .disc: 5], shelves: ["é": [.vinyl: 6]])
        try fixture.store.save(second)
        try fixture.store.write { transaction in
            var record = try #require(try transaction.storedRecord(of: "Stock", key: 1.keyBytes))
            try record.set("counts", to: .object(["v": .int(7)]))
            try transaction.save(record)
            let other = try #require(try transaction.storedRecord(of: "Stock", key: 2.keyBytes))
            #expect(try other.value(of: "counts", as: [String: Int].self) == ["t": 4, "d": 5])
            #expect(try other.value(of: "counts", as: [Format: Int].self) == second.counts)
        }
        #expect(try fixture.store.fetch(Stock.self, id: 1)?.counts == [.vinyl: 7])
        #expect(try fixture.store.fetch(Stock.self).where(Filter(criteria: "counts.t = 4 and shelves.é.v = 6")).all() == [second])
        #expect(try fixture.store.object(Stock.self, json: fixture.store.json(of: second)) == second)
        var text: [UInt8] = []
        try fixture.store.exportJSON(into: { text.append(contentsOf: $0) })
        #expect(String(decoding: text, as: UTF8.self).contains(#""counts":{"v":7}"#))
        let other = try ObjectStore(MemoryBackend(), models: Stock.self)
        try other.importJSON(Data(text))
        #expect(try other.fetch(Stock.self).all() == fixture.store.fetch(Stock.self).all())
        #expect(try fixture.store.verify().isSound)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: PlainStock.self) }
        #expect(try fixture.store.fetch(PlainStock.self, id: 2) == PlainStock(id: 2, counts: ["t": 4, "d": 5], shelves: ["é": ["v": 6]]))
    }

    /// They were once stored with their keys as values.
    @Test func textsAsKeysAreReadInBothForms() throws {
        let stored = StoredValue.dictionary([.string("v"): .int(3)])
        #expect(try [Format: Int](converting: stored) == [.vinyl: 3])
        #expect(try [String: Int](converting: stored) == ["v": 3])
        #expect(try stored.converted(to: [Format: Int].fieldType) == .object(["v": .int(3)]))
        #expect(throws: DecodingFault.self) { try StoredValue.dictionary([.int(1): .int(3)]).converted(to: [Format: Int].fieldType) }
    }

    @Model("Trip") struct StoredTrip {
        var id: Int
        var length: Double
    }
    @Model struct Trip {
        var id: Int
        var length: Distance
    }

    /// What no value was stored as is an error that names the field, and no crash.
    @Test(arguments: Engine.allCases) func whatNoValueIsStoredAsIsAnError(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: StoredTrip.self) }
        try fixture.store.save([StoredTrip(id: 1, length: 5), StoredTrip(id: 2, length: -5)])
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Trip.self) }
        #expect(try fixture.store.fetch(Trip.self, id: 1)?.length.meters == 5)
        #expect { try fixture.store.fetch(Trip.self, id: 2) } throws: { error in
            if case TroveError.decodingFailed(model: "Trip", field: "length", _, let reason) = error { reason.contains("Distance") } else { false }
        }
    }
}

/// A value that cannot be stored is told by its field.
@Suite struct EncodingFailureTests {
    struct Refusing: Codable, Equatable {
        var isRefused = false

        func encode(to encoder: any Encoder) throws {
            if isRefused { throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "it is refused")) }
            var container = encoder.singleValueContainer()
            try container.encode(isRefused)
        }

        init(isRefused: Bool) { self.isRefused = isRefused }
        init(from decoder: any Decoder) throws { isRefused = try decoder.singleValueContainer().decode(Bool.self) }
    }

    @Model struct Mixed {
        var id: Int
        var number: Int
        var text: String
        var first: Refusing
        var optional: Double?
        var second: [String: Refusing]
        var last: UUID?
    }

    @Model final class LiveMixed {
        var number = 1
        var value: Refusing
        var text = ""

        init(value: Refusing) { self.value = value }
    }

    private func fields(_ body: () throws -> Void) -> (field: String, reason: String)? {
        do {
            try body()
        } catch TroveError.encodingFailed(_, let field, let reason) {
            return (field, reason)
        } catch {
            Issue.record(error)
        }
        return nil
    }

    @Test(arguments: Engine.allCases) func theFieldIsNamed(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Mixed.self, LiveMixed.self) }
        let (sound, refused) = (Refusing(isRefused: false), Refusing(isRefused: true))
        let first = Mixed(id: 1, number: 2, text: "x", first: refused, optional: 1, second: [:], last: nil)
        #expect(fields { try fixture.store.save(first) }?.field == "first")
        let second = Mixed(id: 1, number: 2, text: "x", first: sound, optional: nil, second: ["k": refused], last: UUID())
        let failure = fields { try fixture.store.save(second) }
        #expect(failure?.field == "second" && failure?.reason == "k: it is refused")
        let context = ObjectContext(fixture.store)
        #expect(fields {
            try context.insert(LiveMixed(value: refused))
            try context.save()
        }?.field == "value")
        #expect(try fixture.store.fetch(Mixed.self).count() == 0)
    }
}
