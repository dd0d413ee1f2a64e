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
    /// What was stored of each collection.
    var stored: [StoredObjects] = []
    /// What became of each bag, in the order of the source.
    var bags: [ImportedBag] = []
    /// The number that a bag of this name has last been given, where another bag has the name.
    var bagNumbers: [String: Int] = [:]
    /// Whether bags may ask for the objects that rows became.
    let hasBags: Bool
    /// What is known of rows that are committed, and of those of the transaction.
    private(set) var settled = ImportedRows()
    var added = ImportedRows()

    init(_ reader: any SourceReader) { hasBags = !reader.bagClasses.isEmpty }

    struct StoredObjects {
        /// The sum of the hashes of all of them.
        var hash = 0
        /// About how many bytes they take.
        var size = 0
        /// The attributes in which the store has the dates of its saves; nil before the first object.
        var dates: Set<String>?
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

    /// Takes a row in; returns whether it is new.
    mutating func see(_ space: String, _ id: ObjectID) -> Bool { settled.hasSeen(space, id) ? false : added.see(space, id) }

    /// Whether nothing is known to be under an id.
    func isMissing(_ space: String, _ id: ObjectID) -> Bool {
        !(added.hasSeen(space, id) || settled.hasSeen(space, id)) || hasRefused(space, id)
    }

    /// Whether a row of this key was there, and is not stored.
    func hasRefused(_ space: String, _ id: ObjectID) -> Bool { added.hasRefused(space, id) || settled.hasRefused(space, id) }

    /// The object of a row.
    func madeObject(_ space: String, _ id: ObjectID) -> ImportedRows.MadeObject? { added.madeObject(space, id) ?? settled.madeObject(space, id) }

    /// Whether a row before became this object.
    func hasMade(_ id: StoredValue, of model: String) -> Bool { added.hasMade(id, of: model) || settled.hasMade(id, of: model) }

    /// A row is there, and points at what is missing.
    mutating func arrive(_ row: SourceRow, _ id: ObjectID, missing: [(reference: SourceReference, id: ObjectID)]) {
        added.arrive(row.id.space, id, after: settled)
        for (reference, id) in missing where !added.awaits(reference.space, id) && !settled.awaits(reference.space, id) {
            added.expect(id, ImportedRows.Awaited(reference: reference, collection: row.collection, place: row.place))
        }
    }

    /// The transaction is committed.
    mutating func settle() {
        settled.settle(added)
        added = ImportedRows()
    }

    func report(isDryRun: Bool) -> ImportReport {
        var report = ImportReport()
        report.collections = collections.sorted { $0.name < $1.name }
        report.bags = bags.map(\.report)
        (report.faults, report.faultCount, report.isDryRun) = (faults.first, faults.count, isDryRun)
        return report
    }
}
