/// A document is referred to by the name of its collection and its id.
extension AnyReference {
    /// A reference to a document of a collection.
    ///
    /// ```swift
    /// let about = AnyReference(note, in: "notes")
    /// ```
    ///
    /// Neither the document nor the collection need be stored.
    public init(_ document: Document, in collection: String) { self.init(collection: collection, id: document.id) }

    /// A reference to the document of a collection with this id, which need not be stored.
    public init(collection: String, id: ObjectID) { self.init(modelName: collection, keyBytes: id.keyBytes) }

    /// The id of the document that it points at; nil when it points at an object, or at a document of another collection.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are no id of a document.
    public func documentID(in collection: String) throws -> ObjectID? {
        guard modelName.hasBytes(of: collection) else { return nil }
        return try ObjectID(keyBytes: keyBytes)
    }

    /// Whether its key may be the id of a document.
    var mayBeOfDocument: Bool { keyBytes.count == MemoryLayout<ObjectID>.size }
}
