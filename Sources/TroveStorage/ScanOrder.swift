/// The direction of a scan.
public enum ScanOrder: Sendable, Hashable {
    /// From the lowest key to the highest.
    case ascending
    /// From the highest key to the lowest.
    case descending
}
