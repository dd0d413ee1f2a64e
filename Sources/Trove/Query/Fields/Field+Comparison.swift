import Foundation

// The operators take `Value` itself on the right, so that literals have one type to become and optional fields take plain values and nil.

extension Field {
    /// Whether the value equals another; nil equals nil.
    public static func == (field: Field, value: Value) -> Condition { field.compared(.equal, to: value) }
    /// Whether the value differs from another; nil differs from every value.
    public static func != (field: Field, value: Value) -> Condition { field.compared(.notEqual, to: value) }

    @available(*, unavailable, message: "this property is never nil, so there is nothing to compare; make it optional, or remove the condition")
    public static func == (field: Field, nothing: _OptionalNilComparisonType) -> Condition { Condition(.constant(false)) }

    @available(*, unavailable, message: "this property is never nil, so there is nothing to compare; make it optional, or remove the condition")
    public static func != (field: Field, nothing: _OptionalNilComparisonType) -> Condition { Condition(.constant(true)) }

    /// Whether two fields have equal values; nil equals nil.
    public static func == (left: Field, right: Field) -> Condition { left.compared(.equal, to: right) }
    /// Whether two fields have different values.
    public static func != (left: Field, right: Field) -> Condition { left.compared(.notEqual, to: right) }

    /// Whether two fields have equal values; the left may be nil.
    public static func == <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.equal, to: right) }
    /// Whether two fields have equal values; the right may be nil.
    public static func == <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.equal, to: right) }
    /// Whether two fields have different values; the left may be nil.
    public static func != <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.notEqual, to: right) }
    /// Whether two fields have different values; the right may be nil.
    public static func != <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.notEqual, to: right) }

    func compared(_ comparison: Comparison, to value: Value) -> Condition {
        condition { operand throws(TroveError) in
            let value = if let plain = StoredValue(plain: value) { plain } else { try literal(value) }
            return switch (value, comparison) {
            case (.null, .equal): .isNil(path)
            case (.null, .notEqual): .not(.isNil(path))
            default: .comparison(operand, comparison, .value(value))
            }
        }
    }

    /// A value as the field has it. An id of several values goes by its key, also when it could be encoded.
    fileprivate func literal(_ value: Value) throws(TroveError) -> StoredValue {
        if path == .id, let id = value as? any StorableKey, FieldType(ofID: type(of: id)) == nil { return .data(Data(id.keyBytes)) }
        return try StoredValue(comparing: value)
    }

    func compared<Other>(_ comparison: Comparison, to other: Field<Other>) -> Condition {
        condition(other) { .comparison($0, comparison, $1) }
    }
}

/// The compiler comes to these when no other fits, and says why.
extension Field {
    @available(*, unavailable, message: "this property has another type than the value, so they do not compare; write a value of the property's type")
    public static func == (field: Field, value: some Storable & Comparable) -> Condition { Condition(.constant(false)) }
    @available(*, unavailable, message: "this property has another type than the value, so they do not compare; write a value of the property's type")
    public static func != (field: Field, value: some Storable & Comparable) -> Condition { Condition(.constant(false)) }
    @available(*, unavailable, message: "this property has another type than the value, so they do not compare; write a value of the property's type")
    public static func < (field: Field, value: some Storable & Comparable) -> Condition { Condition(.constant(false)) }
    @available(*, unavailable, message: "this property has another type than the value, so they do not compare; write a value of the property's type")
    public static func <= (field: Field, value: some Storable & Comparable) -> Condition { Condition(.constant(false)) }
    @available(*, unavailable, message: "this property has another type than the value, so they do not compare; write a value of the property's type")
    public static func > (field: Field, value: some Storable & Comparable) -> Condition { Condition(.constant(false)) }
    @available(*, unavailable, message: "this property has another type than the value, so they do not compare; write a value of the property's type")
    public static func >= (field: Field, value: some Storable & Comparable) -> Condition { Condition(.constant(false)) }
}

// Members with a name are of extensions with a constraint, so that a nested value's property of the same name is reachable too: see `Fields`.

extension Field where Value: Equatable {
    /// Whether the value is in a list; nil is found when the list contains it.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
        condition { operand throws(TroveError) in
            var list: [StoredValue] = []
            for value in values { list.append(try literal(value)) }
            return .membership(operand, list)
        }
    }

    /// Whether the value is in a list; false for nil.
    ///
    /// Ranges, of which many are sequences too, come to their own methods.
    @_disfavoredOverload
    public func isIn<Wrapped: Equatable>(_ values: some Sequence<Wrapped>) -> Condition where Value == Wrapped? {
        isIn(values.lazy.map { Optional($0) })
    }
}

/// Only types whose stored form has an order: a raw value's order is not that of its enum.
extension Field where Value: StorableKey {
    /// Whether the value is less than another; false for nil and NaN.
    public static func < (field: Field, value: Value) -> Condition { field.compared(.less, to: value) }
    /// Whether the value is less than another or equal; false for nil and NaN.
    public static func <= (field: Field, value: Value) -> Condition { field.compared(.lessOrEqual, to: value) }
    /// Whether the value is greater than another; false for nil and NaN.
    public static func > (field: Field, value: Value) -> Condition { field.compared(.greater, to: value) }
    /// Whether the value is greater than another or equal; false for nil and NaN.
    public static func >= (field: Field, value: Value) -> Condition { field.compared(.greaterOrEqual, to: value) }

