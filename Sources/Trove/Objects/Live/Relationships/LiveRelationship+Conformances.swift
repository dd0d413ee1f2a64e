extension Optional: LiveRelationship where Wrapped: LiveModel {
    @inlinable public static var _noReferences: Reference<Wrapped>? { nil }

    @inlinable public static func _isEmpty(_ value: Wrapped?) -> Bool { value == nil }

    @inlinable public static func _references(to value: Wrapped?) -> Reference<Wrapped>? { value.map { Reference($0) } }

    @inlinable public static func _union(_ earlier: Reference<Wrapped>?, _ later: Reference<Wrapped>?) -> Reference<Wrapped>? { later ?? earlier }

    @inlinable public static func _contains(_ reference: Reference<Wrapped>, in references: Reference<Wrapped>?) -> Bool { references == reference }

    @inlinable public static func _insert(_ reference: Reference<Wrapped>, into references: inout Reference<Wrapped>?) { references = reference }

    @inlinable public static func _remove(_ gone: Set<Reference<Wrapped>>, from references: inout Reference<Wrapped>?) {
        if let reference = references, gone.contains(reference) { references = nil }
    }

    @inlinable public static func _elements(of references: Reference<Wrapped>?) -> [Reference<Wrapped>] { references.map { [$0] } ?? [] }

    @inlinable public static func _keeping(
        _ old: Reference<Wrapped>?, notIn shown: Reference<Wrapped>?, beside new: Reference<Wrapped>?
    ) -> Reference<Wrapped>? {
        // A reference that leads nowhere shows as nil; nil at the end then means that nothing was assigned.
        new ?? (shown == nil ? old : nil)
    }

    @inlinable public static func _objects(in value: Wrapped?) -> [Wrapped] { value.map { [$0] } ?? [] }

    @inlinable public static func _hasObject(in value: Wrapped?, where condition: (Wrapped) -> Bool) -> Bool { value.map(condition) ?? false }

    @inlinable public static func _value(of references: Reference<Wrapped>?, in scope: _RelationshipScope) -> Wrapped? {
        references.flatMap { scope.object($0) }
    }
}

extension Array: LiveRelationship where Element: LiveModel {
    @inlinable public static func _isEmpty(_ value: [Element]) -> Bool { value.isEmpty }

    @inlinable public static func _references(to value: [Element]) -> [Reference<Element>] { value.map { Reference($0) } }

    @inlinable public static func _keeping(
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

    @inlinable public static func _objects(in value: [Element]) -> [Element] { value }

    @inlinable public static func _value(of references: [Reference<Element>], in scope: _RelationshipScope) -> [Element] { scope.objects(references) }
}

extension Set: LiveRelationship where Element: LiveModel {
    @inlinable public static var _noReferences: Set<Reference<Element>> { [] }

    @inlinable public static func _isEmpty(_ value: Set<Element>) -> Bool { value.isEmpty }

    @inlinable public static func _references(to value: Set<Element>) -> Set<Reference<Element>> { Set<Reference<Element>>(value.lazy.map { Reference($0) }) }

    @inlinable public static func _union(_ earlier: Set<Reference<Element>>, _ later: Set<Reference<Element>>) -> Set<Reference<Element>> {
        earlier.union(later)
    }

    @inlinable public static func _contains(_ reference: Reference<Element>, in references: Set<Reference<Element>>) -> Bool { references.contains(reference) }

    @inlinable public static func _insert(_ reference: Reference<Element>, into references: inout Set<Reference<Element>>) { references.insert(reference) }

    @inlinable public static func _remove(_ gone: Set<Reference<Element>>, from references: inout Set<Reference<Element>>) {
        references.subtract(gone)
    }

    @inlinable public static func _elements(of references: Set<Reference<Element>>) -> [Reference<Element>] { Array(references) }

    @inlinable public static func _keeping(
        _ old: Set<Reference<Element>>, notIn shown: Set<Reference<Element>>, beside new: Set<Reference<Element>>
    ) -> Set<Reference<Element>> {
        old.count == shown.count ? new : new.union(old.subtracting(shown))
    }

    @inlinable public static func _objects(in value: Set<Element>) -> [Element] { Array(value) }

    @inlinable public static func _hasObject(in value: Set<Element>, where condition: (Element) -> Bool) -> Bool { value.contains(where: condition) }

    @inlinable public static func _value(of references: Set<Reference<Element>>, in scope: _RelationshipScope) -> Set<Element> {
        Set(scope.objects(Array(references)))
    }
}

extension Dictionary: LiveRelationship where Key == String, Value: LiveModel {
    @inlinable public static var _noReferences: [String: Reference<Value>] { [:] }

    @inlinable public static func _isEmpty(_ value: [String: Value]) -> Bool { value.isEmpty }

    @inlinable public static func _references(to value: [String: Value]) -> [String: Reference<Value>] { value.mapValues { Reference($0) } }

    @inlinable public static func _union(_ earlier: [String: Reference<Value>], _ later: [String: Reference<Value>]) -> [String: Reference<Value>] {
        earlier.merging(later) { _, later in later }
    }

    @inlinable public static func _contains(_ reference: Reference<Value>, in references: [String: Reference<Value>]) -> Bool {
        references.values.contains(reference)
    }

    @inlinable public static func _insert(_ reference: Reference<Value>, into references: inout [String: Reference<Value>]) {}

    @inlinable public static func _remove(_ gone: Set<Reference<Value>>, from references: inout [String: Reference<Value>]) {
        references = references.filter { !gone.contains($0.value) }
    }

    @inlinable public static func _elements(of references: [String: Reference<Value>]) -> [Reference<Value>] { Array(references.values) }

    @inlinable public static func _keeping(
        _ old: [String: Reference<Value>], notIn shown: [String: Reference<Value>], beside new: [String: Reference<Value>]
    ) -> [String: Reference<Value>] {
        old.count == shown.count ? new : new.merging(old.filter { shown[$0.key] == nil }) { new, _ in new }
    }

    @inlinable public static func _objects(in value: [String: Value]) -> [Value] { Array(value.values) }

    @inlinable public static func _hasObject(in value: [String: Value], where condition: (Value) -> Bool) -> Bool { value.values.contains(where: condition) }

    @inlinable public static func _value(of references: [String: Reference<Value>], in scope: _RelationshipScope) -> [String: Value] {
        let found = scope.objects(Array(references.values))
        let objects = [Reference<Value>: Value](found.map { (Reference($0), $0) }, uniquingKeysWith: { first, _ in first })
        return references.compactMapValues { objects[$0] }
    }
}
