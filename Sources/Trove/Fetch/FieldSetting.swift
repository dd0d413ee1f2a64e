import Foundation

/// A value that ``Fetch/update(_:to:)`` gives a property, computed of the one that is stored.
struct FieldSetting: Sendable {
    let path: FieldPath
    /// The new value; nil when the object is to stay as it is.
    let value: @Sendable (StoredValue) throws -> StoredValue?
}

extension Model {
    static func setting<Value>(_ property: KeyPath<Self, Value>, to value: Value) throws -> FieldSetting {
        let path = try settable(property)
        let shape = schema.fields.first { $0.name.hasBytes(of: path.field) }?.relationship?.shape
        if let shape, !shape.isToOne, !(value is any Storable) {
            throw TroveError.invalidQuery(
                reason:
                    "'\(path)' of \(schema.name) has several objects, which cannot be set in records alone; set them in each object: update { $0.\(path) = … }")
        }
        let stored = try StoredValue(comparing: value)
        return FieldSetting(path: path) { _ in stored }
    }

    static func setting<Value, Number: Storable & Numeric>(_ property: KeyPath<Self, Value>, adding amount: Number) throws -> FieldSetting {
        let path = try settable(property)
        return FieldSetting(path: path) { stored in
            if stored == .null { return nil }
            let sum = try Number(converting: stored.converted(to: Number.fieldType)).addingExactly(amount)
            guard let sum else {
                throw TroveError.encodingFailed(
                    model: schema.name, field: path.field, reason: "the sum of \(stored.shownInErrors) and \(amount) does not fit \(Number.self)")
            }
            return try StoredValue(comparing: sum)
        }
    }

    /// The path of a property that has a field of its own.
    private static func settable<Value>(_ property: KeyPath<Self, Value>) throws -> FieldPath {
        let path = try path(property)
        if path == .id {
            throw TroveError.invalidQuery(reason: "the id of an object cannot be set; rekey(_:from:to:) gives an object another id")
        }
        guard path.isOfWholeField else { throw TroveError.unsupportedKeyPath(model: schema.name, keyPath: property.shownInErrors) }
        if schema.identity.contains(where: path.field.hasBytes) { throw ofID(path) }
        return path
    }

    /// The error for a property that the id is made of.
    static func ofID(_ path: FieldPath) -> TroveError {
        .invalidQuery(reason: "the id of \(schema.name) consists of '\(path)', which cannot be set; rekey(_:from:to:) gives an object another id")
    }
}

extension Numeric {
    /// The sum; nil when it overflows: an integer, or what is no number or infinite though both that are added are finite.
    fileprivate func addingExactly(_ other: Self) -> Self? {
        if let integer = self as? any FixedWidthInteger { return integer.addingInteger(other) as? Self }
        let sum = self + other
        return sum.isFiniteNumber || !isFiniteNumber || !other.isFiniteNumber ? sum : nil
    }

    private var isFiniteNumber: Bool {
        switch self {
        case let number as any FloatingPoint: number.isFinite
        case let number as Decimal: number.isFinite
        default: true
        }
    }
}

extension FixedWidthInteger {
    fileprivate func addingInteger(_ other: Any) -> Self? {
        guard let other = other as? Self else { return nil }
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? nil : sum
    }
}
