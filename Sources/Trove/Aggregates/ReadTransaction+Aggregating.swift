extension ReadTransaction {
    /// The aggregates of all of a query's objects.
    func totals(_ specifications: [AggregateSpecification], of type: any Model.Type, _ draft: QueryDraft) throws -> [StoredValue] {
        try totals(specifications, of: open(type, draft), draft)
    }

    func totals(_ specifications: [AggregateSpecification], of model: OpenModel, _ draft: QueryDraft) throws -> [StoredValue] {
        if specifications == [.count] { return [.int(Int64(try countResults(of: model, draft)))] }
        let specifications = try namingReferences(specifications, of: model.binding)
        let run = try GroupingRun(self, model, draft.unordered, by: [], specifications)
        if draft.isUnfiltered, let values = try extremes(specifications, of: model) { return values }
        if specifications.count == 1, let path = specifications[0].distinctPath, let walk = try distinctWalk(of: path, run) {
            walk.scan.index.uses.add()
            return [.int(Int64(try walk.count()))]
        }
        return try run.grouping().totals()
    }

    /// The aggregates of a query's objects for each combination of values, ascending by these.
    func groups(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of type: any Model.Type, _ draft: QueryDraft
    ) throws -> [GroupedValues] {
        try groups(by: paths, specifications, of: open(type, draft), draft)
    }

    func groups(by paths: [FieldPath], _ specifications: [AggregateSpecification], of model: OpenModel, _ draft: QueryDraft) throws -> [GroupedValues] {
        let paths = try namingReferences(paths, of: model.binding)
        let specifications = try namingReferences(specifications, of: model.binding)
        if let kept = try keptGroups(by: paths, specifications, of: model, draft) { return kept }
        let run = try GroupingRun(self, model, draft.unordered, by: paths, specifications)
        if specifications.isEmpty, paths.count == 1, let walk = try distinctWalk(of: paths[0], run) {
            walk.scan.index.uses.add()
            return try walk.values().map { GroupedValues(keys: [$0], aggregates: []) }
        }
        return try run.grouping().results(run.watch)
    }

    /// How the groups are made: of those that an index keeps, of the different values it has, or of the query's objects.
    func explainGroups(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of type: any Model.Type, _ draft: QueryDraft, running: Bool
    ) throws -> Explanation {
        try explainGroups(by: paths, specifications, of: open(type, draft), draft, running: running)
    }

    func explainGroups(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of model: OpenModel, _ draft: QueryDraft, running: Bool
    ) throws -> Explanation {
        let paths = try namingReferences(paths, of: model.binding)
        let specifications = try namingReferences(specifications, of: model.binding)
        let names = paths.map(\.description).joined(separator: ", ")
        if let index = try keptGroupsIndex(by: paths, specifications, of: model, draft) {
            let groups = running ? try keptGroups(by: paths, specifications, of: model, draft)?.count : nil
            let step = Explanation.Step(
                kind: .index, summary: "index '\(index.schema.name)': the groups it keeps by \(names)", index: index.schema.name,
                estimatedRows: nil, actualRows: groups, steps: [])
            return Explanation(step: step, estimatedCost: 0)
        }
        let run = try GroupingRun(self, model, draft.unordered, by: paths, specifications)
        if specifications.isEmpty, paths.count == 1, let walk = try distinctWalk(of: paths[0], run) {
            let name = walk.scan.index.schema.name
            let step = Explanation.Step(
                kind: .index, summary: "index '\(name)': from each value of \(names) to the next", index: name, estimatedRows: nil,
                actualRows: running ? try walk.values().count : nil, steps: [])
            return Explanation(step: step, estimatedCost: 0)
        }
        let grouping = running ? try run.grouping() : nil
        let explanation = try run.explained(grouping)
        let step = Explanation.Step(
            kind: .group, summary: paths.isEmpty ? "all as one group" : "group by \(names)", index: nil, estimatedRows: nil,
            actualRows: try grouping?.results(run.watch).count, steps: [explanation.step])
        return Explanation(step: step, estimatedCost: explanation.estimatedCost)
    }

    /// The same aggregates, where the id behind a reference is the reference.
    private func namingReferences(_ specifications: [AggregateSpecification], of model: ModelBinding) throws -> [AggregateSpecification] {
        guard specifications.contains(where: { $0.path?.names.isEmpty == false }) else { return specifications }
        return try specifications.map { specification in
            AggregateSpecification(function: specification.function, path: try specification.path.map { try namingReferences([$0], of: model)[0] })
        }
    }

    /// The walk over the different values at a path of a query's objects; nil when no index has them one after the other.
    private func distinctWalk(of path: FieldPath, _ run: GroupingRun) throws -> DistinctWalk? {
        if let scan = run.coveredScan, let walk = DistinctWalk(self, run.model, scan, path, run.watch) { return walk }
        guard run.isOfAllObjects, let index = try usableIndexes(of: run.model.binding).first(where: { $0.isOrdered(by: path) }) else { return nil }
        let scan = IndexScan(index: index, ranges: [.all], conditions: [], mustRecheck: false, fixedParts: 0)
        return DistinctWalk(self, run.model, scan, path, run.watch)
    }

    /// The index that keeps these groups of all objects; nil when none does.
    private func keptGroupsIndex(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of model: OpenModel, _ draft: QueryDraft
    ) throws -> IndexBinding? {
        guard draft.isUnfiltered else { return nil }
        _ = try draft.checkedQuery()
        return try usableIndexes(of: model.binding).first { $0.keeps(specifications, of: paths) }
    }

    /// The groups that an index keeps, when it keeps these of all objects; nil when none does.
    private func keptGroups(
        by paths: [FieldPath], _ specifications: [AggregateSpecification], of model: OpenModel, _ draft: QueryDraft
    ) throws -> [GroupedValues]? {
        guard let index = try keptGroupsIndex(by: paths, specifications, of: model, draft) else { return nil }
        let places = specifications.map { specification in index.schema.sums.firstIndex { $0 == specification.path } }
        let parts = index.fields.parts
        var groups: [GroupedValues] = []
        var areInOrder = true
        try forEachGroup(of: index) { group in
            // All lists are in one group, whatever is in them.
            for (part, value) in zip(parts, group.values) where part.type == nil && ValueClass(value) == .container {
                throw Grouping.withoutOrder(model: index.modelName, path: part.part.path)
            }
            if group.isCut { areInOrder = false }
            let values = zip(specifications, places).map { specification, place in
                specification.value(of: group, sum: place)
            }
            groups.append(GroupedValues(keys: group.values, aggregates: values))
            return .next
        }
        if areInOrder { return groups }
        var watch = watch
        return try groups.map { group in
            try watch.step()
            var bytes = ByteWriter(capacity: 64)
            for (value, part) in zip(group.keys, parts) {
                try KeyPart.append(value, type: part.type, ignoring: [], direction: .ascending, to: &bytes)
            }
            return (key: bytes.bytes(), group: group)
        }.sorted { left, right in
            try watch.step()
            return left.key.lexicographicallyPrecedes(right.key)
        }.map(\.group)
    }
}

