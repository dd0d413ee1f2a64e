import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Values and ids that a review found to come back wrong.
@Suite struct ValueRuleTests {
    enum JSON: Codable, Hashable, Sendable, ExpressibleByNilLiteral {
        case null, text(String)
        init(nilLiteral: ()) { self = .null }
    }
    @Model struct Event: Equatable {
        var id: Int
        var payload: JSON
        var note: String?
        var optionalPayload: JSON?
    }

    /// A type that is made by `nil` was taken for an optional, and took the bit of the next one.
    @Test func nilLiteralTypesAreNotOptionals() throws {
        let store = try ObjectStore(MemoryBackend(), models: Event.self)
        for event in [
            Event(id: 1, payload: .text("a"), note: nil, optionalPayload: nil),
            Event(id: 2, payload: .null, note: "n", optionalPayload: .some(.null)),
        ] {
            try store.save(event)
            #expect(try store.fetch(Event.self, id: event.id) == event)
        }
    }

    /// Asks for each of its containers twice, as code does that writes a value in parts.
    struct Address: Codable, Equatable {
        enum Key: String, CodingKey { case info, lines }
        enum Info: String, CodingKey { case city, code }
        var city: String
        var code: Int
        var first: String
        var second: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var cities = container.nestedContainer(keyedBy: Info.self, forKey: .info)
            try cities.encode(city, forKey: .city)
            var codes = container.nestedContainer(keyedBy: Info.self, forKey: .info)
            try codes.encode(code, forKey: .code)
            var beginning = container.nestedUnkeyedContainer(forKey: .lines)
            try beginning.encode(first)
            var end = container.nestedUnkeyedContainer(forKey: .lines)
            #expect(end.count == 1)
            try end.encode(second)
        }

