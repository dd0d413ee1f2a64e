import Foundation
import Testing
import Trove

@testable import TestModels

/// Models as users write them, through the compiler: what `@Model` writes compiles in all these places and reads back what it stored.
@Suite struct ModelMacroUsageTests {
    private func expectRoundTrip<M: Model & Equatable>(
        _ object: M, fields: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(M.schema.fields.map(\.name) == fields, sourceLocation: sourceLocation)
        let read = try RecordRoundTrip.of(object)
        #expect(read == object, sourceLocation: sourceLocation)
        #expect(read.id == object.id, sourceLocation: sourceLocation)
    }

    @Test func fieldsAndTheirOptions() throws {
        var song = MacroSong(artist: "Bill Evans", title: "Autumn Leaves", created: Date(timeIntervalSince1970: 5), isrc: "i", default: 8)
        song.volume = 11
        try expectRoundTrip(
            song, fields: ["artist", "title", "year", "tags", "rating", "created", "changes", "volume", "isrc", "default"])
        let schema = MacroSong.schema
        #expect(schema.name == "MacroSong")
        #expect(schema.version == 1)
        #expect(schema.fields.map(\.hasDefault) == [false, false, true, true, true, false, true, true, false, false])
        #expect(schema.fields[4].options == .keepIfNil)
        #expect(schema.fields[5].options == .writeOnce)
        #expect(schema.fields[5].originalName == "added")
        #expect(schema.fields[0].options.isEmpty)
    }

    @Test func observersDoNotRunOnReading() throws {
        var song = MacroSong(artist: "a", title: "b", created: .now, isrc: "i", default: 8)
        song.volume = 11
        #expect(try RecordRoundTrip.of(song).changes == 1)
    }

    @Test func transientPropertiesComeBackWithTheirDefault() throws {
        let song = MacroSong(artist: "a", title: "b", created: .now, isSelected: true, isrc: "i", default: 8)
        #expect(try !RecordRoundTrip.of(song).isSelected)
        var object = MacroTransients(value: 3, optional: 4)
        object.second = 9
        let read = try RecordRoundTrip.of(object)
        #expect((read.value, read.optional, read.second) == (3, nil, 2))
        var lazy = try RecordRoundTrip.of(MacroLazy(value: 4))
        #expect(lazy.double == 8)
    }

    @Test func accessLevels() throws {
        try expectRoundTrip(MacroPublic.sample(), fields: ["title", "plays", "note", "secret", "isrc"])
        try expectRoundTrip(MacroPackage.sample(), fields: ["title", "secret"])
        try expectRoundTrip(MacroPublic.Cover(path: "p", side: .back), fields: ["path", "side"])
        #expect(try macroPrivateSample())
        #expect(try MacroPublicKey.fileprivateSample())
    }

    @Test func nesting() throws {
        try expectRoundTrip(MacroOuter.Inner(kind: .b, count: 4, other: nil), fields: ["kind", "count", "other", "none"])
        try expectRoundTrip(MacroOuter.Inner.Deep(kind: .b), fields: ["name", "kind"])
        try expectRoundTrip(MacroOuter.WithInitializer(count: 4), fields: ["kind", "count"])
        try expectRoundTrip(MacroClass.Nested(value: 9), fields: ["value"])
    }

    @Test func declaredIDs() throws {
        try expectRoundTrip(MacroIDFirst(id: "x", value: 3), fields: ["value"])
        try expectRoundTrip(MacroIDBetween(name: "x", id: UUID(), value: 4), fields: ["name", "value"])
        try expectRoundTrip(MacroIDComputed(name: "x"), fields: ["name"])
    }

    @Test func generatedIDIsTheLastMemberwiseParameter() throws {
        let id = ObjectID()
        let object = MacroStated(value: 3, id: id)
        #expect(object.id == id)
        #expect(MacroStated() != MacroStated())
    }

    @Test func identities() throws {
        try expectRoundTrip(MacroCountry(code: "fr", name: "France"), fields: ["code", "name"])
        #expect(MacroCountry(code: "fr", name: "France").id == "fr")
        try expectRoundTrip(MacroPackageVersion(name: "trove", version: "1"), fields: ["name", "version"])
        #expect(MacroPackageVersion(name: "trove", version: "1").id == MacroPackageVersion.ID(name: "trove", version: "1"))
        try expectRoundTrip(MacroOuter.Keyed(name: "x", number: 3), fields: ["name", "number", "count"])
        try expectRoundTrip(MacroOuter.KeyedByOne(name: "x"), fields: ["name"])
        try expectRoundTrip(MacroPublicKey(work: "w", default: 3, `inout`: nil), fields: ["work", "default", "inout", "let"])
    }

    @Test func compositeIDsAreOrderedAndReadBack() throws {
        func id(_ name: String, _ version: String) -> MacroPackageVersion.ID { .init(name: name, version: version) }
        let ascending = [id("", "z"), id("a", ""), id("a", "b"), id("ab", "a")]
        #expect(ascending.map(\.keyBytes) == ascending.reversed().map(\.keyBytes).sorted { $0.lexicographicallyPrecedes($1) })
        for id in ascending {
            #expect(try MacroPackageVersion.ID(keyBytes: id.keyBytes) == id)
        }
    }

    @Test func otherConformancesAndInitializers() throws {
        let codable = MacroCodable(title: "a")
        try expectRoundTrip(codable, fields: ["title", "year"])
        try expectRoundTrip(MacroInitializer(title: "a"), fields: ["title", "year", "note"])
        try expectRoundTrip(MacroStated(value: 4), fields: ["value"])
        try expectRoundTrip(MacroByHand(value: 4), fields: ["number"])
        #expect(MacroByHand.schema.version == 3)
    }

    @Test func optionals() throws {
        let names = [
            "number", "long", "forced", "forcedText", "mood", "moodByDefault", "address", "addressByDefault", "explicitNil",
        ]
        try expectRoundTrip(MacroOptionals(long: nil), fields: names)
        let address = MacroOptionals.Address(city: "Rome")
        try expectRoundTrip(
            MacroOptionals(
                number: 1, long: 2, forced: 3, forcedText: nil, mood: .wild, moodByDefault: nil, address: address,
                addressByDefault: nil, explicitNil: address),
            fields: names)
    }

    @Test func codableAndRawValues() throws {
        try expectRoundTrip(
            MacroValues(mood: .wild, address: .init(city: "Rome"), addresses: [.init()], moods: [], byName: ["a": .init()]),
            fields: ["mood", "address", "addresses", "moods", "byName"])
    }

    @Test func unusualDeclarations() throws {
        try expectRoundTrip(MacroSeveral(c: 3, d: 4, e: "e", f: "f", g: 7), fields: ["a", "b", "c", "d", "e", "f", "g", "h"])
        try expectRoundTrip(
            MacroNames(record: 1, schema: "s", encode: 2, self: 3, class: "c"),
            fields: ["record", "key", "schema", "encode", "self", "class", "größe", "my field"])
        try expectRoundTrip(MacroExpressions(), fields: ["closure", "lines", "text", "last"])
        try expectRoundTrip(MacroConditional(value: 6), fields: ["value"])
        try expectRoundTrip(MacroMarker(), fields: [])
    }

    @Test func recordsOfAnEarlierVersion() throws {
        let old = MacroVersionOne(name: "a", year: 1959)
        let read = try RecordRoundTrip.decode(old, as: MacroVersionTwo.self)
        #expect(MacroVersionTwo.schema.version == 2)
        #expect(read == MacroVersionTwo(year: 1959, tags: ["new"], mood: .wild, note: nil, title: "a", id: old.id))
    }
}
