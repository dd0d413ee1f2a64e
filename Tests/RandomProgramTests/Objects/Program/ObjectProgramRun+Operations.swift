import Trove
import TroveTesting

extension ObjectProgramRun {
    /// Does an operation and takes down its answer.
    func perform<Item: ProgramItem>(
        _ operation: ObjectOperation, _ transaction: WriteTransaction, _ type: Item.Type, _ place: String, depth: Int
    ) throws {
        try log.record(.text(try answer(to: operation, transaction, type, place, depth: depth)), at: place)
    }

    private func answer<Item: ProgramItem>(
        to operation: ObjectOperation, _ transaction: WriteTransaction, _ type: Item.Type, _ place: String, depth: Int
    ) throws -> String {
        switch operation {
        case .saveItem(let item): return try refusable { try transaction.save(Item(item)) }
        case .insertItem(let item): return try refusable { try transaction.insert(Item(item)) }
        case .saveItems(let items): return try refusable { try transaction.savepoint { try transaction.save(items.map(Item.init)) } }
        case .updateItems(let filter, let change):
            return try counted {
                try transaction.savepoint {
                    try fetch(filter, transaction, type).update { item in
                        var value = item.value
                        change.apply(to: &value)
                        item = Item(value)
                    }
                }
            }
        case .deleteItems(let ids): return "\(try transaction.delete(type, ids: ids))"
        case .deleteItemsWhere(let filter): return "\(try fetch(filter, transaction, type).delete())"
        case .deleteAllItems: return "\(try transaction.deleteAll(type))"
        case .saveBox(let id, let name, let parent, let parts):
            try transaction.save(
                ProgramBox(id: id, name: name, parent: parent.map { Reference(id: $0) }, parts: parts.map { Reference(id: $0.whole) }))
            return "done"
        case .deleteBoxes(let ids): return try deniable { try transaction.delete(ProgramBox.self, ids: ids) }
        case .deleteBoxesWhere(let from, let upTo):
            return try deniable { try transaction.fetch(ProgramBox.self).matching("id >= ? and id < ?", from, upTo).delete() }
        case .savePart(let id, let weight):
            try transaction.save(ProgramPart(id: id.whole, weight: weight))
            return "done"
        case .deleteParts(let ids): return "\(try transaction.delete(ProgramPart.self, ids: ids.map(\.whole)))"
        case .saveLock(let id, let box):
            try transaction.save(ProgramLock(id: id, box: Reference(id: box)))
            return "done"
        case .deleteLock(let id): return "\(try transaction.delete(ProgramLock.self, id: id))"
        case .saveEntries(let shelf, let places, let count):
            try transaction.save(places.map { ProgramEntry(shelf: shelf.whole, place: $0, count: count) })
            return "done"
        case .insertEntry(let shelf, let place, let count):
            return try refusable { try transaction.insert(ProgramEntry(shelf: shelf.whole, place: place, count: count)) }
        case .deleteEntriesWhere(let count): return "\(try transaction.fetch(ProgramEntry.self).where { $0.count == count }.delete())"
        case .query(let query): return try self.answer(query, transaction, type)
        case .savepoint(let operations, let fails):
            do {
                try transaction.savepoint {
                    for (number, operation) in operations.enumerated() {
                        try perform(operation, transaction, type, "\(place).\(number)", depth: depth + 1)
                    }
                    if fails { throw Deliberate(depth: depth) }
                }
                return "kept"
            } catch let error as Deliberate where error.depth == depth {
                return "undone"
            }
        }
    }

    private func refusable(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return "done"
        } catch TroveError.uniqueViolation, TroveError.alreadyExists, TroveError.deletionNotSaved {
            return "refused"
        }
    }

    private func counted(_ body: () throws -> Int) throws -> String {
        do {
            return "\(try body())"
        } catch TroveError.uniqueViolation {
            return "refused"
        }
    }

    private func deniable(_ body: () throws -> Int) throws -> String {
        do {
            return "\(try body())"
        } catch TroveError.deletionDenied {
            return "denied"
        }
    }
}
