import GRDB

/// An item as GRDB stores it.
protocol GRDBItem: FetchableRecord, PersistableRecord, Sendable {
    var title: String { get }
    var seconds: Int { get set }

    init(id: Int64, title: String, seconds: Int)
}

extension GRDBItem {
    static var databaseTableName: String { "item" }

    /// The item with this number, or one that is as long as this.
    init(number: Int, seconds: Int? = nil) {
        self.init(id: Self.id(number), title: ItemData.title(number), seconds: seconds ?? ItemData.seconds(number))
    }

    static func id(_ number: Int) -> Int64 { Int64(number) + 1 }
}

extension Tally {
    /// Adds an item.
    @inline(__always)
    mutating func add(_ item: some GRDBItem) { addInOrder(title: item.title, seconds: item.seconds) }
}
