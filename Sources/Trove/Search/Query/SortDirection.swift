/// Whether a sort begins with the least or the greatest value.
public enum SortDirection: String, Sendable, Hashable {
    case ascending, descending
}
