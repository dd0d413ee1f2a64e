import Trove

/// What an import has done so far. A transaction that runs again begins with that of its beginning.
struct ImportState {
    /// What became of each collection's objects, in the order in which the source names the collections.
    var collections: [ImportReport.Collection] = []
    private var places: [String: Int] = [:]
    /// The collections of the rows that one thing numbers, such as the table of several classes.
    private(set) var spaces: [String: [String]] = [:]
    /// The one of the last row: mostly it is that of the next, too.
    private var last = 0
    var faults = FaultList()
    var completed = 0
    /// What was stored of each collection, in the order of the source.
    var stored: [StoredObjects] = []
    /// The rows that were read.
    var seen = ObjectIDSet()
    /// Those of them that the store refused.
    var refused: Set<ObjectID> = []
    /// What stored rows point at and was not read yet, or refused, with the first row that does.
    var awaited: [ObjectID: (reference: SourceReference, from: SourceRow)] = [:]

    struct StoredObjects {
        var ids: [StoredValue] = []
        /// The sum of the hashes of all of them.
        var hash = 0
    }

    /// The place of the collection of a row.
    mutating func place(of row: SourceRow) -> Int {
        if last < collections.count, collections[last].name == row.collection { return last }
        if let place = places[row.collection] {
            last = place
            return place
        }
        last = collections.count
        places[row.collection] = last
        collections.append(.init(row.collection))
        stored.append(StoredObjects())
        spaces[row.id.space, default: []].append(row.collection)
        return last
    }

    /// Whether nothing is known to be under an id.
    func isMissing(_ id: ObjectID) -> Bool { !seen.contains(id) || refused.contains(id) }

    func report(isDryRun: Bool) -> ImportReport {
        var report = ImportReport()
        report.collections = collections.sorted { $0.name < $1.name }
        (report.faults, report.faultCount, report.isDryRun) = (faults.first, faults.count, isDryRun)
        return report
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
