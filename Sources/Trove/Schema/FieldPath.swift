import Synchronization

/// A path to a stored value: a field of the record, then names inside its nested value.
///
/// `address.city` is the field `address` and the name `city`. A name is that of a `Codable` value's coding key, or a string key of a
/// dictionary, or the position of an element of an array, from 0 on: `lines[1].price` has the names `1` and `price`. `id` is the object's id. Inside
/// ``Filter/quantified(_:_:_:_:)-enum.case`` a path with an empty field begins at the element. Behind a relationship to one object, or its name or position
/// in one to many, a path goes on in the object there: `album.title`, `roles.piano.name`, `writers[0].name`. It leads to nil where that is not stored;
/// but `album.id` is the id in the reference, whether or not there is an object.
public struct FieldPath: Sendable, Hashable {
    /// The record's field; `id` for the id, empty for the element of the innermost quantifier.
    public let field: String
    /// The names inside the field's value, the outermost first.
    public let names: [String]
    /// What is computed of the members that the path leads to; nil when it leads to the value itself. See ``aggregated(_:)``.
    public let aggregate: MemberAggregate?

    /// The path to a field, or by names into its nested value, without parsing: dots in them have no meaning.
    public init(field: String, names: [String] = []) { self.init(field: field, names: names, aggregate: nil) }

    init(field: String, names: [String], aggregate: MemberAggregate?) {
        self.field = field
        self.names = names
        self.aggregate = aggregate
    }

    /// Reads a path from text: `address.city`, `lines[1].price`, and with a name that has a dot, `labels["first.name"]`; see ``DocumentPath``.
    ///
    /// One that begins with a position begins at the element of a quantifier.
    public init(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "[")) else {
            let steps = text.parts(separatedBy: ".")
            self.init(field: steps[0], names: Array(steps.dropFirst()))
            return
        }
        self.init(of: DocumentPath(text))
    }

    /// The path of these steps, from a field on; from the element when the first is a position.
    init(of path: DocumentPath) {
        if case .name(let field)? = path.steps.first {
            self.init(field: field, names: Array(path.names.dropFirst()))
        } else {
            self.init(field: "", names: path.names)
        }
    }

    /// The id of the object.
    public static let id = FieldPath(field: "id")

    /// The id of a document, in whose attributes `id` is an ordinary name.
    public static let documentID = FieldPath(field: DocumentField.id)

    /// The whole document; paths appended to it begin inside the document, whatever their names are.
    public static let document = FieldPath(field: DocumentField.root)

    /// The element that a quantifier looks at.
    public static let element = FieldPath(field: "")

    /// The path extended by one name.
    public func appending(_ name: String) -> FieldPath {
        FieldPath(field: field, names: names + [name])
    }
}

/// Names are their UTF-8 bytes.
extension FieldPath {
    public static func == (left: FieldPath, right: FieldPath) -> Bool {
        left.names.count == right.names.count && left.aggregate == right.aggregate && left.field.hasBytes(of: right.field)
            && (left.names.isEmpty || left.names.haveBytes(of: right.names))
    }

    public func hash(into hasher: inout Hasher) {
        field.hashBytes(into: &hasher)
        if let aggregate { hasher.combine(aggregate) }
        for name in names { name.hashBytes(into: &hasher) }
    }
}

extension FieldPath: CustomStringConvertible {
    /// The path as text, with dots: `address.city`, `count(tags)`, `sum(songs.duration)`.
    public var description: String {
        let path = ([field.isEmpty ? "element" : field] + names).joined(separator: ".")
        return aggregate.map { "\($0.rawValue)(\(path))" } ?? path
    }
}

