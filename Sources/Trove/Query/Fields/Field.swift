/// A property of a model or of a nested value, which the closures of ``Fetch/where(_:)`` compare.
///
/// | what | how |
/// |---|---|
/// | comparison | `$0.year > 1990`, `$0.rating == nil`, `$0.title != $0.artist` |
/// | lists and ranges | `$0.artist.isIn(["Bill Evans", "Chet Baker"])`, `$0.year.isIn(1950..<1960)`, `(1950...1960).contains($0.year)` |
/// | text | `$0.title.hasPrefix("Autumn")`, `.hasSuffix`, `.contains`, `.equals`, each also `ignoring: [.case, .diacritics]`; `.matches("^A.*s$")` |
/// | nested values | `$0.address.city == "Paris"`, `$0.labels["genre"] == "Jazz"`, `$0.lines[0].price > 5` |
/// | collections | `$0.tags.contains("live")`, `$0.lines.any { $0.price > 5 && $0.quantity > 1 }`, `.all`, `.none`, `.isEmpty` |
/// | aggregates of members | `$0.tags.count > 2`, `$0.songs.sum(\.duration) > 100`, `$0.scores.maximum() == 7` |
///
/// Values compare as ``Filter`` says: text by its UTF-8 bytes, nil by its table.
@dynamicMemberLookup
public struct Field<Value>: Sendable {
    let path: FieldPath
    /// The quantifier whose element the path begins at; nil when it begins at the object.
    let scope: ElementScope?
    /// Why there is no such path; the query throws it when it runs.
    let problem: TroveError?

    init(path: FieldPath, scope: ElementScope? = nil, problem: TroveError? = nil) {
        self.path = path
        self.scope = scope
        self.problem = problem
    }

    init(scope: ElementScope? = nil, problem: TroveError? = nil, path: () throws(TroveError) -> FieldPath) {
        if let problem {
            self.init(path: .element, scope: scope, problem: problem)
            return
        }
        do throws(TroveError) {
            self.init(path: try path(), scope: scope)
        } catch {
            self.init(path: .element, scope: scope, problem: error)
        }
    }

    /// The field as the collection whose members are asked about.
    func members<Member>(_ part: CollectionPart) -> Members<Member> {
        Members(path: path, part: part, scope: scope, problem: problem)
    }

    /// The path, for what reads values of objects, or the mistake in it: ``TroveError/invalidQuery(reason:)`` for a member of a
    /// collection, of which an object has many.
    var result: Result<FieldPath, TroveError> {
        if let problem { return .failure(problem) }
        if scope == nil { return .success(path) }
        return .failure(.invalidQuery(reason: "'\(path)' is any member of a collection, which only conditions can name; name one by its position or key"))
    }

    /// The condition that `filter` makes of the path, and of a second field.
    func condition(_ filter: (Operand) throws(TroveError) -> Filter) -> Condition {
        Condition(scopes: scope.map { [$0] } ?? [], problem: problem) { () throws(TroveError) in try filter(.path(path)) }
    }

    func condition<Other>(_ other: Field<Other>, _ filter: (Operand, Operand) -> Filter) -> Condition {
        Condition(scopes: [scope, other.scope].compactMap(\.self), problem: problem ?? other.problem) { filter(.path(path), .path(other.path)) }
    }
}

/// The properties of a model, by which a closure names values.
///
/// ```swift
/// store.fetch(Song.self).where { $0.year > 1990 && $0.artist.hasPrefix("Bill") }
/// ```
///
/// Every stored property is there under its name, and `id`. A computed property compiles too, and makes the query throw
/// ``TroveError/unsupportedKeyPath(model:keyPath:)`` when it runs.
///
/// What a closure can ask of the whole object, as ``hasWords(_:ifBlank:)``, leaves the property of such a name reachable: `$0.hasWords == true`.
@dynamicMemberLookup
public struct Fields<Object>: Sendable {
    init() {}

