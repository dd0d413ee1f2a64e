import Foundation

extension StoredValue {
    /// The value as JSON, which ``init(json:)`` reads back as an equal value.
    ///
    /// ```swift
    /// let value: StoredValue = .object(["title": .string("So What"), "recorded": .date(date), "plays": .int(7)])
    /// try value.json()        // {"plays":7,"recorded":{"$date":"1959-03-02T00:00:00Z"},"title":"So What"}
    /// ```
    ///
    /// What JSON has itself is written so; other types have a tag, as `docs/json.md` lists them. Names are in the order
    /// of their bytes, so one value has one text.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` for a value that cannot be stored: one that nests deeper than 256 levels, or a collection
    ///   of more than 4,194,304 members.
    public func json(_ style: JSONStyle = .compact) throws -> String {
        try withJSON(style) { String(storedUTF8: $0) }
    }

    /// The UTF-8 of ``json(_:)``.
    public func jsonData(_ style: JSONStyle = .compact) throws -> Data {
        try withJSON(style) { Data($0) }
    }

    /// The value as JSON for readers that know nothing of tags: its names are as they are.
    func plainJSON(_ style: JSONStyle) throws -> String {
        try withJSON(style, marksNames: false) { String(storedUTF8: $0) }
    }

    /// The value as JSON on one line; as it describes itself where it is none that can be stored.
    var shownAsJSON: String { (try? json()) ?? description }

    private func withJSON<Result>(_ style: JSONStyle, marksNames: Bool = true, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var nested = ByteWriter()
        do {
            try encodeNested(into: &nested)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: "JSON", field: "value", reason: reason)
        }
        var writer = JSONWriter(style, capacity: 2 * nested.count + 16, marksNames: marksNames)
        try nested.withBytes { try $0.withUnsafeBytes { try writer.value(FieldValue(nested: $0)) } }
        return try writer.bytes.withBytes { try $0.withUnsafeBytes(body) }
    }

    /// Reads a value from JSON.
    ///
    /// Integers without a point or exponent are `.int`, or wider where they are larger; other numbers are `.double`. Tagged values are what their tags say.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` with the place, when the text is no JSON (RFC 8259), a name is there twice, a number is
    ///   beyond its type, or values nest deeper than 256 levels.
    /// - Complexity: O(*n* log *n*) in the size of the text, in memory of a small multiple of it.
    public init(json text: String) throws {
        self = try text.withRawUTF8 { try StoredValue(jsonBytes: $0) }
    }

    /// Reads a value from the UTF-8 of JSON.
    ///
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)``.
    public init(json data: some ContiguousBytes) throws {
        self = try data.withUnsafeBytes { try StoredValue(jsonBytes: $0) }
    }

    init(jsonBytes bytes: UnsafeRawBufferPointer) throws {
        var nested = ByteWriter(capacity: bytes.count + 16)
        do throws(JSONFault) {
            var parser = JSONParser(bytes)
            try parser.value(into: &nested)
            try parser.finish()
        } catch {
            throw error.error(in: bytes)
        }
        self = try nested.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: $0).storedValue() } }
    }
}

/// A type that describes itself as JSON: filters, queries, declarations of indexes, layouts, plans, statistics.
///
/// ```swift
/// print(try store.fetch(Song.self).where { $0.year > 1990 }.explain().json(.pretty))
/// ```
public protocol JSONRepresentable {
    /// The description, as a value.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when it nests deeper than values do.
    func jsonValue() throws -> StoredValue
}

extension JSONRepresentable {
    /// The JSON of ``jsonValue()``, with names in the order of their bytes.
    public func json(_ style: JSONStyle = .compact) throws -> String { try jsonValue().json(style) }
}

extension StoredValue: JSONRepresentable {
    /// The value itself.
    public func jsonValue() throws -> StoredValue { self }
}

extension StoredValue {
    /// A text, or nil where there is none.
    static func optional(_ text: String?) -> StoredValue { text.map { .string($0) } ?? .null }

    static func number(_ number: Int) -> StoredValue { .int(Int64(number)) }
}