extension FieldPath {
    /// The path to the property that a key path names.
    ///
    /// A property of the model goes by the schema. What comes after it, in nested values, goes by the names of Swift's properties; where a
    /// `Codable` type has other coding keys, a path has to be written as text.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)`` when the key path names something that is not stored.
    init(_ keyPath: AnyKeyPath, in schema: ModelSchema, id: AnyKeyPath) throws(TroveError) {
        if keyPath == id || schema.idProperty.map({ $0 as AnyKeyPath == keyPath }) == true || Self.isID(keyPath, type(of: id).valueType) {
            self = .id
            return
        }
        if let field = schema.fields.first(where: { field in field.property.map { $0 as AnyKeyPath == keyPath } ?? false }) {
            self.init(field: field.name)
            return
        }
        if let path = Self.pathOfCount(keyPath, schema) {
            self = path
            return
        }
        // Swift tells the names of a key path's parts in its description alone: `\Song.address?.city`.
        let text = keyPath.debugDescription
        if let path = Self.pathIntoObject(text, schema) {
            self = path
            return
        }
        let steps = text.dropFirst().split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
        // The root may be a nested type, of which the description has the last name only.
        guard text.first == "\\", !text.contains("<"), steps.count > 2, let field = schema.fields.first(where: { $0.name == steps[1] }) else {
            throw .unsupportedKeyPath(model: schema.name, keyPath: keyPath.shownInErrors)
        }
        self.init(field: field.name, names: Array(steps[2...]))
    }

    /// The path to the number of elements, where a key path is that of a property's `count`: `\Album.songs.count`. Swift does not tell this name.
    private static func pathOfCount(_ keyPath: AnyKeyPath, _ schema: ModelSchema) -> FieldPath? {
        guard type(of: keyPath).valueType == Int.self else { return nil }
        let field = schema.fields.first { field in
            guard let property = field.property as AnyKeyPath?, let type = type(of: property).valueType as? any CollectionWithCount.Type else { return false }
            return property.appending(path: type.countPath) == keyPath
        }
        return field.map { FieldPath(field: $0.name).counted }
    }

    /// The path of a key path into a value of a class, whose properties have accessors: the parts of its description are those of the
    /// properties' own key paths, and have no names. It may go on in the object of a relationship.
    private static func pathIntoObject(_ text: String, _ schema: ModelSchema) -> FieldPath? {
        guard text.contains("<") else { return nil }
        return names(of: text.drop { $0 != "." }, in: schema).flatMap { $0.count > 1 ? FieldPath(field: $0[0], names: Array($0.dropFirst())) : nil }
    }

    /// The names of the parts of a key path's description, from one of a model's properties on; nil when they tell none.
    private static func names(of parts: Substring, in schema: ModelSchema) -> [String]? {
        let text = parts.drop { ".?!".contains($0) }
        // A computed id is none of the fields; nothing inside it has a name.
        if let id = schema.idProperty?.debugDescription.drop(while: { $0 != "." }).dropFirst(), text.hasPrefix(id),
            text.dropFirst(id.count).allSatisfy({ "?!".contains($0) })
        {
            return [FieldPath.id.field]
        }
        let paths = schema.fields.compactMap { field -> [String]? in
            // What stands behind the name of the model.
            guard let own = field.property?.debugDescription.drop(while: { $0 != "." }).dropFirst(), !own.isEmpty, text.hasPrefix(own) else { return nil }
            let rest = text.dropFirst(own.count)
            guard rest.first.map({ ".?!".contains($0) }) ?? true else { return nil }
            let inner = rest.drop { ".?!".contains($0) }
            if inner.isEmpty { return [field.name] }
            if let target = field.relationship?.targetModel, let names = names(of: rest, in: target.schema) { return [field.name] + names }
            guard !inner.contains("<") else { return nil }
            return [field.name] + rest.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }.filter { !$0.isEmpty }
        }
        // Two properties of which Swift tells the same could be either.
        return paths.count == 1 ? paths[0] : nil
    }

    /// Whether a key path that was written for the type itself names its stored id: it does not equal the one that generic code makes of
    /// `Identifiable`. That of a computed id is in the schema.
    private static func isID(_ keyPath: AnyKeyPath, _ id: Any.Type) -> Bool {
        type(of: keyPath).valueType == id && keyPath.debugDescription == "\\\(type(of: keyPath).rootType).id"
    }
}

