/// A move of a cursor in a program, or a change of its keyspace in between.
public enum CursorMove: ProgramStep {
    /// Seeks a key.
    case seek(ProgramKey)
    /// Seeks the last entry.
    case last
    /// Goes to the entry above.
    case next
    /// Goes to the entry below.
    case previous
    /// Deletes the entry that the cursor is at. Does nothing in a read.
    case deleteCurrent
    /// Stores an entry. Does nothing in a read.
    case put(key: ProgramKey, value: ProgramValue)

    public var simplerForms: [[CursorMove]] {
        switch self {
        case .seek(let key): key.simplerForms.map { [.seek($0)] }
        case .put(let key, let value):
            key.simplerForms.map { [.put(key: $0, value: value)] } + value.simplerForms.map { [.put(key: key, value: $0)] }
        case .last, .next, .previous, .deleteCurrent: []
        }
    }
}
