/// The storage of a class's relationship property: references, and for an object in no context the objects themselves.
///
/// Objects in a context never hold each other, so that circles of them are freed.
public struct _RelationshipStorage<Value: LiveRelationship>: Sendable {
    /// The references; of an object that holds its objects, those to others.
    @usableFromInline var references: Value.References { didSet { members = nil } }
    /// What ``held`` is kept in. It is never changed, so that copies of the storage may share it.
    @usableFromInline var holder: HeldObjects<Value>?
    /// The objects that an object in no context was given.
    @inlinable var held: Value? {
        get { holder?.value }
        set { holder = newValue.map { HeldObjects($0) } }
    }

    /// The references once more, for looking one up: of long ordered relationships whose objects come one by one, to be added or found there.
    @usableFromInline var members: Set<Reference<Value.Target>>?
    /// From how many references on a set of them is made.
    @inlinable static var searchLimit: Int { 64 }

    /// An empty relationship.
    @inlinable public init() {
        references = Value._noReferences
    }

    /// The relationship of a new object.
    @inlinable public init(_ value: Value) {
        references = Value._noReferences
        if !Value._isEmpty(value) { holder = HeldObjects(Value._kept(value)) }
    }

    @inlinable init(references: Value.References) {
        self.references = references
    }

    /// All references.
    @inlinable var allReferences: Value.References {
        guard let held else { return references }
        return Value._union(references, Value._references(to: held))
    }

    /// The objects that the relationship points at, in order and with repetitions.
    @inlinable public var targets: [AnyReference] { allReferences.targets }

    /// Whether it points at the object.
    @inlinable func contains(_ reference: Reference<Value.Target>) -> Bool {
        members?.contains(reference) ?? Value._contains(reference, in: references)
    }

    /// The same before an object is inserted, which others may follow.
    ///
    /// - Complexity: O(1) on average, where as many are looked for as it has.
    @inlinable mutating func search(for reference: Reference<Value.Target>) -> Bool {
        if members == nil { members = searchedMembers }
        return contains(reference)
    }

    /// Lets it point at an object that it does not point at, at the end.
    ///
    /// - Complexity: O(1) on average, and so is the ``search(for:)`` before the next.
    @inlinable mutating func insert(_ reference: Reference<Value.Target>) {
        var members = members.take() ?? searchedMembers
        Value._insert(reference, into: &references)
        members?.insert(reference)
        self.members = members
    }

    /// The members of a relationship in which looking one up takes long.
    @inlinable var searchedMembers: Set<Reference<Value.Target>>? {
        guard Value._isOrdered, case let elements = Value._elements(of: references), elements.count >= Self.searchLimit else { return nil }
        return Set(elements)
    }

    /// Takes objects out, in all their places.
    @inlinable mutating func remove(_ gone: Set<Reference<Value.Target>>) {
        var members = members.take()
        Value._remove(gone, from: &references)
        members?.subtract(gone)
        self.members = members
    }

    /// Appends the objects that are held.
    @inlinable public func appendHeld(to objects: inout [any LiveModel]) {
        if let held { objects.append(contentsOf: Value._objects(in: held) as [any LiveModel]) }
    }

    /// Keeps references to the objects that were held.
    @inlinable public mutating func releaseHeld() {
        references = allReferences
        held = nil
    }
}

extension _RelationshipStorage: Storable {
    public static var fieldType: FieldType { Value.References.fieldType }

    @inlinable public func encodeField(into record: inout RecordEncoder) throws { try allReferences.encodeField(into: &record) }

    @inlinable public static func decodeField(from record: inout RecordDecoder) throws -> _RelationshipStorage {
        _RelationshipStorage(references: try Value.References.decodeField(from: &record))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws { try allReferences.encodeNested(into: &bytes) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> _RelationshipStorage {
        _RelationshipStorage(references: try Value.References.decodeNested(from: &bytes))
    }
}
