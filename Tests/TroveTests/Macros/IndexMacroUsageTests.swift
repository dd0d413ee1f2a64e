import Testing

@testable import Trove

/// The indexes that models declare by attributes and macros, as a store sees them.
@Suite struct IndexMacroUsageTests {
    private func schemas<M: Model>(of model: M.Type) throws -> [IndexSchema] {
        try model.indexes.map { try $0.schema() }
    }

    private func ordered(_ paths: String..., isUnique: Bool = false) -> IndexSchema {
        IndexSchema(kind: .ordered(isUnique: isUnique), parts: paths.map { IndexPart(FieldPath($0)) })
    }

    @Test func attributes() throws {
        let fold = { IndexPart(FieldPath($0), ignoringCase: true) }
        #expect(
            try Array(schemas(of: MacroIndexed.self).prefix(9)) == [
                ordered("artist"),
                IndexSchema(kind: .fullText(FullTextOptions(), weights: [1]), parts: [IndexPart(FieldPath("title"))]),
                ordered("album"),
                IndexSchema(parts: [fold("album")]),
                ordered("isrc", isUnique: true),
                IndexSchema(kind: .ordered(isUnique: true), parts: [fold("default")]),
                IndexSchema(kind: .substring, parts: [IndexPart(FieldPath("file"))]),
                ordered("tags"),
                ordered("labels"),
            ])
        #expect(MacroIndexed.schema.fields[1].options == .writeOnce)
        #expect(MacroIndexed.schema.fields[0].options.isEmpty)
        #expect(MacroIndexed.schema.fields.first { $0.name == "tags" }?.originalName == "marks")
    }

    @Test func macros() throws {
        let path = FieldPath.init(_:)
        let part = { IndexPart(FieldPath($0)) }
        #expect(
            try Array(schemas(of: MacroIndexed.self).dropFirst(9)) == [
                ordered("artist", "year"),
                ordered("seconds"),
                IndexSchema(
                    "by artist", parts: [IndexPart(path("artist"), ignoringCase: true), IndexPart(path("year"), .descending)],
                    covered: [path("title"), path("seconds")]),
                IndexSchema(
                    parts: [part("year"), part("artist")], covered: [path("title")], aggregates: [.count, .sum(path("seconds"))]),
                ordered("address.city"),
                ordered("other.city", "artist"),
                IndexSchema(parts: [part("labels.genre"), IndexPart(path("address.street"), .descending, ignoringCase: true)]),
                IndexSchema("decade", parts: [part("decade")], aggregates: [.count], derivedVersion: 2),
                IndexSchema("initial", parts: [part("initial")], derivedVersion: 1),
                IndexSchema("work", kind: .ordered(isUnique: true), parts: [part("artist"), part("title")]),
                IndexSchema(kind: .ordered(isUnique: true), parts: [IndexPart(path("email"), ignoringCase: true)]),
                IndexSchema(kind: .fullText(FullTextOptions(), weights: [1, 1]), parts: [part("title"), part("artist")]),
                IndexSchema(kind: .fullText(FullTextOptions(), weights: [1]), parts: [part("address.street")]),
                IndexSchema(kind: .substring, parts: [part("address.street")]),
                IndexSchema(kind: .substring, parts: [part("path")]),
                IndexSchema(
                    "plain", parts: [IndexPart(path("album"), ignoring: [.case, .diacritics]), IndexPart(path("title"), .descending, ignoring: .diacritics)]),
                IndexSchema(parts: [IndexPart(path("address.city"), .descending, ignoring: .diacritics)]),
                IndexSchema(kind: .substring, parts: [IndexPart(path("address.city"), ignoring: .diacritics)]),
            ])
    }

    @Test func withoutAccents() throws {
        let (name, code) = (FieldPath("name"), FieldPath("code"))
        #expect(
            try schemas(of: MacroIndexPlain.self) == [
                IndexSchema(parts: [IndexPart(name, ignoring: [.case, .diacritics])]),
                IndexSchema(kind: .substring, parts: [IndexPart(name, ignoring: .diacritics)]),
                IndexSchema(kind: .ordered(isUnique: true), parts: [IndexPart(code, ignoring: .diacritics)]),
            ])
    }

    @Test func names() throws {
        let names = try schemas(of: MacroIndexed.self).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.contains("artist, year"))
        #expect(names.contains("unique isrc"))
    }

    @Test func derivedValues() throws {
        let song = MacroIndexOuter.Inner(year: 1959, name: "a")
        let derived = try #require(MacroIndexOuter.Inner.indexes.first?.derived)
        #expect((derived.name, derived.version, derived.type) == ("decade", 1, .int64))
        var bytes = ByteWriter()
        try derived.encode(song, &bytes)
        var expected = ByteWriter()
        try 1950.encodeNested(into: &expected)
        #expect(bytes.bytes() == expected.bytes())
        #expect(try schemas(of: MacroIndexOuter.Inner.self)[1] == ordered("year", "name"))
    }

    @Test func besideAnIdentity() throws {
        #expect(try schemas(of: MacroIndexPublic.self) == [ordered("name", isUnique: true), ordered("name", "code")])
        #expect(MacroIndexPublic(code: "a", name: "b").id == "a")
    }

    @Test func byHandOrNone() throws {
        #expect(try schemas(of: MacroIndexesByHand.self).map(\.name) == ["by hand"])
        #expect(MacroSong.indexes.isEmpty)
    }
}
