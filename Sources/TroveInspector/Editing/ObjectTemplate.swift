import Trove
import TroveStoreTools

/// The JSON of a new object, to be filled in. It can be stored as it is, but for what only the program can tell: `Codable` values, and rules of its own.
enum ObjectTemplate {
    /// An object with every property that the model has, and with the id where no save makes it.
    static func text(of model: StoredModel) throws -> String {
        guard !model.isCollection, let layout = model.layouts.first else { return "{\n  \n}" }
        let id = try id(of: layout).map { ["  \"$id\": \($0)"] } ?? []
        let properties = layout.fields.map { name, type in "  \(written(name)): \(blank(type))" }
        return "{\n" + (id + properties).joined(separator: ",\n") + "\n}"
    }

    /// A name in quotes; one that begins with `$` has another before it, or it would be a tag.
    private static func written(_ name: String) -> String {
        var bytes: [UInt8] = []
        JSONText(isForTerminal: true).appendName(name, isData: true, to: &bytes)
        if bytes.last == UInt8(ascii: ":") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The id; nil where it is made anew, or of properties.
    private static func id(of layout: StoredLayout) throws -> String? {
        let description = try layout.jsonValue()
        if description.value(at: "identity") != nil || ["ObjectID", "UUID"].contains(layout.idType) { return nil }
        guard case .array(let parts)? = description.value(at: "parts"), !parts.isEmpty else { return blank(idType: layout.idType) }
        let blanks = parts.array.map { part in
            // The part's name and its type.
            if case .array(let pair) = part, case .string(let type)? = pair.array.last { blank(idType: type) } else { "null" }
        }
        return "[\(blanks.joined(separator: ", "))]"
    }

    /// Of an id the catalogue has the type's name alone.
    private static func blank(idType name: String) -> String {
        switch name {
        case "String": blank(.string)
        case "Bool": blank(.bool)
        case "Float": blank(.float)
        case "Decimal": blank(.decimal)
        case "Date": blank(.date)
        case "Duration": blank(.duration)
        case "URL": blank(.url)
        case "UUID", "ObjectID": blank(.uuid)
        case "Data", "composite": blank(.data)
        default: name.hasSuffix("?") ? "null" : "0"
        }
    }

    private static func blank(_ type: FieldType) -> String {
        switch type {
        case .optional: "null"
        case .string: "\"\""
        case .url: "\"https://example.org/\""
        case .bool: "false"
        case .array, .set: "[]"
        case .dictionary(.string, _), .codable: "{}"
        case .dictionary: "{\"$dictionary\": []}"
        case .date: "\"2026-01-01T00:00:00Z\""
        case .float: "{\"$float\": 0}"
        case .decimal: "{\"$decimal\": \"0\"}"
        case .duration: "{\"$duration\": \"0\"}"
        case .data: "{\"$data\": \"\"}"
        case .uuid, .objectID: "\"00000000-0000-0000-0000-000000000000\""
        case .geoPoint: "\"0,0\""
        case .lazy(let wrapped): blank(wrapped)
        default: "0"
        }
    }
}
