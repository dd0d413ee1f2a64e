/// One side of a comparison: what a path leads to, or a value.
public enum Operand: Sendable, Hashable {
    case path(FieldPath)
    case value(StoredValue)
}
