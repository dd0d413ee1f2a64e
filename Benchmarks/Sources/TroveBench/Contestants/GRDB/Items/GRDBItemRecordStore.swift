import GRDB

/// Items through GRDB's record protocols and query interface.
final class GRDBItemRecordStore<Item: GRDBItem>: ItemStore {
    private let pool: DatabasePool

    init(path: String, _ place: StorePlace) throws {
        pool = try GRDBItems.open(path: path, place)
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let items = numbers.map { Item(number: $0) }
        return {
            try self.pool.write { db in
                for item in items { try item.insert(db) }
            }
        }
    }

    func fetchAll() throws -> () -> Tally {
        let items = try pool.read { try Item.fetchAll($0) }
        return {
            var tally = Tally()
            for item in items { tally.add(item) }
            return tally
        }
    }

    func lengthening(every step: Int) throws -> () throws -> Void {
        {
            try self.pool.write { db in
                let items = try Item.order(Column("id")).fetchAll(db)
                for place in stride(from: 0, to: items.count, by: step) {
                    var item = items[place]
                    item.seconds += ItemData.change
                    try item.update(db)
                }
            }
        }
    }

    func deletion(of numbers: [Int]) throws -> () throws -> Void {
        let ids = numbers.map(Item.id)
        return { _ = try self.pool.write { try Item.deleteAll($0, keys: ids) } }
    }

    func perform(_ operation: ItemOperation, _ tally: inout Tally) throws {
        switch operation {
        case .read(let number):
            if let item = try pool.read({ try Item.fetchOne($0, key: Item.id(number)) }) { tally.add(item) }
        case .update(let number, let seconds):
            try pool.write { try Item(number: number, seconds: seconds).update($0) }
        case .insert(let number):
            try pool.write { try Item(number: number).insert($0) }
        case .scan(let first, let limit):
            let items = try pool.read { try Item.filter(Column("id") >= Item.id(first)).order(Column("id")).limit(limit).fetchAll($0) }
            for item in items { tally.add(item) }
        case .modify(let number, let change):
            let found = try pool.write { db in
                let found = try Item.fetchOne(db, key: Item.id(number))
                if var item = found {
                    item.seconds += change
                    try item.update(db)
                }
                return found
            }
            if let found { tally.add(found) }
        }
    }

    func count() throws -> Int { try GRDBPool.count(pool, "item") }

    func close() throws { try pool.close() }
}
