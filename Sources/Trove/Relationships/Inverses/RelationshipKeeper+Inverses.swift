extension RelationshipKeeper {
    /// Brings the inverses of what was saved in step, each record once.
    ///
    /// - Throws: what a save throws; then what was done must not be committed.
    func carryOver() throws {
        guard hasUnfinishedWork, !isCarryingOver else { return }
        isCarryingOver = true
        defer { isCarryingOver = false }
        let changes = self.changes
        let newRecords = self.newRecords
        self.changes = []
        self.newRecords = []
        try transaction.change {
            var links = LinkTable(rules, changes)
            try findStored(newRecords, &links)
            links.resolve()
            var edits = edits(of: links)
            try replaceTargets(links, &edits)
            try noting(.orphans) { try apply(edits) }
        }
        forgetRecords()
    }

    /// Finds what pointed at new records before they were stored.
    private func findStored(_ newRecords: [RecordNumber], _ links: inout LinkTable) throws {
        for (model, numbers) in byModel(Set(newRecords)) {
            let sorted = records.sorted(numbers, of: model)
            for relationship in rules.model(records.modelNames[model]).tracked {
                guard let inverse = relationship.inverse else { continue }
                let scan = try SourceScan(transaction, rules.relationships[inverse])
                let sourceModel = records.model(scan.relationship.model.schema.name)
                try scan.forEachSource(of: sorted, in: records, model) { target, key in
                    links.noteStored(inverse, records.record(sourceModel, key), RecordNumber(model: Int32(model), key: UInt32(target)))
                    return .next
                }
            }
        }
    }

    private func edits(of links: LinkTable) -> [ReferenceEdit] {
        var edits: [ReferenceEdit] = []
        func edit(_ link: Link, _ side: KeyPath<LinkState, LinkState.Side>, inserts: Bool) {
            guard let inverse = rules.inverses[link.relationship] else { return }
            edits.append(
                side == \.left
                    ? ReferenceEdit(relationship: link.relationship, record: link.left, target: link.right, inserts: inserts)
                    : ReferenceEdit(relationship: inverse, record: link.right, target: link.left, inserts: inserts))
        }
        for (link, state) in links.dropped {
            // A side that removed the reference itself is done.
            if !state.left.isRemoved { edit(link, \.left, inserts: false) }
            if !state.right.isRemoved { edit(link, \.right, inserts: false) }
        }
        // Those added first come first in collections with an order.
        for (link, state) in links.kept.reversed() {
            if !state.left.isAdded, !state.left.hasReference { edit(link, \.left, inserts: true) }
            if !state.right.isAdded, !state.right.hasReference { edit(link, \.right, inserts: true) }
        }
        return edits
    }

    /// Adds what follows from references to one object getting another target: the one before loses the record.
    private func replaceTargets(_ links: LinkTable, _ edits: inout [ReferenceEdit]) throws {
        var insertions: [LinkEnd: RecordNumber] = [:]
        for edit in edits where edit.inserts && rules.relationships[edit.relationship].schema.shape.isToOne {
            insertions[LinkEnd(relationship: edit.relationship, record: edit.record)] = edit.target
        }
        for (end, target) in insertions {
            guard let inverse = rules.inverses[end.relationship] else { continue }
            for former in try targets(of: end.record, rules.relationships[end.relationship]) {
                let former = records.record(former)
                guard former != target else { continue }
                edits.append(ReferenceEdit(relationship: inverse, record: former, target: end.record, inserts: false))
            }
        }
    }

    /// What a stored record's relationship points at; nothing when there is no such record.
    func targets(of record: RecordNumber, _ relationship: RelationshipBinding) throws -> [AnyReference] {
        guard let keyspace = try transaction.reader.keyspace(named: records.modelName(record)) else { return [] }
        let key = records.key(record)
        var targets: [AnyReference] = []
        _ = try transaction.reader.get(key.span.bytes, in: keyspace) { bytes in
            try transaction.withRecordView(bytes, key: key.span.bytes, OpenModel(relationship.model)) { view in
                targets = try relationship.targets(of: view)
            }
        }
        return targets
    }

    /// The numbers of records by the numbers of their models.
    func byModel(_ records: some Sequence<RecordNumber>) -> [(model: Int, numbers: [Int])] {
        var numbers: [Int: [Int]] = [:]
        for record in records { numbers[Int(record.model), default: []].append(Int(record.key)) }
        return numbers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Changes relationships of stored records, each record once, in a batch. Records that are not there are left out.
    func apply(_ edits: [ReferenceEdit]) throws {
        guard !edits.isEmpty else { return }
        let editor = RecordEditor(transaction, rules)
        onesided += try editor.apply(edits, records)
    }
}
