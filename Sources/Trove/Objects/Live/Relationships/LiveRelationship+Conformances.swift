extension Optional: LiveRelationship where Wrapped: LiveModel {
    public static var _noReferences: Reference<Wrapped>? { nil }

    public static func _references(to value: Wrapped?) -> Reference<Wrapped>? { value.map { Reference($0) } }

    public static func _union(_ earlier: Reference<Wrapped>?, _ later: Reference<Wrapped>?) -> Reference<Wrapped>? { later ?? earlier }

    public static func _contains(_ reference: Reference<Wrapped>, in references: Reference<Wrapped>?) -> Bool { references == reference }

    public static func _insert(_ reference: Reference<Wrapped>, into references: inout Reference<Wrapped>?) { references = reference }

    public static func _remove(_ reference: Reference<Wrapped>, from references: inout Reference<Wrapped>?) {
        if references == reference { references = nil }
    }

    public static func _elements(of references: Reference<Wrapped>?) -> [Reference<Wrapped>] { references.map { [$0] } ?? [] }

    public static func _keeping(
        _ old: Reference<Wrapped>?, notIn shown: Reference<Wrapped>?, beside new: Reference<Wrapped>?
    ) -> Reference<Wrapped>? {
        // A reference that leads nowhere shows as nil; nil at the end then means that nothing was assigned.
        new ?? (shown == nil ? old : nil)
    }

    public static func _objects(in value: Wrapped?) -> [Wrapped] { value.map { [$0] } ?? [] }

    public static func _value(of references: Reference<Wrapped>?, in scope: RelationshipScope) -> Wrapped? {
        references.flatMap { scope.object($0) }
    }
}

extension Array: LiveRelationship where Element: LiveModel {
    public static var _noReferences: [Reference<Element>] { [] }

    public static func _references(to value: [Element]) -> [Reference<Element>] { value.map { Reference($0) } }

    public static func _union(_ earlier: [Reference<Element>], _ later: [Reference<Element>]) -> [Reference<Element>] { earlier + later }

    public static func _contains(_ reference: Reference<Element>, in references: [Reference<Element>]) -> Bool { references.contains(reference) }

    public static var _isOrdered: Bool { true }

    public static func _insert(_ reference: Reference<Element>, into references: inout [Reference<Element>]) { references.append(reference) }

    public static func _remove(_ reference: Reference<Element>, from references: inout [Reference<Element>]) {
        references.removeAll { $0 == reference }
    }

    public static func _elements(of references: [Reference<Element>]) -> [Reference<Element>] { references }

    public static func _keeping(
        _ old: [Reference<Element>], notIn shown: [Reference<Element>], beside new: [Reference<Element>]
    ) -> [Reference<Element>] {
        if old.count == shown.count { return new }
        let known = Set<Reference<Element>>(shown)
        var result = new
        for (place, reference) in old.enumerated() where !known.contains(reference) {
            result.insert(reference, at: Swift.min(place, result.count))
        }
        return result
    }

    public static func _objects(in value: [Element]) -> [Element] { value }

    public static func _value(of references: [Reference<Element>], in scope: RelationshipScope) -> [Element] { scope.objects(references) }
}

extension Set: LiveRelationship where Element: LiveModel {
    public static var _noReferences: Set<Reference<Element>> { [] }

    public static func _references(to value: Set<Element>) -> Set<Reference<Element>> { Set<Reference<Element>>(value.lazy.map { Reference($0) }) }

    public static func _union(_ earlier: Set<Reference<Element>>, _ later: Set<Reference<Element>>) -> Set<Reference<Element>> {
        earlier.union(later)
    }

    public static func _contains(_ reference: Reference<Element>, in references: Set<Reference<Element>>) -> Bool { references.contains(reference) }

    public static func _insert(_ reference: Reference<Element>, into references: inout Set<Reference<Element>>) { references.insert(reference) }

    public static func _remove(_ reference: Reference<Element>, from references: inout Set<Reference<Element>>) {
        references.remove(reference)
    }

    public static func _elements(of references: Set<Reference<Element>>) -> [Reference<Element>] { Array(references) }

    public static func _keeping(
        _ old: Set<Reference<Element>>, notIn shown: Set<Reference<Element>>, beside new: Set<Reference<Element>>
    ) -> Set<Reference<Element>> {
        old.count == shown.count ? new : new.union(old.subtracting(shown))
    }

    public static func _objects(in value: Set<Element>) -> [Element] { Array(value) }

    public static func _value(of references: Set<Reference<Element>>, in scope: RelationshipScope) -> Set<Element> {
        Set(scope.objects(Array(references)))
    }
}

extension Dictionary: LiveRelationship where Key == String, Value: LiveModel {
    public static var _noReferences: [String: Reference<Value>] { [:] }

    public static func _references(to value: [String: Value]) -> [String: Reference<Value>] { value.mapValues { Reference($0) } }

    public static func _union(_ earlier: [String: Reference<Value>], _ later: [String: Reference<Value>]) -> [String: Reference<Value>] {
        earlier.merging(later) { _, later in later }
    }

    public static func _contains(_ reference: Reference<Value>, in references: [String: Reference<Value>]) -> Bool { references.values.contains(reference) }

    public static func _insert(_ reference: Reference<Value>, into references: inout [String: Reference<Value>]) {}

    public static func _remove(_ reference: Reference<Value>, from references: inout [String: Reference<Value>]) {
        references = references.filter { $0.value != reference }
    }

    public static func _elements(of references: [String: Reference<Value>]) -> [Reference<Value>] { Array(references.values) }

    public static func _keeping(
        _ old: [String: Reference<Value>], notIn shown: [String: Reference<Value>], beside new: [String: Reference<Value>]
    ) -> [String: Reference<Value>] {
        old.count == shown.count ? new : new.merging(old.filter { shown[$0.key] == nil }) { new, _ in new }
    }

    public static func _objects(in value: [String: Value]) -> [Value] { Array(value.values) }

    public static func _value(of references: [String: Reference<Value>], in scope: RelationshipScope) -> [String: Value] {
        let found = scope.objects(Array(references.values))
        let objects = [Reference<Value>: Value](found.map { (Reference($0), $0) }, uniquingKeysWith: { first, _ in first })
        return references.compactMapValues { objects[$0] }
    }
}
