import Foundation

/// Which values compare with which; `docs/search.md` has the table.
enum ComparableKind: Sendable {
    case bool, number, text, date, url, data, uuid, objectID, collection

    /// The kind of a field's values; nil when only the value tells.
    init?(_ type: FieldType) {
        switch type {
        case .bool: self = .bool
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal: self = .number
        case .string: self = .text
        case .data: self = .data
        case .url: self = .url
        case .date: self = .date
        case .uuid: self = .uuid
        case .objectID: self = .objectID
        case .array, .set, .dictionary: self = .collection
        case .optional(let wrapped): self.init(wrapped)
        case .codable: return nil
        }
    }

    /// The kind of a literal; nil for nil.
    init?(_ value: StoredValue) {
        switch value {
        case .null: return nil
        case .bool: self = .bool
        case .int, .uint, .float, .double, .decimal: self = .number
        case .string: self = .text
        case .data: self = .data
        case .url: self = .url
        case .date: self = .date
        case .uuid: self = .uuid
        case .objectID: self = .objectID
        case .array, .object, .dictionary: self = .collection
        }
    }

    /// Whether `<` has a meaning.
    var isOrdered: Bool { self != .bool && self != .collection }
}

extension StoredValue {
    /// The literal as it compares with a field of `type`: a text that stands for a date, a UUID and so on is made one.
    ///
    /// - Parameter type: without optional layers; nil when only the value tells.
    /// - Throws: ``IncomparableLiteral`` when the two do not compare.
    func comparable(by comparison: Comparison, with type: FieldType?) throws -> StoredValue {
        guard let kind = ComparableKind(self) else { return self }
        let isOrder = comparison != .equal && comparison != .notEqual
        if isOrder && !kind.isOrdered { throw IncomparableLiteral(reason: "\(self.kind.withArticle) has no order; ask for = or !=") }
        guard let type, let fieldKind = ComparableKind(type) else { return self }
        if isOrder && !fieldKind.isOrdered { throw IncomparableLiteral(reason: "\(type.shownInErrors.withArticle) has no order; ask for = or !=") }
        if case .string(let text) = self, let value = try Self.parsing(text, as: type) { return value }
        guard kind == fieldKind else { throw IncomparableLiteral(reason: "it is \(type.shownInErrors.withArticle), the value \(self.kind.withArticle)") }
        guard kind == .collection else { return self }
        do {
            return try converted(to: type)
        } catch DecodingFault.unfit(let reason) {
            throw IncomparableLiteral(reason: reason)
        }
    }

    /// The value of `type` that a text stands for; nil when texts do not stand for such values.
    private static func parsing(_ text: String, as type: FieldType) throws -> StoredValue? {
        let value: StoredValue?
        switch type {
        case .date: value = Date(iso8601: text).map { .date($0) }
        case .uuid: value = UUID(uuidString: text).map { .uuid($0) }
        case .objectID: value = ObjectID(text).map { .objectID($0) }
        case .url: value = URL(string: text).map { .url($0) }
        case .decimal: value = Decimal(wholeText: text).map { .decimal($0) }
        default: return nil
        }
        guard let value else {
            let example = type == .date ? ", as 2024-05-01 or 2024-05-01T12:30:00Z is" : ""
            throw IncomparableLiteral(reason: "it is \(type.shownInErrors.withArticle), and '\(text)' is not the text of one\(example)")
        }
        return value
    }
}

/// Why a literal does not compare with a field; the model and path are added by who knows them.
struct IncomparableLiteral: Error {
    let reason: String
}

extension Decimal {
    /// The decimal that a text is the whole of, with a point whatever the locale; nil when it is none.
    fileprivate init?(wholeText text: String) {
        let rest = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard text.utf8.count - rest.count < 2, rest.contains(where: { $0 >= 48 && $0 < 58 }),
            rest.allSatisfy({ $0 >= 48 && $0 < 58 || $0 == UInt8(ascii: ".") }), rest.count(where: { $0 == UInt8(ascii: ".") }) < 2
        else { return nil }
        self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
