/// What a store should hold, in plain dictionaries and without a thought of speed.
struct ObjectOracle {
    struct Box: Hashable {
        var name: String
        var parent: Int?
        var parts: [String]
    }

    struct Place: Hashable {
        var shelf: String
        var place: Int
    }

    /// The version of the models.
    private(set) var version = 1
    private(set) var items: [Int: ItemValue] = [:]
    private(set) var boxes: [Int: Box] = [:]
    private(set) var parts: [String: Int] = [:]
    /// The boxes that locks keep.
    private(set) var locks: [Int: Int] = [:]
    private(set) var entries: [Place: Int] = [:]
    /// Parts that a save took out of a box, which are looked at when the transaction or the savepoint ends.
    private var orphans: Set<String> = []

    // MARK: Versions

    /// Opens with a later version.
    mutating func open(version: Int) {
        guard version > self.version else { return }
        for (id, item) in items {
            // Nobody sees the note any more, and it is gone with the next save.
            var item = item.seen(by: self.version)
            if self.version == 1 { item.rank = 7 }
            if version == 3 { item.level = "level \(item.rank)" }
            items[id] = item.seen(by: version)
        }
        self.version = version
    }

    // MARK: Savepoints

    /// Runs a body as a savepoint: what it took out of boxes is looked at when it ends. Undoes all when it returns false.
    mutating func savepoint(_ body: (inout ObjectOracle) -> Bool) -> Bool {
        var inner = self
        inner.orphans = []
        guard body(&inner) else { return false }
        inner.settle()
        inner.orphans = orphans
        self = inner
        return true
    }

    /// Ends a transaction or a savepoint.
    mutating func settle() {
        for part in orphans where !isOwned(part) { parts[part] = nil }
        orphans = []
    }

    private func isOwned(_ part: String) -> Bool { boxes.values.contains { $0.parts.contains(part) } }

    // MARK: Items

    /// Stores an item unless another has its code; returns whether it did.
    mutating func save(_ item: ItemValue) -> Bool {
        guard !items.values.contains(where: { $0.id != item.id && $0.code == item.code }) else { return false }
        put(item)
        return true
    }

    private mutating func put(_ item: ItemValue) {
        var item = item.seen(by: version)
        if let old = items[item.id] { item.born = old.born }
        items[item.id] = item
    }

    /// Stores several items, which are judged by the end.
    mutating func save(_ batch: [ItemValue]) -> Bool {
        let before = items
        for item in batch { put(item) }
        guard Set(items.values.map(\.code)).count == items.count else {
            items = before
            return false
        }
        return true
    }

    /// The ids of the items that pass, ascending.
    func ids(_ filter: ItemFilter) -> [Int] {
        let names = boxes.mapValues(\.name)
        return items.values.filter { filter.passes($0, homeNames: names, version: version) }.map(\.id).sorted()
    }

    mutating func update(_ filter: ItemFilter, _ change: ItemChange) -> Bool {
        save(ids(filter).compactMap { items[$0] }.map { item in
            var item = item
            change.apply(to: &item)
            return item
        })
    }

    /// Returns how many there were.
    mutating func deleteItems(_ ids: [Int]) -> Int { Set(ids).reduce(0) { $0 + (items.removeValue(forKey: $1) == nil ? 0 : 1) } }

    // MARK: Boxes and what they own

    mutating func saveBox(_ id: Int, _ box: Box) {
        orphans.formUnion(Set(boxes[id]?.parts ?? []).subtracting(box.parts))
        boxes[id] = box
    }

    /// Deletes boxes with all that goes with them; returns how many of them there were, or nil when a lock denies it.
    mutating func deleteBoxes(_ ids: [Int]) -> Int? {
        let requested = Set(ids).filter { boxes[$0] != nil }
        var doomed = requested
        while true {
            let children = boxes.filter { $0.value.parent.map(doomed.contains) ?? false }.keys
            if doomed.isSuperset(of: children) { break }
            doomed.formUnion(children)
        }
        if locks.values.contains(where: doomed.contains) { return nil }
        let owned = Set(doomed.flatMap { boxes[$0]?.parts ?? [] })
        for id in doomed { boxes[id] = nil }
        for part in owned where !isOwned(part) { parts[part] = nil }
        for (id, item) in items { if let home = item.home, doomed.contains(home) { items[id]?.home = nil } }
        return requested.count
    }

    mutating func savePart(_ id: String, weight: Int) { parts[id] = weight }

    mutating func deleteParts(_ ids: [String]) -> Int {
        let found = Set(ids).filter { parts[$0] != nil }
        for id in found { parts[id] = nil }
        for id in boxes.keys { boxes[id]?.parts.removeAll(where: found.contains) }
        return found.count
    }

    mutating func saveLock(_ id: Int, box: Int) { locks[id] = box }

    mutating func deleteLock(_ id: Int) -> Bool { locks.removeValue(forKey: id) != nil }

    // MARK: Entries

    mutating func saveEntry(_ place: Place, count: Int) { entries[place] = count }

    mutating func insertEntry(_ place: Place, count: Int) -> Bool {
        guard entries[place] == nil else { return false }
        entries[place] = count
        return true
    }

    mutating func deleteEntries(count: Int) -> Int {
        let found = entries.filter { $0.value == count }
        for place in found.keys { entries[place] = nil }
        return found.count
    }
}
