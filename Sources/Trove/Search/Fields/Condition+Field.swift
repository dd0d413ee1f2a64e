/// A field of type `Bool` is a condition by itself: `$0.isLive && $0.year > 1990`.
///
/// Each operator is written out for the types it joins: generic ones make expressions slow to compile.
extension Field where Value == Bool {
    /// The condition that the field is true.
    public var isTrue: Condition { self == true }

    public static prefix func ! (field: Field) -> Condition { !field.isTrue }

    public static func && (left: Field, right: Field) -> Condition { left.isTrue && right.isTrue }
    public static func && (left: Field, right: Condition) -> Condition { left.isTrue && right }
    public static func && (left: Condition, right: Field) -> Condition { left && right.isTrue }

    public static func || (left: Field, right: Field) -> Condition { left.isTrue || right.isTrue }
    public static func || (left: Field, right: Condition) -> Condition { left.isTrue || right }
    public static func || (left: Condition, right: Field) -> Condition { left || right.isTrue }
}