    /// A property of the model.
    public subscript<Value>(dynamicMember property: KeyPath<Object, Value>) -> Field<Value> where Object: Model {
        Field { () throws(TroveError) in try Object.path(property) }
    }
}

// The compiler looks for a property of the model only where every member of that name is of an extension with a constraint, so each member is of one.
extension Fields where Object: Model {
    /// The id, stored or computed.
    public var id: Field<Object.ID> { Field(path: .id) }

    /// The value at a path written as text, as in `$0.at("address.city", as: String.self)`: for coding keys that are not named like
    /// their properties.
    ///
    /// It is written as ``DocumentPath`` reads it: `$0.at("lines[0].price", as: Double?.self)`.
    public func at<Value>(_ path: String, as type: Value.Type) -> Field<Value> {
        self.at(FieldPath(path), as: type)
    }

    /// The value at a path.
    public func at<Value>(_ path: FieldPath, as type: Value.Type) -> Field<Value> {
        Field { path }
    }

    /// Whether the object contains words in any text of its full-text index: `$0.hasWords("\"autumn leaves\" bill*")`.
    ///
    /// The words are written as ``FullTextQuery/init(_:)`` reads them.
    ///
    /// - Parameter blank: What text without a single word, as an empty search box has it, means.
    public func hasWords(_ words: String, ifBlank blank: BlankSearch = .isError) -> Condition {
        Condition(scopes: [], problem: nil) { () throws(TroveError) in try blank.filter(words, nil) }
    }

    /// A derived value that the model indexes, by its name.
    ///
    /// ```swift
    /// store.fetch(Song.self).where { $0.derivedValue("decade", as: Int.self) == 1990 }
    /// ```
    public func derivedValue<Value: Storable>(_ name: String, as type: Value.Type) -> Field<Value> {
        Field { FieldPath(field: name) }
    }
}

/// Finds whether a `Codable` type has a coding key, by beginning to decode a value: the type asks for a container with its keys' type first.
struct CodingKeyProbe: Decoder {
    private struct Answer: Error {
        let hasKey: Bool
    }

    let name: String
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Whether values of `type` are stored by names, and `name` is one of them.
    static func hasKey(_ name: String, in type: any Decodable.Type) -> Bool {
        do {
            _ = try type.init(from: CodingKeyProbe(name: name))
            return false
        } catch let answer as Answer {
            return answer.hasKey
        } catch {
            return false
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw Answer(hasKey: Key(stringValue: name) != nil)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Answer(hasKey: false) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Answer(hasKey: false) }
}

extension KeyPath {
    /// The coding key under which the property that the key path names is stored in its `Codable` value.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)`` when the key path is of several parts, or its type has no coding key
    ///   named like the property: because it is computed, or has another key.
    func codingName() throws(TroveError) -> String {
        // The values of live objects are references, whose properties are those of the model.
        if let model = Root.self as? any Model.Type, Root.self is AnyClass { return try model.fieldName(self) }
        let root = String(describing: Root.self)
        // Swift tells the name of a property in the key path's description alone: `\Address.city`.
        let description = debugDescription
        let name = description.dropFirst(root.count + 2)
        guard description.hasPrefix("\\\(root)."), name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
            !(Root.self is any Storable.Type) || Root.self is any TypedReference.Type && name == "id"
        else {
            throw .unsupportedKeyPath(model: root, keyPath: description)
        }
        // What a reference has of its own is the id of its target.
        if Root.self is any TypedReference.Type { return String(name) }
        guard let type = Root.self as? any Decodable.Type, CodingKeyProbe.hasKey(String(name), in: type)
        else {
            throw .unsupportedKeyPath(model: root, keyPath: shownInErrors)
        }
        return String(name)
    }
}

extension Model {
    /// The name of the field of a property.
    fileprivate static func fieldName(_ keyPath: AnyKeyPath) throws(TroveError) -> String {
        let path = try FieldPath(keyPath, in: schema, id: \Self.id)
        guard path.isOfWholeField else { throw .unsupportedKeyPath(model: schema.name, keyPath: keyPath.debugDescription) }
        return path.field
    }
}