        init(city: String, code: Int, first: String, second: String) { (self.city, self.code, self.first, self.second) = (city, code, first, second) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let info = try container.nestedContainer(keyedBy: Info.self, forKey: .info)
            var lines = try container.nestedUnkeyedContainer(forKey: .lines)
            try self.init(
                city: info.decode(String.self, forKey: .city), code: info.decode(Int.self, forKey: .code), first: lines.decode(String.self),
                second: lines.decode(String.self))
        }
    }
    @Model struct House: Equatable {
        var id: Int
        var address: Address
    }

    /// The second container took the place of the first, and what was written into that was lost.
    @Test(arguments: Engine.allCases) func aNestedContainerThatIsAskedForAgainGoesOn(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: House.self) }
        let house = House(id: 1, address: Address(city: "Bern", code: 3_000, first: "A", second: "B"))
        try fixture.store.save(house)
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(House.self, id: 1) == house)
    }

    enum Part: String, Codable { case body, neck }
    struct Finish: Codable, Equatable {
        var colors: Set<String>
        var woods: [Part: Set<Int>]
        var layers: [Set<[String]>]
    }
    @Model struct Guitar: Equatable {
        var id: Int
        var finish: Finish
        var stickers: Set<Sticker>
    }
    struct Sticker: Codable, Hashable { var name: String }

    /// They were stored in Swift's order, which equal sets need not share: no condition found them, and every save took them for changed.
    @Test(arguments: Engine.allCases) func setsInCodableValuesAreStoredInOneOrder(engine: Engine) throws {
        func guitar(capacity: Int) -> Guitar {
            var (colors, numbers, layers) = (Set<String>(minimumCapacity: capacity), Set<Int>(minimumCapacity: capacity), Set<[String]>(minimumCapacity: capacity))
            var stickers = Set<Sticker>(minimumCapacity: capacity)
            for number in 0..<50 {
                colors.insert("color \(number)")
                numbers.insert(number)
                layers.insert(["layer", "\(number)"])
                stickers.insert(Sticker(name: "\(number)"))
            }
            var woods = [Part: Set<Int>](minimumCapacity: capacity)
            for part in capacity == 0 ? [Part.body, .neck] : [.neck, .body] { woods[part] = numbers }
            return Guitar(id: 1, finish: Finish(colors: colors, woods: woods, layers: [layers, []]), stickers: stickers)
        }
        let (one, other) = (guitar(capacity: 0), guitar(capacity: 4_000))
        #expect(one == other && Array(one.finish.colors) != Array(other.finish.colors))
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Guitar.self) }
        try fixture.store.save(one)
        #expect(try fixture.store.fetch(Guitar.self, id: 1) == one)
        #expect(try fixture.store.upsert(other) == .unchanged)
        #expect(try fixture.store.fetch(Guitar.self).where { $0.finish == other.finish && $0.stickers == other.stickers }.count() == 1)
        #expect(try fixture.store.json(of: one) == fixture.store.json(of: other))
    }

    /// Reads what fits of a list, and what its superclass would have, which is nothing.
    private struct Fitting: Decodable {
        private struct Anything: Decodable {
            init(from decoder: any Decoder) throws {}
        }

        var numbers: [Int] = []
        var texts: [String] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if let number = try? list.decode(Int.self) {
                    numbers.append(number)
                } else if (try? list.nestedContainer(keyedBy: PositionKey.self)) == nil, (try? list.nestedUnkeyedContainer()) == nil {
                    if let text = try? list.decode(String.self) { texts.append(text) } else { _ = try list.decode(Anything.self) }
                }
            }
        }
    }

    /// The element after one that did not fit was passed over.
    @Test func elementsThatDoNotFitStayTheNext() throws {
        let list = StoredValue.array([.int(1), .string("x"), .int(2), .bool(true), .array([]), .object([:]), .int(3), .string("y")])
        let found = try list.decoded(as: Fitting.self)
        #expect(found.numbers == [1, 2, 3] && found.texts == ["x", "y"])
    }

    private struct Derived: Decodable {
        var isWithoutSuper: Bool

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: PositionKey.self)
            isWithoutSuper = try [values.superDecoder(), values.superDecoder(forKey: PositionKey(1))].allSatisfy { try $0.singleValueContainer().decodeNil() }
        }
    }

    @Test func whatASuperclassHasNotStoredIsNil() throws {
        #expect(try StoredValue.object([:]).decoded(as: Derived.self).isWithoutSuper)
        #expect(try !StoredValue.object(["super": .int(1)]).decoded(as: Derived.self).isWithoutSuper)
    }

    @Model struct Labels: Equatable {
        var id: Int
        var tags: Set<String>
        var groups: [Set<String>]
        var sizes: Set<Double>
    }

    /// A set that was given as a list kept what was there twice, and one inside of another collection its order.
    @Test(arguments: Engine.allCases) func setsThatAreGivenAsListsAreSets(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Labels.self) }
        let store = fixture.store
        try store.save(Labels(id: 1, tags: ["a", "\u{E9}"], groups: [["b", "x"], []], sizes: [0, 1]))
        let native = try #require(try store.bytes(of: "Labels", key: 1.keyBytes))
        try store.write { transaction in
            var record = try #require(try transaction.storedRecord(of: "Labels", key: 1.keyBytes))
            try record.set("tags", to: .array([.string("\u{E9}"), .string("a"), .string("\u{E9}"), .string("a")]))
            try record.set("groups", to: .array([.array([.string("x"), .string("b"), .string("x")]), .array([])]))
            try record.set("sizes", to: .array([.double(0), .double(1), .double(0), .double(1)]))
            try transaction.save(record)
        }
        #expect(try store.bytes(of: "Labels", key: 1.keyBytes) == native)
        var bytes: [UInt8] = []
        try store.exportJSON(into: { bytes.append(contentsOf: $0) })
        let text = String(decoding: bytes, as: UTF8.self)
            .replacingOccurrences(of: "[\"a\",\"\u{E9}\"]", with: "[\"\u{E9}\",\"a\",\"\u{E9}\",\"a\"]")
            .replacingOccurrences(of: "[\"b\",\"x\"]", with: "[\"x\",\"b\",\"x\"]").replacingOccurrences(of: "[0.0,1.0]", with: "[0.0,1.0,0.0]")
        #expect(text.utf8.count == bytes.count + 9 + 4 + 4)
        try store.delete(Labels.self, id: 1)
        try store.importJSON(Data(text.utf8))
        #expect(try store.bytes(of: "Labels", key: 1.keyBytes) == native)
    }

    /// Stored in small letters.
    struct Tag: StorableConvertible, Hashable {
        var text: String
        var storedForm: String { text.lowercased() }

        init(_ text: String) { self.text = text }
        init?(storedForm: String) { text = storedForm }
    }

    /// Stored without what is behind the point.
    struct Size: StorableConvertible, Hashable {
        var number: Double
        var storedForm: Int { Int(number) }

        init(_ number: Double) { self.number = number }
        init?(storedForm: Int) { number = Double(storedForm) }
    }

    @Model struct Sorted {
        var id: Int
        var tags: Set<Tag> = []
        var counts: [Tag: Int] = [:]
        var sizes: [Size: Int] = [:]
        var numbers: Set<Double> = []
    }

    /// One of two entries that were stored alike was lost without a word.
    @Test(arguments: Engine.allCases) func whatIsStoredAlikeIsRefused(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Sorted.self) }
        let store = fixture.store
        let refused = [
            Sorted(id: 1, tags: [Tag("A"), Tag("a")]), Sorted(id: 1, counts: [Tag("A"): 1, Tag("a"): 2]), Sorted(id: 1, sizes: [Size(1.25): 1, Size(1.5): 2]),
        ]
        for object in refused {
            #expect { try store.save(object) } throws: { error in
                if case TroveError.encodingFailed("Sorted", _, let reason) = error { reason.contains("stored alike") } else { false }
            }
        }
        #expect(try store.fetch(Sorted.self).count() == 0)
        try store.save(Sorted(id: 1, tags: [Tag("a"), Tag("B")], counts: [Tag("a"): 1, Tag("b"): 2], sizes: [Size(1): 1, Size(2.5): 2], numbers: [.nan, .nan, 1]))
        let found = try #require(try store.fetch(Sorted.self, id: 1))
        #expect(found.tags == [Tag("a"), Tag("b")] && found.counts == [Tag("a"): 1, Tag("b"): 2] && found.sizes == [Size(1): 1, Size(2): 2])
        #expect(found.numbers.count == 3, "no NaN equals another")
    }

    /// Texts that Swift takes for one were one element, though they are two ids, and two elements of the same set of references.
    @Test(arguments: Engine.allCases) func bytesTellTheElementsOfASetApart(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Labels.self) }
        let store = fixture.store
        try store.save(Labels(id: 1, tags: [], groups: [], sizes: []))
        let texts: [StoredValue] = [.string("e\u{301}"), .string("\u{E9}")]
        try store.write { transaction in
            var record = try #require(try transaction.storedRecord(of: "Labels", key: 1.keyBytes))
            try record.set("tags", to: .array([texts[1], texts[0], texts[1], texts[0]]))
            try record.set("groups", to: .array([.array([texts[1], texts[0], texts[1]])]))
            try transaction.save(record)
        }
        let stored = try #require(try store.read { try $0.storedRecord(of: "Labels", key: 1.keyBytes) })
        // `==` of stored values heeds bytes.
        #expect(try stored.value(of: "tags") as StoredValue == .array([texts[1], texts[0]]))
        #expect(try stored.value(of: "groups") as StoredValue == .array([.array([texts[1], texts[0]])]))
        #expect(try store.verify().isSound)
    }

    @Model struct Amount: Equatable {
        var id: Decimal
    }

    /// Decimals of 39 digits could be saved as ids and not read.
    @Test func everyDecimalIsAnId() throws {
        let store = try ObjectStore(MemoryBackend(), models: Amount.self)
        let ascending = [
            -Decimal.greatestFiniteMagnitude, Decimal(sign: .minus, exponent: 127, significand: 7), .leastNonzeroMagnitude, .pi, 10, 1_000,
            .greatestFiniteMagnitude,
        ]
        try store.save(ascending.map { Amount(id: $0) })
        #expect(try store.fetch(Amount.self).ids() == ascending)
        for id in ascending { #expect(try store.fetch(Amount.self, id: id)?.id == id) }
    }

    enum Before {
        @Model("account") struct Account {
            var id: Int
        }
    }
    enum After {
        @Model("account") struct Account: Equatable {
            var id: Int
            @Attribute(.writeOnce) var created: String?
        }
    }

    /// A property added as write-once kept the default that old records were read with, for ever.
    @Test func writeOnceBeginsWithTheFirstStoredValue() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Before.Account.self) }
        try fixture.store.save(Before.Account(id: 1))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: After.Account.self) }
        try fixture.store.save(After.Account(id: 1, created: "monday"))
        try fixture.store.save(After.Account(id: 1, created: "tuesday"))
        #expect(try fixture.store.fetch(After.Account.self, id: 1)?.created == "monday")
    }

    /// A damaged record of a type the program lacks could not be removed.
    @Test func damagedRecordsCanBeRemoved() throws {
        let store = try ObjectStore(MemoryBackend(), models: Before.Account.self)
        try store.save(Before.Account(id: 1))
        try store.setBytes([1, 2, 3], of: "account", key: 1.keyBytes)
        let problem = try #require(try store.verify().problems.first)
        #expect(try store.write { try $0.deleteStoredRecord(of: problem.modelName, key: problem.key) })
        #expect(try store.verify().isSound)
    }

    /// Data that differed behind its first 80 bytes had one hash: an import took one for the other, and look-ups compared all.
    @Test func hashesTellAllBytesOfData() {
        func value(_ last: UInt8) -> StoredValue { .data(Data([UInt8](repeating: 1, count: 100) + [last])) }
        #expect(value(1).hashValue == value(1).hashValue && value(1).hashValue != value(2).hashValue)
        func wholeHash(_ value: StoredValue) -> Int { StoredValue.object(["data": .array([value])]).wholeHash(without: []) }
        #expect(wholeHash(value(1)) == wholeHash(value(1)) && wholeHash(value(1)) != wholeHash(value(2)))
    }
}
