/// What one change inside a savepoint has replaced.
struct UndoEntry {
    /// The stored key.
    let key: [UInt8]
    /// The value that was there; nil for none.
    let value: [UInt8]?
}
