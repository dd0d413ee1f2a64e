/// What has a nested value that is read and changed by paths: a ``Document``, or a ``ModelDocument``.
public protocol EditableByPath {
    /// What it holds.
    var value: StoredValue { get set }

    /// The first change that could not be made, which its next save throws.
    var _mistake: TroveError? { get set }

    /// The id, for messages.
    var _idText: String { get }

    /// What a search for words looks into at a path; nil when there is no text.
    func _searchedText(at path: DocumentPath) -> String?
}

extension EditableByPath {
    /// The value that a path leads to; nil when it leads nowhere.
    ///
    /// Setting it makes what is missing on the way; nil removes. A change that cannot be made, since the path goes through a text or past the end of an array,
    /// leaves everything as it is, and is thrown by its next save; ``set(_:to:)`` throws it at once.
    public subscript(path: DocumentPath) -> StoredValue? {
        get { value.value(at: path) }
        set {
            guard let newValue else {
                value.remove(at: path)
                return
            }
            do throws(TroveError) {
                try value.set(path, to: newValue)
            } catch {
                if _mistake == nil { _mistake = error }
            }
        }
    }

    /// Sets the value that a path leads to.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when the path goes through a value that has nothing inside, or past the end of an array;
    ///   ``TroveError/encodingFailed(model:field:reason:)`` when the value cannot be stored. Nothing is changed then.
    public mutating func set(_ path: DocumentPath, to value: some Storable) throws {
        try self.value.set(path, to: Self.stored(value))
    }

    /// Inserts an element into an array, before the one at the path's position.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when the path does not end with the position of an element or that after the last.
    public mutating func insert(_ element: some Storable, at path: DocumentPath) throws {
        try value.insert(Self.stored(element), at: path)
    }

    /// Inserts an element into an array, before the one at the path's position.
    public mutating func insert(_ element: StoredValue, at path: DocumentPath) throws(TroveError) {
        try value.insert(element, at: path)
    }

    /// Removes the value that a path leads to; returns it, or nil when the path leads nowhere.
    @discardableResult
    public mutating func remove(_ path: DocumentPath) -> StoredValue? { value.remove(at: path) }

    /// The value at a path as a Swift type; nil when the path leads nowhere or to nil.
    ///
    /// - Throws: ``TroveError/decodingFailed(model:field:id:reason:)`` when the value is not of this type, nor widens to it.
    public func value<Value: Storable>(at path: DocumentPath, as type: Value.Type = Value.self) throws -> Value? {
        guard let found = value.value(at: path), found != .null else { return nil }
        do {
            return try Value(converting: found.converted(to: Value.fieldType))
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: "a document", field: path.shownInErrors, id: _idText, reason: reason)
        }
    }

    private static func stored(_ value: some Storable) throws -> StoredValue {
        do {
            return try StoredValue(nesting: value)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: "a document", field: "a value", reason: reason)
        }
    }
}
