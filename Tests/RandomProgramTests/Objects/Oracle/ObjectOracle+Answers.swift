extension ObjectOracle {
    /// Does an operation; returns what a store should answer. `depth` counts the savepoints around it.
    mutating func perform(_ operation: ObjectOperation, depth: Int = 0, log: (String, String) throws -> Void, place: String) throws {
        switch operation {
        case .saveItem(let item): try log(save(item) ? "done" : "refused", place)
        case .insertItem(let item): try log(items[item.id] == nil && save(item) ? "done" : "refused", place)
        case .saveItems(let batch): try log(savepoint { $0.save(batch) } ? "done" : "refused", place)
        case .updateItems(let filter, let change):
            let count = ids(filter).count
            try log(savepoint { $0.update(filter, change) } ? "\(count)" : "refused", place)
        case .deleteItems(let ids): try log("\(deleteItems(ids))", place)
        case .deleteItemsWhere(let filter): try log("\(deleteItems(ids(filter)))", place)
        case .deleteAllItems: try log("\(deleteItems(Array(items.keys)))", place)
        case .saveBox(let id, let name, let parent, let parts):
            saveBox(id, Box(name: name, parent: parent, parts: parts))
            try log("done", place)
        case .deleteBoxes(let ids): try log(deleteBoxes(ids).map(String.init) ?? "denied", place)
        case .deleteBoxesWhere(let from, let upTo):
            try log(deleteBoxes(boxes.keys.filter { $0 >= from && $0 < upTo }).map(String.init) ?? "denied", place)
        case .savePart(let id, let weight):
            savePart(id, weight: weight)
            try log("done", place)
        case .deleteParts(let ids): try log("\(deleteParts(ids))", place)
        case .saveLock(let id, let box):
            saveLock(id, box: box)
            try log("done", place)
        case .deleteLock(let id): try log("\(deleteLock(id))", place)
        case .saveEntries(let shelf, let places, let count):
            for number in places { saveEntry(Place(shelf: shelf, place: number), count: count) }
            try log("done", place)
        case .insertEntry(let shelf, let number, let count):
            try log(insertEntry(Place(shelf: shelf, place: number), count: count) ? "done" : "refused", place)
        case .deleteEntriesWhere(let count): try log("\(deleteEntries(count: count))", place)
        case .query(let query): try log(answer(query), place)
        case .savepoint(let operations, let fails):
            var failure: (any Error)?
            let isKept = savepoint { inner in
                do {
                    for (number, operation) in operations.enumerated() {
                        try inner.perform(operation, depth: depth + 1, log: log, place: "\(place).\(number)")
                    }
                } catch {
                    failure = error
                }
                return failure == nil && !fails
            }
            if let failure { throw failure }
            try log(isKept ? "kept" : "undone", place)
        }
    }

    /// What a query should answer.
    func answer(_ query: ObjectQuery) -> String {
        switch query {
        case .items(let filter, let order, let descending, let offset, let limit):
            let found = ids(filter).compactMap { items[$0] }.sorted { left, right in
                let isBefore: Bool? =
                    switch order {
                    case .id: nil
                    case .amount: left.amount == right.amount ? nil : left.amount < right.amount
                    case .code: left.code < right.code
                    case .born: left.born == right.born ? nil : left.born < right.born
                    }
                // Between equals the id decides, in the same direction.
                return (isBefore ?? (left.id < right.id)) != descending && left.id != right.id
            }
            return "\(found.dropFirst(offset).prefix(limit ?? .max).map(\.id))"
        case .item(let id): return items[id]?.text ?? "none"
        case .itemCount(let filter): return "\(ids(filter).count)"
        case .itemWithCode(let code): return items.values.first { $0.code == code }?.text ?? "none"
        case .figures:
            let groups = Dictionary(grouping: items.values, by: \.section).sorted { $0.key < $1.key }
            let amounts = items.values.map(\.amount)
            return groups.map { "\($0.key): \($0.value.count), \($0.value.reduce(0) { $0 + $1.amount })" }.joined(separator: "; ")
                + " from \(amounts.min() ?? 0) to \(amounts.max() ?? 0)"
        case .referencing(let box):
            let sources = items.values.filter { $0.home == box }.map { "Item.home \($0.id)" }
                + boxes.filter { $0.value.parent == box }.map { "Box.parent \($0.key)" }
                + locks.filter { $0.value == box }.map { "Lock.box \($0.key)" }
            return sources.sorted().joined(separator: ", ")
        case .unreferencedParts:
            return "\(parts.keys.filter { part in !boxes.values.contains { $0.parts.contains(part) } }.sorted())"
        case .entries(let shelf):
            return entries.filter { $0.key.shelf == shelf }.sorted { $0.key.place < $1.key.place }.map { "\($0.key.place): \($0.value)" }
                .joined(separator: ", ")
        }
    }

    /// All objects, a line each.
    var lines: [String] {
        var lines = items.values.sorted { $0.id < $1.id }.map(\.text)
        lines += boxes.sorted { $0.key < $1.key }.map { "box \($0.key): \($0.value.name), parent \($0.value.parent ?? -1), \($0.value.parts)" }
        lines += parts.sorted { $0.key < $1.key }.map { "part \($0.key): \($0.value)" }
        lines += locks.sorted { $0.key < $1.key }.map { "lock \($0.key) of \($0.value)" }
        // Ids too long for a key have an order of their own.
        lines += entries.map { "entry \($0.key.shelf) \($0.key.place): \($0.value)" }.sorted()
        return lines
    }
}