    /// Whether the left field's value is less than the right one's; false when one is nil or NaN.
    public static func < (left: Field, right: Field) -> Condition { left.compared(.less, to: right) }
    /// Whether the left field's value is less than the right one's or equal; false when one is nil or NaN.
    public static func <= (left: Field, right: Field) -> Condition { left.compared(.lessOrEqual, to: right) }
    /// Whether the left field's value is greater than the right one's; false when one is nil or NaN.
    public static func > (left: Field, right: Field) -> Condition { left.compared(.greater, to: right) }
    /// Whether the left field's value is greater than the right one's or equal; false when one is nil or NaN.
    public static func >= (left: Field, right: Field) -> Condition { left.compared(.greaterOrEqual, to: right) }

    /// Whether the left field's value, which may be nil, is less than the right one's; false when it is nil, or one is NaN.
    public static func < <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.less, to: right) }
    /// Whether the left field's value is less than the right one's, which may be nil; false when that is nil, or one is NaN.
    public static func < <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.less, to: right) }
    /// Whether the left field's value, which may be nil, is less than the right one's or equal; false when it is nil, or one is NaN.
    public static func <= <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.lessOrEqual, to: right) }
    /// Whether the left field's value is less than the right one's, which may be nil, or equal; false when that is nil, or one is NaN.
    public static func <= <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.lessOrEqual, to: right) }
    /// Whether the left field's value, which may be nil, is greater than the right one's; false when it is nil, or one is NaN.
    public static func > <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.greater, to: right) }
    /// Whether the left field's value is greater than the right one's, which may be nil; false when that is nil, or one is NaN.
    public static func > <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.greater, to: right) }
    /// Whether the left field's value, which may be nil, is greater than the right one's or equal; false when it is nil, or one is NaN.
    public static func >= <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.greaterOrEqual, to: right) }
    /// Whether the left field's value is greater than the right one's, which may be nil, or equal; false when that is nil, or one is NaN.
    public static func >= <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.greaterOrEqual, to: right) }

    /// Whether the value is between `lower` and `upper`, both included.
    public func isBetween(_ lower: Value, and upper: Value) -> Condition { self >= lower && self <= upper }
}

extension StoredValue {
    /// A Swift value as a field of its type would store it, to compare fields with.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when values of its type are not stored.
    init(comparing value: Any) throws(TroveError) {
        do {
            switch value {
            case let value as StoredValue: self = value
            case let value as any AnyOptional: self = try value.anyWrapped.map { try StoredValue(comparing: $0) } ?? .null
            case let value as any Storable: self = try StoredValue(nesting: value)
            case let value as any Model where type(of: value) is AnyClass: self = try StoredValue(referringTo: value)
            case let value as Substring: self = .string(String(value))
            case let value as any RawRepresentable where value.rawValue is any Storable: self = try StoredValue(comparing: value.rawValue)
            case let value as any Encodable: self = try StoredValue(encoding: value)
            case let value as any Model: self = try StoredValue(referringTo: value)
            default: throw TroveError.invalidQuery(reason: "values of type \(type(of: value)) are not stored, so nothing compares with them")
            }
        } catch let error as TroveError {
            throw error
        } catch {
            throw .invalidQuery(reason: "nothing in a store compares with a value of type \(type(of: value)): \(error)")
        }
    }

    /// A value of one of the types that most comparisons have: to ask what else a type conforms to takes longer than to read an object.
    fileprivate init?<Value>(plain value: Value) {
        if Value.self == String.self, let text = value as? String {
            self = .string(text)
        } else if Value.self == Int.self, let number = value as? Int {
            self = .int(Int64(number))
        } else if Value.self == Double.self, let number = value as? Double {
            self = .double(number)
        } else if Value.self == Bool.self, let value = value as? Bool {
            self = .bool(value)
        } else if Value.self == ObjectID.self, let id = value as? ObjectID {
            self = .objectID(id)
        } else {
            return nil
        }
    }

    /// A reference to an object, as a relationship stores it.
    private init<Target: Model>(referringTo object: Target) throws {
        try self.init(nesting: Reference(object))
    }
}

/// An optional of any type, for values of which the type is not known.
protocol AnyOptional {
    var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
    var anyWrapped: Any? { self }
}

// As Swift's `isMultiple(of:)`: of 0 only 0 is a multiple.

extension Field where Value: BinaryInteger {
    /// Whether the number is a multiple of another: `$0.year.isMultiple(of: 4)`.
    ///
    /// No index tells it, so it is asked of each record that other conditions leave.
    public func isMultiple(of factor: Value) -> Condition { multiple(of: factor) }
}

extension Field {
    /// Whether there is a number and it is a multiple of another.
    public func isMultiple<Number: BinaryInteger>(of factor: Number) -> Condition where Value == Number? { multiple(of: factor) }

    private func multiple(of factor: some BinaryInteger) -> Condition {
        condition { (operand) throws(TroveError) in
            guard let factor = Int128(exactly: factor) else {
                throw TroveError.invalidQuery(reason: "the multiples of \(factor) are sought, which is more than 128 bits with a sign hold")
            }
            return .isMultiple(path, of: factor)
        }
    }
}
