// Aggregates of what a closure names as conditions do: `.sum { $0.lines[0].price }`. Where a part of the way is nil, so is the value.

extension Aggregate where Object: Model {
    private init<Member>(
        _ function: AggregateFunction, of field: (Fields<Object>) -> Field<Member>, finish: @escaping @Sendable (StoredValue) throws -> Value
    ) {
        self.init(function, at: field(Fields()).result, finish: finish)
    }

    /// The sum of a field's numbers; 0 when there are no objects.
    ///
    /// Running it throws ``TroveError/sumOverflow(model:path:)`` when the result's type does not hold the sum, ``TroveError/unknownPath(model:path:reason:)`` for a path that leads nowhere.
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
