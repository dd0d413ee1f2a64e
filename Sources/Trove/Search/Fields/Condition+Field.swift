/// A field of type `Bool` is a condition by itself: `$0.isLive && $0.year > 1990`.
///
/// Each operator is written out for the types it joins: generic ones make expressions slow to compile.
extension Field where Value == Bool {
    /// The condition that the field is true.
    public var isTrue: Condition { self == true }

    /// Whether the field is false.
    public static prefix func ! (field: Field) -> Condition { !field.isTrue }

    /// Whether both fields are true.
    public static func && (left: Field, right: Field) -> Condition { left.isTrue && right.isTrue }
    /// Whether the field is true and the condition holds.
    public static func && (left: Field, right: Condition) -> Condition { left.isTrue && right }
    /// Whether the condition holds and the field is true.
    public static func && (left: Condition, right: Field) -> Condition { left && right.isTrue }

    /// Whether one of the fields is true.
    public static func || (left: Field, right: Field) -> Condition { left.isTrue || right.isTrue }
    /// Whether the field is true or the condition holds.
    public static func || (left: Field, right: Condition) -> Condition { left.isTrue || right }
    /// Whether the condition holds or the field is true.
    public static func || (left: Condition, right: Field) -> Condition { left || right.isTrue }
}
