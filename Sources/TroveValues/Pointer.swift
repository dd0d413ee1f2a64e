import Foundation
import Trove

/// A class name and an id, which are what Parse keeps of another object.
///
/// It is a value and nothing more: no delete rule heeds it, and the object need not exist. Within a program's own models a ``Reference`` or a
/// relationship is the better choice; a pointer is for data that came from elsewhere, and for documents.
///
/// `Codable` writes it as Parse does: `{"__type": "Pointer", "className": "Album", "objectId": "xWMyZ4YEGZ"}`.
public struct Pointer: Sendable, Hashable {
    /// The name of a model or a collection.
    public var className: String
    /// The object's id as text.
    public var objectID: String

    /// A pointer to an object that need not exist.
    public init(className: String, objectID: String) {
        self.className = className
        self.objectID = objectID
    }

    /// A pointer to an object of a model; nil where ids have no text: those that are made of several values, dates, data, and types of one's own that are
    /// neither enums with a raw value nor `LosslessStringConvertible`.
    public init?<Object: Model>(to object: Object) {
        guard let text = Self.text(of: object.id) else { return nil }
        self.init(className: Object.schema.name, objectID: text)
    }

    /// A pointer to a document of a collection.
    public init(to document: Document, in collection: String) {
        self.init(className: collection, objectID: "\(document.id)")
    }

    /// The object pointed at; nil when there is none, and when the model's ids are not what the text says.
    ///
    /// - Throws: as ``ObjectStore/fetch(_:id:)``.
    public func fetch<Object: Model>(_ type: Object.Type, from store: ObjectStore) throws -> Object? {
        guard className == Object.schema.name, let id = Self.id(objectID, as: Object.ID.self) else { return nil }
        return try store.fetch(type, id: id)
    }

    /// The document pointed at; nil when the collection has none with this id.
    public func document(in store: ObjectStore) throws -> Document? {
        guard let id = ObjectID(objectID) else { return nil }
        return try store.documents(className).fetch(id: id)
    }

    private static func text<ID>(of id: ID) -> String? {
        switch id {
        case let id as ObjectID: id.description
        case let id as UUID: id.uuidString
        case let id as URL: id.absoluteString
        case let id as Decimal: id.description
        case let id as any LosslessStringConvertible: id.description
        case let id as any RawRepresentable: text(of: id.rawValue)
        default: nil
        }
    }

    private static func id<ID>(_ text: String, as type: ID.Type) -> ID? {
        switch type {
        case is ObjectID.Type: ObjectID(text) as? ID
        case is UUID.Type: UUID(uuidString: text) as? ID
        case is URL.Type: URL(string: text) as? ID
        case is Decimal.Type: decimal(text) as? ID
        case let type as any LosslessStringConvertible.Type: type.init(text) as? ID
        case let type as any RawRepresentable.Type: value(text, of: type) as? ID
        default: nil
        }
    }

    private static func value<Value: RawRepresentable>(_ text: String, of type: Value.Type) -> Value? {
        id(text, as: Value.RawValue.self).flatMap { Value(rawValue: $0) }
    }

    /// The number that a text is the whole of: Foundation also reads one that more follows.
    private static func decimal(_ text: String) -> Decimal? {
        guard let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), number.description == text else { return nil }
        return number
    }
}

extension Pointer: CustomStringConvertible {
    public var description: String { "\(className) \(objectID)" }
}

extension Pointer: Codable {
    private enum CodingKeys: String, CodingKey {
        case type = "__type"
        case className
        case objectID = "objectId"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("Pointer", forKey: .type)
        try container.encode(className, forKey: .className)
        try container.encode(objectID, forKey: .objectID)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.checkType(named: "Pointer", forKey: .type)
        self.init(className: try container.decode(String.self, forKey: .className), objectID: try container.decode(String.self, forKey: .objectID))
    }
}

extension KeyedDecodingContainer {
    /// Throws when Parse's name of the type is there and is another.
    func checkType(named name: String, forKey key: Key) throws {
        guard let found = try decodeIfPresent(String.self, forKey: key), found != name else { return }
        throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "'\(found)' is not \(name)")
    }
}
