/// The decision to go on or to stop after an entry of a scan.
public enum ScanStep: Sendable, Hashable {
    /// Go on with the next entry.
    case next
    /// End the scan.
    case stop
}
