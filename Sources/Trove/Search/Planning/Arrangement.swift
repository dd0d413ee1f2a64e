/// How results come into the order of their query.
enum Arrangement: Sendable, Hashable {
    /// They are found, or gathered, in the order of their keys.
    case key(ScanOrder)
    /// They are found in the order of an index, whose parts are the sort's criteria or the first of them.
    case index(ScanOrder)
    /// They are sorted in memory.
    case sort
}
