/// What a scan does after an entry.
public enum ScanStep: Sendable, Hashable {
    /// Go on with the next entry.
    case next
    /// End the scan.
    case stop
}
