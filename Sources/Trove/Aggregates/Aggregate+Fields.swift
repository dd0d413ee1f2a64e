extension Aggregate where Object: Model, Value == Int {
    /// The number of different values, without nil.
    public static func countDistinct(_ property: PartialKeyPath<Object> & Sendable) -> Aggregate {
        Aggregate(.countDistinct, property, finish: Int.init(converting:))
    }
}

extension Aggregate where Object: Model {
    /// The sum of numbers; 0 when there are none. Integers and decimals are added exactly, floating-point numbers are rounded once.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum; what is added on the way may be larger.
    public static func sum<Number: Summable>(_ property: KeyPath<Object, Number> & Sendable) -> Aggregate where Value == Number.Sum {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }

    /// The sum of the numbers that are not nil; 0 when there are none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum.
    public static func sum<Number: Summable>(_ property: KeyPath<Object, Number?> & Sendable) -> Aggregate where Value == Number.Sum {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }

    /// The exact sum of integers as a type that is wide enough: `.sum(\.bytes, as: Int128.self)`; 0 of none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum<Number: Summable & FixedWidthInteger>(
        _ property: KeyPath<Object, Number> & Sendable, as type: Value.Type
    ) -> Aggregate where Value: FixedWidthInteger & Storable {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }

    /// The exact sum of the integers that are not nil, as a type that is wide enough; 0 when there are none.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the type does not hold the sum.
    public static func sum<Number: Summable & FixedWidthInteger>(
        _ property: KeyPath<Object, Number?> & Sendable, as type: Value.Type
    ) -> Aggregate where Value: FixedWidthInteger & Storable {
        Aggregate(.sum, property, finish: Value.init(converting:))
    }
}

extension Aggregate where Object: Model, Value == Double? {
    /// The average of the numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number> & Sendable) -> Aggregate {
        Aggregate(.average, property, finish: Double?.init(converting:))
    }

    /// The average of the numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(_ property: KeyPath<Object, Number?> & Sendable) -> Aggregate {
        Aggregate(.average, property, finish: Double?.init(converting:))
    }
}

extension Aggregate where Object: Model {
    /// The least value that is not nil; nil when there is none.
    public static func minimum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.minimum, property, finish: Wrapped?.init(converting:))
    }

    /// The least value that is not nil; nil when there is none.
    public static func minimum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped?> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.minimum, property, finish: Wrapped?.init(converting:))
    }

    /// The greatest value that is not nil; nil when there is none. NaN is greater than all numbers.
    public static func maximum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.maximum, property, finish: Wrapped?.init(converting:))
    }

    /// The greatest value that is not nil; nil when there is none. NaN is greater than all numbers.
    public static func maximum<Wrapped: Storable>(_ property: KeyPath<Object, Wrapped?> & Sendable) -> Aggregate where Value == Wrapped? {
        Aggregate(.maximum, property, finish: Wrapped?.init(converting:))
    }
}

// Aggregates of what a closure names as conditions do: `.sum { $0.lines[0].price }`. Where a part of the way is nil, so is the value.

extension Aggregate where Object: Model {
    private init<Member>(
        _ function: AggregateFunction, of field: (Fields<Object>) -> Field<Member>, finish: @escaping @Sendable (StoredValue) throws -> Value
    ) {
        self.init(function, at: field(Fields()).result, finish: finish)
    }

    /// The sum of a field's numbers; 0 when there are no objects.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum,
    /// ``TroveError/unknownPath(model:path:reason:)`` for a path that leads nowhere.
    public static func sum<Number: Summable>(of field: (Fields<Object>) -> Field<Number>) -> Aggregate where Value == Number.Sum {
        Aggregate(.sum, of: field) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The sum of a field's numbers that are not nil; 0 when there are none.
    public static func sum<Number: Summable>(of field: (Fields<Object>) -> Field<Number?>) -> Aggregate where Value == Number.Sum {
        Aggregate(.sum, of: field) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The average of a field's numbers; nil when there are no objects.
    public static func average<Number: Numeric & Storable>(of field: (Fields<Object>) -> Field<Number>) -> Aggregate where Value == Double? {
        Aggregate(.average, of: field, finish: Double?.init(converting:))
    }

    /// The average of a field's numbers that are not nil; nil when there are none.
    public static func average<Number: Numeric & Storable>(of field: (Fields<Object>) -> Field<Number?>) -> Aggregate where Value == Double? {
        Aggregate(.average, of: field, finish: Double?.init(converting:))
    }

    /// The least value of a field that is not nil; nil when there is none.
    public static func minimum<Wrapped: Storable>(of field: (Fields<Object>) -> Field<Wrapped>) -> Aggregate where Value == Wrapped? {
        Aggregate(.minimum, of: field) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The least value of a field that is not nil; nil when there is none.
    public static func minimum<Wrapped: Storable>(of field: (Fields<Object>) -> Field<Wrapped?>) -> Aggregate where Value == Wrapped? {
        Aggregate(.minimum, of: field) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The greatest value of a field that is not nil; nil when there is none. NaN is greater than all numbers.
    public static func maximum<Wrapped: Storable>(of field: (Fields<Object>) -> Field<Wrapped>) -> Aggregate where Value == Wrapped? {
        Aggregate(.maximum, of: field) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The greatest value of a field that is not nil; nil when there is none. NaN is greater than all numbers.
    public static func maximum<Wrapped: Storable>(of field: (Fields<Object>) -> Field<Wrapped?>) -> Aggregate where Value == Wrapped? {
        Aggregate(.maximum, of: field) { try Value(converting: $0.converted(to: Value.fieldType)) }
    }

    /// The number of different values of a field, without nil.
    public static func countDistinct<Member>(of field: (Fields<Object>) -> Field<Member>) -> Aggregate where Value == Int {
        Aggregate(.countDistinct, of: field, finish: Int.init(converting:))
    }
}
