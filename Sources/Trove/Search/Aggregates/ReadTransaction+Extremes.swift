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
                values.append(.int(Int64(try model.keyspace.map { try reader.count(in: $0) } ?? 0)))
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
            throw index.corrupt("it has an entry of \(StoredRecord.text(of: recordKey)), which is not in the store")
        }
        return value
    }
}

extension IndexBinding {
    /// Whether the entries come in the order of the values at a path, each of one type and as it is.
    fileprivate func isOrdered(by path: FieldPath) -> Bool {
        guard schema.kind.isOrdered, let first = fields.parts.first else { return false }
        return first.part.path == path && !first.part.ignoringCase && first.members == nil && first.type != nil
    }
}
