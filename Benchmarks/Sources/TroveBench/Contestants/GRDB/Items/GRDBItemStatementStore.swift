import GRDB

/// Items through SQL statements that GRDB keeps prepared.
final class GRDBItemStatementStore: ItemStore {
    private static let insert = "INSERT INTO item (id, title, seconds) VALUES (?, ?, ?)"
    private static let update = "UPDATE item SET title = ?, seconds = ? WHERE id = ?"

    private let pool: DatabasePool

    init(path: String, _ place: StorePlace) throws {
        pool = try GRDBItems.open(path: path, place)
    }

    private static func insert(_ item: HandWrittenItem, _ statement: Statement) throws {
        statement.setUncheckedArguments([item.id, item.title, item.seconds])
        try statement.execute()
    }

    private static func update(_ item: HandWrittenItem, _ statement: Statement) throws {
        statement.setUncheckedArguments([item.title, item.seconds, item.id])
        try statement.execute()
    }

    private static func item(_ number: Int, _ db: Database) throws -> HandWrittenItem? {
        try HandWrittenItem.fetchOne(db.cachedStatement(sql: "SELECT * FROM item WHERE id = ?"), arguments: [HandWrittenItem.id(number)])
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let items = numbers.map { HandWrittenItem(number: $0) }
        return {
            try self.pool.write { db in
                let statement = try db.cachedStatement(sql: Self.insert)
                for item in items { try Self.insert(item, statement) }
            }
        }
    }

    func fetchAll() throws -> () -> Tally {
        let items = try pool.read { try HandWrittenItem.fetchAll($0.cachedStatement(sql: "SELECT * FROM item")) }
        return {
            var tally = Tally()
            for item in items { tally.add(item) }
            return tally
        }
    }

    func lengthening(every step: Int) throws -> () throws -> Void {
        {
            try self.pool.write { db in
                let items = try HandWrittenItem.fetchAll(db.cachedStatement(sql: "SELECT * FROM item ORDER BY id"))
                let statement = try db.cachedStatement(sql: Self.update)
                for place in stride(from: 0, to: items.count, by: step) {
                    var item = items[place]
                    item.seconds += ItemData.change
                    try Self.update(item, statement)
                }
            }
        }
    }

    func deletion(of numbers: [Int]) throws -> () throws -> Void {
        let ids = numbers.map(HandWrittenItem.id)
        return {
            try self.pool.write { db in
                let statement = try db.cachedStatement(sql: "DELETE FROM item WHERE id = ?")
                for id in ids {
                    statement.setUncheckedArguments([id])
                    try statement.execute()
                }
            }
        }
    }

    func perform(_ operation: ItemOperation, _ tally: inout Tally) throws {
        switch operation {
        case .read(let number):
            if let item = try pool.read({ try Self.item(number, $0) }) { tally.add(item) }
        case .update(let number, let seconds):
            try pool.write { try Self.update(HandWrittenItem(number: number, seconds: seconds), $0.cachedStatement(sql: Self.update)) }
        case .insert(let number):
            try pool.write { try Self.insert(HandWrittenItem(number: number), $0.cachedStatement(sql: Self.insert)) }
        case .scan(let first, let limit):
            let items = try pool.read { db in
                try HandWrittenItem.fetchAll(
                    db.cachedStatement(sql: "SELECT * FROM item WHERE id >= ? ORDER BY id LIMIT ?"), arguments: [HandWrittenItem.id(first), limit])
            }
            for item in items { tally.add(item) }
        case .modify(let number, let change):
            let found = try pool.write { db in
                let found = try Self.item(number, db)
                if var item = found {
                    item.seconds += change
                    try Self.update(item, db.cachedStatement(sql: Self.update))
                }
                return found
            }
            if let found { tally.add(found) }
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "item") }

    func close() throws { try pool.close() }
}
