import Trove

/// Items, as live objects of one context, on any of Trove's engines.
final class LiveItemStore: ItemStore {
    private let store: ObjectStore
    private let context: ObjectContext
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Items are inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, syncsAfterLoad: Bool) throws {
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: syncsAfterLoad ? .buffered : durability, models: LiveItem.self)
        context = ObjectContext(store)
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        let items = numbers.map(LiveItem.init(number:))
        return {
            try self.context.insert(items)
            try self.context.save()
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func fetchAll() throws -> () -> Tally {
        let items = try context.fetch(LiveItem.self).all()
        return {
            var tally = Tally()
            for item in items { tally.addInOrder(title: item.title, seconds: item.seconds) }
            return tally
        }
    }

    func lengthening(every step: Int) throws -> () throws -> Void {
        {
            let items = try self.context.fetch(LiveItem.self).all()
            for place in stride(from: 0, to: items.count, by: step) { items[place].seconds += ItemData.change }
            try self.context.save()
        }
    }

    func deletion(of numbers: [Int]) throws -> () throws -> Void {
        let ids = numbers.map(ItemData.id)
        return {
            try self.context.delete(try self.context.fetch(LiveItem.self, ids: ids))
            try self.context.save()
        }
    }

    func perform(_ operation: ItemOperation, _ tally: inout Tally) throws {
        switch operation {
        case .read(let number):
            if let item = try item(number) { tally.addInOrder(title: item.title, seconds: item.seconds) }
        case .update(let number, let seconds):
            try item(number)?.seconds = seconds
            try context.save()
        case .insert(let number):
            try context.insert(LiveItem(number: number))
            try context.save()
        case .scan(let first, let limit):
            let id = ItemData.id(first)
            for item in try context.fetch(LiveItem.self).where({ $0.id >= id }).limit(limit).all() {
                tally.addInOrder(title: item.title, seconds: item.seconds)
            }
        case .modify(let number, let change):
            guard let item = try item(number) else { return }
            tally.addInOrder(title: item.title, seconds: item.seconds)
            item.seconds += change
            try context.save()
        }
    }

    private func item(_ number: Int) throws -> LiveItem? { try context.fetch(LiveItem.self, id: ItemData.id(number)) }

    /// The context of the work has the changed objects whether they are stored or not; another one has those that are stored.
    func readBack() throws -> Tally {
        var tally = Tally()
        for item in try ObjectContext(store).fetch(LiveItem.self).all() { tally.addInOrder(title: item.title, seconds: item.seconds) }
        return tally
    }

    func count() throws -> Int { try context.fetch(LiveItem.self).count() }

    func close() throws { try store.close() }
}
