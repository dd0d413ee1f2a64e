import Trove

/// Items, as structs, on any of Trove's engines.
final class TroveItemStore: ItemStore {
    private let store: ObjectStore
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Items are inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, syncsAfterLoad: Bool) throws {
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: Item.self)
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let items = numbers.map(Item.init(number:))
        return {
            try self.store.save(items, durability: self.syncsAfterLoad ? .buffered : nil)
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func fetchAll() throws -> () -> Tally {
        let items = try store.fetch(Item.self).all()
        return {
            var tally = Tally()
            for item in items { tally.addInOrder(title: item.title, seconds: item.seconds) }
            return tally
        }
    }

    func lengthening(every step: Int) throws -> () throws -> Void {
        {
            try self.store.write { transaction in
                let items = try transaction.fetch(Item.self).all()
                try transaction.save(
                    stride(from: 0, to: items.count, by: step).map { place in
                        var item = items[place]
                        item.seconds += ItemData.change
                        return item
                    })
            }
        }
    }

    func deletion(of numbers: [Int]) throws -> () throws -> Void {
        let ids = numbers.map(ItemData.id)
        return { _ = try self.store.delete(Item.self, ids: ids) }
    }

    func perform(_ operation: ItemOperation, _ tally: inout Tally) throws {
        switch operation {
        case .read(let number):
            if let item = try store.fetch(Item.self, id: ItemData.id(number)) { tally.addInOrder(title: item.title, seconds: item.seconds) }
        case .update(let number, let seconds):
            try store.save(Item(id: ItemData.id(number), title: ItemData.title(number), seconds: seconds))
        case .insert(let number):
            try store.save(Item(number: number))
        case .scan(let first, let limit):
            let id = ItemData.id(first)
            for item in try store.fetch(Item.self).where({ $0.id >= id }).limit(limit).all() {
                tally.addInOrder(title: item.title, seconds: item.seconds)
            }
        case .modify(let number, let change):
            try store.write { transaction in
                guard var item = try transaction.fetch(Item.self, id: ItemData.id(number)) else { return }
                tally.addInOrder(title: item.title, seconds: item.seconds)
                item.seconds += change
                try transaction.save(item)
            }
        }
    }

    func count() throws -> Int { try store.fetch(Item.self).count() }

    func close() throws { try store.close() }
}
