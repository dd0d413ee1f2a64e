extension ObjectList: LiveRelationship {
    @inlinable public static var _noReferences: [Reference<Element>] { [] }

    @inlinable public static func _references(to value: ObjectList) -> [Reference<Element>] { value.references }

    @inlinable public static func _union(_ earlier: [Reference<Element>], _ later: [Reference<Element>]) -> [Reference<Element>] { earlier + later }

    @inlinable public static func _contains(_ reference: Reference<Element>, in references: [Reference<Element>]) -> Bool { references.contains(reference) }

    @inlinable public static var _isOrdered: Bool { true }

    @inlinable public static func _insert(_ reference: Reference<Element>, into references: inout [Reference<Element>]) { references.append(reference) }

    @inlinable public static func _remove(_ gone: Set<Reference<Element>>, from references: inout [Reference<Element>]) {
        references.remove(gone)
    }

    @inlinable public static func _elements(of references: [Reference<Element>]) -> [Reference<Element>] { references }

    /// Those of `new`: a list shows all references, also those that lead nowhere.
    @inlinable public static func _keeping(
        _ old: [Reference<Element>], notIn shown: [Reference<Element>], beside new: [Reference<Element>]
    ) -> [Reference<Element>] { new }

    /// Those that the list holds; the others are in a context already.
    @inlinable public static func _objects(in value: ObjectList) -> [Element] { Array(value.held.values) }

    @inlinable public static func _origin(of value: ObjectList) -> (any LiveModel)? { value.scope?.owner }

    /// Without its scope, in which the owner would hold itself.
    @inlinable public static func _kept(_ value: ObjectList) -> ObjectList {
        var value = value
        value.scope = nil
        value.changes = nil
        return value
    }

    @inlinable public static func _value(of references: [Reference<Element>], in scope: RelationshipScope) -> ObjectList {
        ObjectList(references: references, scope: scope)
    }
}