extension Model {
    /// The path to the id, which in documents is an attribute as others are.
    static var idPath: FieldPath { Self.self == Document.self ? .documentID : .id }

    /// The path to a property of the model or of its nested values.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    static func path(_ keyPath: PartialKeyPath<Self>) throws(TroveError) -> FieldPath {
        let schema = schema
        if let known = KnownPaths.shared.path(keyPath, in: schema) { return known }
        var path = try FieldPath(keyPath, in: schema, id: \Self.id)
        if path == .id { path = idPath }
        KnownPaths.shared.note(path, of: keyPath, in: schema)
        return path
    }
}

extension AnyKeyPath {
    /// The key path for messages: `\Song.title`; of a computed property, which has no name at run time, `\Song.<computed (String)>`.
    var shownInErrors: String {
        // Swift writes the address of a computed property's getter, which tells nobody anything.
        debugDescription.replacing(#/ 0x[0-9a-fA-F]+/#, with: "")
    }
}

extension DocumentPath {
    /// The path as queries of documents have it, from the document or, where one is given, from another path on.
    func fieldPath(from start: FieldPath?) -> FieldPath {
        if let start { return FieldPath(field: start.field, names: start.names + names) }
        // Names that stand for something else at the beginning, and the empty one, are reached from the root.
        guard let first = names.first, !first.isEmpty, ![DocumentField.root, DocumentField.id, DocumentField.className].contains(first) else {
            return FieldPath(field: DocumentField.root, names: names)
        }
        return FieldPath(field: first, names: Array(names.dropFirst()))
    }

    /// The path as it is written of objects of a type.
    fileprivate func fieldPath(in type: Any.Type) -> FieldPath { type == Document.self ? fieldPath(from: nil) : FieldPath(of: self) }
}

extension EditableByPath {
    /// The path that is written so: of a document from its root, of an object of a model from one of its properties.
    static func fieldPath(at path: DocumentPath) -> FieldPath { path.fieldPath(in: self) }
}

extension Model {
    /// The path that is written so: of a document from its root, of a model from one of its fields.
    static func path(at path: DocumentPath) -> FieldPath { path.fieldPath(in: self) }
}

/// The paths of the properties that queries have named so far: to find one, key paths have to be compared, which takes longer than reading an object.
final class KnownPaths: Sendable {
    static let shared = KnownPaths()

    /// How many are kept; more than any program writes down.
    private static let maxCount = 4_096

    /// Unchecked: a key path never changes.
    private struct Known: @unchecked Sendable {
        /// Kept, so that no other key path gets its identity.
        let keyPath: AnyKeyPath
        let path: FieldPath
        /// The number of the field; nil of the id.
        let field: Int?
    }

    private let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// The path of a key path that was noted with this schema.
    func path(_ keyPath: AnyKeyPath, in schema: ModelSchema) -> FieldPath? {
        guard let known = known.withLock({ $0[ObjectIdentifier(keyPath)] }) else { return nil }
        guard let field = known.field else { return known.path }
        return field < schema.fields.count && schema.fields[field].name == known.path.field ? known.path : nil
    }

    /// Notes the path of a property of the model; not those that lead into nested values.
    func note(_ path: FieldPath, of keyPath: AnyKeyPath, in schema: ModelSchema) {
        guard path.names.isEmpty else { return }
        let field = path == .id ? nil : schema.fields.firstIndex { $0.name == path.field }
        let entry = Known(keyPath: keyPath, path: path, field: field)
        known.withLock { known in
            if known.count < Self.maxCount { known[ObjectIdentifier(entry.keyPath)] = entry }
        }
    }
}