extension QueryDraft {
    /// The query for a reader to whom the order of the objects does not matter.
    fileprivate var unordered: QueryDraft {
        var draft = self
        // Which objects a limit leaves depends on the order.
        if isWhole { draft.change { $0.sort = [] } }
        return draft
    }

    /// Whether it asks for all objects, in whatever order.
    fileprivate var isUnfiltered: Bool { unordered.isPlain }
}

extension IndexBinding {
    /// Whether the index keeps all of these aggregates for each combination of the values at these paths, in their order.
    fileprivate func keeps(_ specifications: [AggregateSpecification], of paths: [FieldPath]) -> Bool {
        guard hasGroups, schema.parts == paths.map({ IndexPart($0) }) else { return false }
        return specifications.allSatisfy { specification in
            switch specification.function {
            case .count: true
            case .sum: specification.path.map(schema.sums.contains) ?? false
            case .average, .minimum, .maximum, .countDistinct: false
            }
        }
    }
}

extension AggregateSpecification {
    /// The path whose different values are counted; nil of other aggregates.
    fileprivate var distinctPath: FieldPath? { function == .countDistinct ? path : nil }

    static let count = AggregateSpecification(function: .count, path: nil)

    /// The aggregate's value in a group that an index keeps.
    fileprivate func value(of group: IndexGroup, sum place: Int?) -> StoredValue {
        guard let place else { return .int(Int64(group.count)) }
        switch group.sums[place] {
        case .decimal(let sum, _): return .decimal(sum)
        case .integer(let sum, _): return StoredValue(integer: sum)
        }
    }
}

/// Least and greatest values that stand at the ends of an index.
extension ReadTransaction {
    /// The aggregates of all objects of a model, when they are only of numbers of objects and of least and greatest values that an index
    /// has at its ends; nil otherwise.
    func extremes(_ specifications: [AggregateSpecification], of model: OpenModel) throws -> [StoredValue]? {
        let indexes = try usableIndexes(of: model.binding)
        var values: [StoredValue] = []
        for specification in specifications {
            switch specification.function {
            case .count:
                values.append(.int(Int64(try countObjects(model))))
            case .minimum, .maximum:
                guard let path = specification.path, let index = indexes.first(where: { $0.isOrdered(by: path) }),
                    let value = try extreme(index, path, wantsGreatest: specification.function == .maximum, model)
                else { return nil }
                values.append(value)
            case .sum, .average, .countDistinct: return nil
            }
        }
        return values
    }

    /// The least or greatest value of an index's first part that is not nil, `.null` when there is none; nil when the index cannot tell.
    private func extreme(_ index: IndexBinding, _ path: FieldPath, wantsGreatest: Bool, _ model: OpenModel) throws -> StoredValue? {
        try flushIndexes()
        guard let entries = try indexKeyspace(index) else { return .null }
        index.uses.add()
        let part = index.fields.parts[0]
        let layout = PartLayout([(part.type, part.part.direction)])
        var recordKey: [UInt8]?
        var isWhole = true
        let order: ScanOrder = wantsGreatest == (part.part.direction == .ascending) ? .descending : .ascending
        try reader.scan(index.entryRange(parts: [], last: .notNull).keys, in: entries, order: order) { key, value in
            let entry = try IndexEntry.readable(key, value, of: index)
            recordKey = [UInt8](entry.recordKey)
            // What is cut off would tell values apart that begin alike.
            isWhole = layout.size(ofFirst: 1, in: entry.parts).map { $0 <= EntryFormat.keptPartsSize } ?? false
            return .stop
        }
        guard isWhole else { return nil }
        guard let recordKey else { return .null }
        var value: StoredValue?
        if let keyspace = model.keyspace {
            _ = try reader.get(recordKey.span.bytes, in: keyspace) { record in
                try withRecordView(record, key: recordKey.span.bytes, model) { value = try part.reader.value($0) }
            }
        }
        guard let value else {
            throw index.missingRecord(of: recordKey.span.bytes)
        }
        return value
    }
}

extension IndexBinding {
    /// Whether the entries come in the order of the values at a path, each of one type and as it is.
    fileprivate func isOrdered(by path: FieldPath) -> Bool {
        guard schema.kind.isOrdered, let first = fields.parts.first else { return false }
        return first.part.path == path && first.part.ignoring.isEmpty && first.members == nil && first.type != nil
    }
}
