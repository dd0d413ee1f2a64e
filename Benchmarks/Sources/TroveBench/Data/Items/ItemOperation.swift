/// One operation on items, which is a transaction by itself.
enum ItemOperation: Sendable {
    case read(Int)
    /// Stores an item that is there already, as long as this.
    case update(Int, seconds: Int)
    /// Stores a new item, whose id is above all others.
    case insert(Int)
    /// Reads so many items in the order of the ids, from this one on.
    case scan(from: Int, limit: Int)
    /// Reads an item and stores it with another length, in one transaction.
    case modify(Int, by: Int)
}
