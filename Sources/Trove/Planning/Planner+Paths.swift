/// Conditions on attributes of documents, which no index was declared for: the index of all paths has a slice for each.
extension Planner {
    /// How many subjects of a query are looked up in the index of all paths.
    private static let maxSubjects = 64

    /// The indexes that may be used: those of the model, and what an index of all paths has of the subjects of the conditions.
    func usableIndexes() throws -> [IndexBinding] {
        let indexes = try transaction.usableIndexes(of: model.binding)
        guard let whole = indexes.first(where: \.schema.kind.isOfPaths) else { return indexes }
        var subjects: [PathSubject] = []
        for condition in conditions { condition.addSubjects([], to: &subjects, limit: Self.maxSubjects) }
        guard !subjects.isEmpty else { return indexes }
        let table = try transaction.pathTable(of: whole)
        return try indexes + subjects.compactMap { try slice($0, of: whole, table) }
    }

    private func slice(_ subject: PathSubject, of whole: IndexBinding, _ table: PathTable) throws -> IndexBinding? {
        guard let (numbers, isExact) = table.paths(of: subject) else { return nil }
        let slice = PathSlice(subject: subject, prefixes: numbers.map(Self.prefix), isExact: isExact, isTextOnly: table.indexing.isTextOnly)
        return try IndexBinding(slice, of: whole, in: model.binding)
    }

    /// What gives the first results of a descending sort by a path: documents without a value there come last, so they are not
    /// among the first as long as enough have one.
    func orderOfPath(_ indexes: [IndexBinding]) throws -> Proposal? {
        guard conditions.isEmpty, !isContinued, let key = sort.first, key.direction == .descending, key.ignoring.isEmpty, key.path.aggregate == nil,
            let reach = ResultWindow(query).reach, reach <= ResultWindow.maxTop, let whole = indexes.first(where: \.schema.kind.isOfPaths),
            let index = try slice(PathSubject(last: key.path), of: whole, transaction.pathTable(of: whole)), let slice = index.slice,
            slice.prefixes.count == 1, slice.isExact, !slice.isTextOnly
        else { return nil }
        var ranges: [KeyRange] = []
        guard !index.appendRanges(parts: [], last: .notNull, to: &ranges) else { return nil }
        let scan = IndexScan(index: index, ranges: ranges, conditions: [], mustRecheck: false, fixedParts: 0)
        guard let order = try order(of: scan), !order.criteria.isEmpty, let entries = try transaction.indexKeyspace(whole) else { return nil }
        var count = 0
        try transaction.reader.scanKeys(ranges[0], in: entries, order: .descending, expecting: reach) { _ in
            count += 1
            return count < reach ? .next : .stop
        }
        return count == reach ? Proposal(scan: scan, answered: ConditionSet(), order: order, isUnique: false) : nil
    }

    private static func prefix(_ path: UInt32) -> [UInt8] { withUnsafeBytes(of: path.bigEndian) { [UInt8]($0) } }

    /// About how many documents an index of all paths has: each has one entry of the whole document.
    func estimatedCount(_ paths: IndexBinding) throws -> Int {
        try transaction.estimateMany(.prefix(Self.prefix(PathTable.root)), in: paths)
    }
}

extension ReadTransaction {
    /// The paths that an index of all paths has.
    func pathTable(of index: IndexBinding) throws -> PathTable {
        try flushIndexes()
        guard let cache = index.paths else { return PathTable(.all) }
        var table = cache.known
        let count = table.count
        try PathDictionary.load(&table, of: index.number, reader)
        // What a write transaction reads may be its own and never be committed.
        if table.count > count, !(self is WriteTransaction) { cache.adopt(table) }
        return table
    }
}

extension Filter {
    /// Adds what the condition is about, as far as an index of values may tell: each once.
    fileprivate func addSubjects(_ quantifiers: [PathSubject.Quantifier], to subjects: inout [PathSubject], limit: Int) {
        guard subjects.count < limit else { return }
        switch self {
        case .comparison(.path(let path), _, .value, _), .membership(.path(let path), _, _), .text(.path(let path), .hasPrefix, .value, _),
            .isWithin(let path, _),
            .isNil(let path):
            // The index has the elements, and not how many there are or what they add up to.
            guard path.aggregate == nil else { return }
            let subject = PathSubject(quantifiers: quantifiers, last: path)
            if !subjects.contains(subject) { subjects.append(subject) }
        case .quantified(.any, let path, let part, let inner):
            inner.value.addSubjects(quantifiers + [PathSubject.Quantifier(path: path, part: part)], to: &subjects, limit: limit)
        case .not(let inner): inner.value.addSubjects(quantifiers, to: &subjects, limit: limit)
        case .and(let filters), .or(let filters):
            for filter in filters { filter.addSubjects(quantifiers, to: &subjects, limit: limit) }
        // No range of entries has what passes these.
        case .constant, .comparison, .membership, .text, .matches, .fullText, .isMultiple, .quantified, .isUnreferenced, .hasDanglingReferences: return
        }
    }
}
