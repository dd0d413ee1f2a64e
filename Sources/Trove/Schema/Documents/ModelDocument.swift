/// An object of a model without the model's Swift type: its properties by their names, under an id of whatever type the model's have.
///
/// ```swift
/// let songs = store.documents(of: "Song")
/// guard var song = try songs.fetch(id: 7) else { return }
/// song["year"] = 1959
/// song["tags[0]"] = "modal"
/// song["album"] = "Kind of Blue"             // a reference is the id of what it points at
/// try songs.save(song)
/// ```
///
/// A reference to an object of one model is that object's id; one to any model is data, which ``EditableByPath/set(_:to:)`` makes of an
/// ``AnyReference``. Lazy values are read with the document.
public struct ModelDocument: EditableByPath, Sendable, Hashable {
    /// The name of the model; empty for one that has not been stored.
    public let modelName: String
    /// The id: an array when it is made of several values, data when the store does not tell its type; nil for a new object under an id that is made for it.
    public let id: StoredValue?
    /// The properties by their names.
    public var value: StoredValue
    public var _mistake: TroveError?
    /// The whole key of the record that it was read from; nil when it is new.
    let key: [UInt8]?
    /// The layout of that record, which a save keeps: what was written in an earlier version of the model is upgraded by the program that has it.
    let layout: RecordLayout?

    /// A new object with these properties, under this id. Without one it gets a new ``ObjectID`` or UUID, or the one that its properties are.
    public init(_ properties: [String: StoredValue], id: StoredValue? = nil) {
        self.init(modelName: "", id: id, value: .object(properties), key: nil, layout: nil)
    }

    init(modelName: String, id: StoredValue?, value: StoredValue, key: [UInt8]?, layout: RecordLayout?) {
        self.modelName = modelName
        self.id = id
        self.value = value
        self.key = key
        self.layout = layout
    }

    /// What refers to the object; nil while it is not stored.
    public var reference: AnyReference? { key.map { AnyReference(modelName: modelName, keyBytes: $0) } }

    /// The id as text.
    public var _idText: String { id?.shownInErrors ?? "?" }

    public static func == (left: ModelDocument, right: ModelDocument) -> Bool {
        left.modelName == right.modelName && left.id == right.id && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(modelName)
        hasher.combine(id)
    }
}

extension ModelDocument: ExpressibleByDictionaryLiteral {
    /// A new object with these properties; of a name that is there twice the last value counts.
    public init(dictionaryLiteral elements: (String, StoredValue)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension ModelDocument: CustomStringConvertible {
    /// The model's name, the id and the properties as JSON, on one line; what a new object does not have yet is left out.
    public var description: String { ([modelName, id?.shownInErrors ?? ""].filter { !$0.isEmpty } + [value.shownAsJSON]).joined(separator: " ") }
}
