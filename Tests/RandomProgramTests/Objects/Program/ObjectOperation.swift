import TroveTesting

/// What a program does inside a transaction.
indirect enum ObjectOperation: ProgramStep {
    case saveItem(ItemValue)
    case insertItem(ItemValue)
    /// In a savepoint, because a batch that is refused can only be rolled back.
    case saveItems([ItemValue])
    case updateItems(ItemFilter, ItemChange)
    case deleteItems(ids: [Int])
    case deleteItemsWhere(ItemFilter)
    case deleteAllItems
    case saveBox(id: Int, name: String, parent: Int?, parts: [String])
    case deleteBoxes(ids: [Int])
    case deleteBoxesWhere(fromID: Int, upToID: Int)
    case savePart(id: String, weight: Int)
    case deleteParts(ids: [String])
    case saveLock(id: Int, box: Int)
    case deleteLock(id: Int)
    /// Replaces the one with the same shelf and place.
    case saveEntries(shelf: String, places: [Int], count: Int)
    case insertEntry(shelf: String, place: Int, count: Int)
    case deleteEntriesWhere(count: Int)
    case query(ObjectQuery)
    case savepoint([ObjectOperation], fails: Bool)

    var operationCount: Int {
        if case .savepoint(let operations, _) = self { 1 + operations.operationCount } else { 1 }
    }

    var simplerForms: [[ObjectOperation]] {
        switch self {
        case .saveItem(let item): return Self.simpler(item).map { [.saveItem($0)] }
        case .insertItem(let item): return [[.saveItem(item)]]
        case .saveItems(let items):
            return items.indices.map { removed in [.saveItems(items.indices.filter { $0 != removed }.map { items[$0] })] }
                + (items.count == 1 ? [[.saveItem(items[0])]] : [])
        case .updateItems(let filter, let change): return filter.simplerForms.map { [.updateItems($0, change)] }
        case .deleteItemsWhere(let filter): return filter.simplerForms.map { [.deleteItemsWhere($0)] }
        case .deleteItems(let ids):
            return ids.count > 1 ? ids.indices.map { removed in [.deleteItems(ids: ids.indices.filter { $0 != removed }.map { ids[$0] })] } : []
        case .deleteBoxes(let ids): return ids.count > 1 ? ids.map { [.deleteBoxes(ids: [$0])] } : []
        case .deleteParts(let ids): return ids.count > 1 ? ids.map { [.deleteParts(ids: [$0])] } : []
        case .saveBox(let id, let name, let parent, let parts):
            return (parent == nil ? [] : [[.saveBox(id: id, name: name, parent: nil, parts: parts)]])
                + parts.indices.map { removed in
                    [.saveBox(id: id, name: name, parent: parent, parts: parts.indices.filter { $0 != removed }.map { parts[$0] })]
                }
        case .saveEntries(let shelf, let places, let count):
            return places.count > 1 ? places.map { [.saveEntries(shelf: shelf, places: [$0], count: count)] } : []
        case .query(let query): return query.simplerForms.map { $0.map { .query($0) } }
        case .savepoint(let operations, let fails):
            return [operations] + operations.simplerLists.map { [.savepoint($0, fails: fails)] }
                + (fails ? [[.savepoint(operations, fails: false)]] : [])
        default: return []
        }
    }

    /// The item with less in it.
    private static func simpler(_ item: ItemValue) -> [ItemValue] {
        var forms: [ItemValue] = []
        if !item.tags.isEmpty { forms.append(with(item) { $0.tags = [] }) }
        if item.home != nil { forms.append(with(item) { $0.home = nil }) }
        if item.note != nil { forms.append(with(item) { $0.note = nil }) }
        if item.title.contains(" ") { forms.append(with(item) { $0.title = String($0.title.prefix { $0 != " " }) }) }
        return forms
    }

    private static func with(_ item: ItemValue, _ change: (inout ItemValue) -> Void) -> ItemValue {
        var item = item
        change(&item)
        return item
    }
}
