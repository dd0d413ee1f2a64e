import GRDB

/// GRDB's database of items.
enum GRDBItems {
    static func open(path: String, _ place: StorePlace) throws -> DatabasePool {
        try GRDBPool.open(
            path: path, durability: place.durability,
            schema: "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds INTEGER NOT NULL)")
    }
}
