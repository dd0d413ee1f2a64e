extension Planner {
    /// The order that a scan of an index gives to the query's results; nil when it is of no use.
    func order(of scan: IndexScan) -> IndexOrder? {
        let parts = scan.index.fields.parts
        // An object with several entries would come several times, and in cut parts the order is lost.
        if let multiple = scan.index.fields.multiplePart, multiple >= scan.fixedParts { return nil }
        if scan.mustRecheck || idOrder == .descending { return nil }
        var position = scan.fixedParts
        var direction: ScanOrder?
        var criteria: [Int] = []
        var isComplete = true
        for (number, key) in sort.enumerated() {
            if parts[..<scan.fixedParts].contains(where: { $0.fixes(key) }) { continue }
            guard position < parts.count, parts[position].sorts(key) else {
                isComplete = false
                break
            }
            let order: ScanOrder = parts[position].part.direction == key.direction ? .ascending : .descending
            guard direction == nil || direction == order else {
                isComplete = false
                break
            }
            direction = order
            criteria.append(number)
            position += 1
        }
        let usesAllParts = position == parts.count
        // Without criteria it is the order of ids, in which entries of equal parts are.
        if criteria.isEmpty, !isComplete || !usesAllParts { return nil }
        return IndexOrder(
            criteria: criteria, order: direction ?? .ascending, isComplete: isComplete, partCount: position, usesAllParts: usesAllParts)
    }
}

extension IndexFields.Part {
    /// Whether objects with one value of this part have one value of the criterion.
    fileprivate func fixes(_ key: SortKey) -> Bool {
        members == nil && part.path == key.path && (!type.hasCase || !part.ignoringCase || key.ignoringCase)
    }

    /// Whether the part's bytes are those of the criterion, but for the direction.
    fileprivate func sorts(_ key: SortKey) -> Bool {
        members == nil && part.path == key.path && (!type.hasCase || part.ignoringCase == key.ignoringCase)
    }
}
