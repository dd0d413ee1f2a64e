/// A record of any model, by the numbers that a ``RecordTable`` gave its model and its key.
struct RecordNumber: Hashable {
    let model: Int32
    let key: UInt32
}
