import Trove

/// What an import knows of rows: of all before a transaction, or of those that the transaction adds.
///
/// It may be as large as the source, and is never copied: what a transaction adds is apart until it is committed.
struct ImportedRows {
    /// What stored rows point at, with the first row that does.
    struct Awaited {
        let reference: SourceReference
        let collection: String
        let place: SourcePlace
    }

    /// The object of a row: the place of its collection, and its id in the store.
    struct MadeObject {
        let place: Int
        let id: StoredValue
    }

    /// The rows that were read, by what numbers them: two tables may have the same UUIDs.
    private var seen: [String: ObjectIDSet] = [:]
    /// Those of them that the store refused.
    private var refused: [String: Set<ObjectID>] = [:]
    /// What was not read yet, or refused.
    private(set) var awaited: [String: [ObjectID: Awaited]] = [:]
    /// What was awaited before the transaction, and is there.
    private var arrived: [(space: String, id: ObjectID)] = []
    /// The objects that rows became, by their models: rows of several collections may become those of one model.
    private var objects: [String: Set<StoredValue>] = [:]
    /// What bags ask for: the objects that rows became, or that were there already.
    private var made: [String: [ObjectID: MadeObject]] = [:]
    /// The ids of what was stored of each collection, in the order of the source.
    private(set) var stored: [Int: [StoredValue]] = [:]

    func hasSeen(_ space: String, _ id: ObjectID) -> Bool { seen[space]?.contains(id) == true }
    func hasRefused(_ space: String, _ id: ObjectID) -> Bool { !refused.isEmpty && refused[space]?.contains(id) == true }
    func awaits(_ space: String, _ id: ObjectID) -> Bool { !awaited.isEmpty && awaited[space]?[id] != nil }
    func hasMade(_ id: StoredValue, of model: String) -> Bool { objects[model]?.contains(id) == true }
    func madeObject(_ space: String, _ id: ObjectID) -> MadeObject? { made[space]?[id] }

    /// Takes a row in; returns whether it is new.
    mutating func see(_ space: String, _ id: ObjectID) -> Bool { seen[space, default: ObjectIDSet()].insert(id) }
    mutating func refuse(_ space: String, _ id: ObjectID) { refused[space, default: []].insert(id) }
    mutating func expect(_ id: ObjectID, _ awaited: Awaited) { self.awaited[awaited.reference.space, default: [:]][id] = awaited }
    mutating func make(_ id: StoredValue, of model: String) { objects[model, default: []].insert(id) }
    mutating func note(_ object: MadeObject, _ space: String, _ id: ObjectID) { made[space, default: [:]][id] = object }
    mutating func store(_ id: StoredValue, _ place: Int) { stored[place, default: []].append(id) }

    /// A row is there, which rows before may have pointed at.
    mutating func arrive(_ space: String, _ id: ObjectID, after settled: ImportedRows) {
        if !awaited.isEmpty { awaited[space]?[id] = nil }
        if settled.awaits(space, id) { arrived.append((space, id)) }
    }

    /// Takes in what a transaction has added, which is committed.
    mutating func settle(_ added: ImportedRows) {
        // An import that is whole has one transaction, whose sets are as large as the source.
        if seen.isEmpty {
            self = added
            return
        }
        for (space, ids) in added.seen { seen[space, default: ObjectIDSet()].formUnion(ids) }
        for (space, ids) in added.refused { refused[space, default: []].formUnion(ids) }
        for (space, id) in added.arrived { awaited[space]?[id] = nil }
        for (space, found) in added.awaited { awaited[space, default: [:]].merge(found) { first, _ in first } }
        for (model, ids) in added.objects { objects[model, default: []].formUnion(ids) }
        for (space, found) in added.made { made[space, default: [:]].merge(found) { _, last in last } }
        for (place, ids) in added.stored { stored[place, default: []] += ids }
    }
}

/// Ids, of which most come in ascending order, as those of rows with numbers do.
struct ObjectIDSet {
    private var ascending: [ObjectID] = []
    private var others: Set<ObjectID> = []

    /// Takes an id in; returns whether it is new.
    mutating func insert(_ id: ObjectID) -> Bool {
        guard let last = ascending.last, id <= last else {
            ascending.append(id)
            return true
        }
        return isAmongAscending(id) ? false : others.insert(id).inserted
    }

    mutating func formUnion(_ other: ObjectIDSet) {
        for id in other.ascending { _ = insert(id) }
        for id in other.others { _ = insert(id) }
    }

    func contains(_ id: ObjectID) -> Bool { isAmongAscending(id) || others.contains(id) }

    private func isAmongAscending(_ id: ObjectID) -> Bool {
        var (low, high) = (0, ascending.count)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ascending.count && ascending[low] == id
    }
}
