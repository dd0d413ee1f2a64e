// The operators take `Value` itself on the right, so that literals have one type to become and optional fields take plain values and nil.

extension Field {
    /// Whether the value equals another; nil equals nil.
    public static func == (field: Field, value: Value) -> Condition { field.compared(.equal, to: value) }
    /// Whether the value is another one; nil is another than every value.
    public static func != (field: Field, value: Value) -> Condition { field.compared(.notEqual, to: value) }

    /// Whether two fields have equal values; nil equals nil.
    public static func == (left: Field, right: Field) -> Condition { left.compared(.equal, to: right) }
    /// Whether two fields have different values.
    public static func != (left: Field, right: Field) -> Condition { left.compared(.notEqual, to: right) }

    /// Whether two fields have equal values, of which the left may be nil.
    public static func == <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.equal, to: right) }
    /// Whether two fields have equal values, of which the right may be nil.
    public static func == <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.equal, to: right) }
    /// Whether two fields have different values, of which the left may be nil.
    public static func != <Wrapped>(left: Field, right: Field<Wrapped>) -> Condition where Value == Wrapped? { left.compared(.notEqual, to: right) }
    /// Whether two fields have different values, of which the right may be nil.
    public static func != <Wrapped>(left: Field<Wrapped>, right: Field) -> Condition where Value == Wrapped? { left.compared(.notEqual, to: right) }

    /// Whether the value equals one of a list; nil is found when it is in the list.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
        condition { operand throws(TroveError) in
            var list: [StoredValue] = []
            for value in values { list.append(try StoredValue(comparing: value)) }
            return .membership(operand, list)
        }
    }

    func compared(_ comparison: Comparison, to value: Value) -> Condition {
        condition { operand throws(TroveError) in
            let value = try StoredValue(comparing: value)
            return switch (value, comparison) {
            case (.null, .equal): .isNil(path)
            case (.null, .notEqual): .not(.isNil(path))
            default: .comparison(operand, comparison, .value(value))
            }
        }
    }

    func compared<Other>(_ comparison: Comparison, to other: Field<Other>) -> Condition {
        condition(other) { .comparison($0, comparison, $1) }
    }
}

/// Only types whose stored form has an order: a raw value's order is not that of its enum.
extension Field where Value: StorableKey {
    /// Whether the value is below another; that of nil and of NaN is not.
    public static func < (field: Field, value: Value) -> Condition { field.compared(.less, to: value) }
    /// Whether the value is at most another; that of nil and of NaN is not.
    public static func <= (field: Field, value: Value) -> Condition { field.compared(.lessOrEqual, to: value) }
    /// Whether the value is above another; that of nil and of NaN is not.
    public static func > (field: Field, value: Value) -> Condition { field.compared(.greater, to: value) }
    /// Whether the value is at least another; that of nil and of NaN is not.
    public static func >= (field: Field, value: Value) -> Condition { field.compared(.greaterOrEqual, to: value) }

    /// Whether the left field's value is below the right one's; never where one is nil or NaN.
    public static func < (left: Field, right: Field) -> Condition { left.compared(.less, to: right) }
    /// Whether the left field's value is at most the right one's; never where one is nil or NaN.
    public static func <= (left: Field, right: Field) -> Condition { left.compared(.lessOrEqual, to: right) }
    /// Whether the left field's value is above the right one's; never where one is nil or NaN.
    public static func > (left: Field, right: Field) -> Condition { left.compared(.greater, to: right) }
    /// Whether the left field's value is at least the right one's; never where one is nil or NaN.
    public static func >= (left: Field, right: Field) -> Condition { left.compared(.greaterOrEqual, to: right) }

    /// Whether the value is neither below `lower` nor above `upper`.
    public func isBetween(_ lower: Value, and upper: Value) -> Condition { self >= lower && self <= upper }
}
