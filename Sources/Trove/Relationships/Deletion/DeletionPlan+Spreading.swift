extension DeletionPlan {
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when something stays that denies the deletion.
    func checkDenials() throws {
        var blocked: RecordNumber?
        var blockers: [DeletionBlocker] = []
        var named: [Mention] = []
        for denial in denials {
            let isBySource = isDoomed(denial.target)
            guard isBySource != isDoomed(denial.source) else { continue }
            let (doomed, staying) = isBySource ? (denial.target, denial.source) : (denial.source, denial.target)
            guard blocked == nil || blocked == doomed, try isBySource || exists(staying) else { continue }
            blocked = doomed
            // A list may have one object many times.
            let blocker = Mention(relationship: denial.relationship, source: staying, target: doomed)
            guard !named.contains(blocker) else { continue }
            named.append(blocker)
            let relationship = rules.relationships[denial.relationship]
            blockers.append(
                try DeletionBlocker(
                    model: records.modelName(staying), id: idText(staying),
                    relationship: "\(relationship.model.schema.name).\(relationship.name)"))
            if blockers.count == DeletionBlocker.mostNamed { break }
        }
        guard let blocked else { return }
        throw try TroveError.deletionDenied(model: records.modelName(blocked), id: idText(blocked), blockers: blockers)
    }

    private func exists(_ record: RecordNumber) throws -> Bool {
        guard let keyspace = try transaction.reader.keyspace(named: records.modelName(record)) else { return false }
        return try transaction.reader.contains(records.key(record), in: keyspace)
    }

    /// The record's id, for a message.
    private func idText(_ record: RecordNumber) throws -> String {
        try transaction.shownID(of: AnyReference(modelName: records.modelName(record), keyBytes: records.wholeKey(record)))
    }
}

extension DeletionPlan {
    /// How many records are asked for at a time.
    private static let batchSize = 512

    /// Looks at what the rules of doomed records, and of what points at them, spread to.
    func spread(from doomed: [Int], _ model: Int) throws {
        var present: [Int] = []
        for start in stride(from: 0, to: doomed.count, by: Self.batchSize) {
            try read(doomed[start..<min(start + Self.batchSize, doomed.count)], model, &present)
        }
        let targets = letsGoOfMissing ? doomed : present
        for number in rules.model(records.modelNames[model]).incoming { try spread(over: number, to: targets, model) }
    }

    /// Reads records, of which those that are there are added to `present`, and looks at what they point at.
    private func read(_ numbers: ArraySlice<Int>, _ model: Int, _ present: inout [Int]) throws {
        let name = records.modelNames[model]
        let opened = try transaction.openRecords(named: name)
        guard opened != nil || !Catalogue.isReserved(name), let keyspace = try transaction.reader.keyspace(named: name) else {
            for number in numbers { noteMissing(RecordNumber(model: Int32(model), key: UInt32(number))) }
            return
        }
        let spreading = rules.model(name).spreading
        let custom = transaction.core.model(named: name) as? any CustomDeleteRule.Type
        // They are asked when the engine has given the batch, since they read.
        var asked: [(record: RecordNumber, object: any CustomDeleteRule)] = []
        let keys = numbers.map { records.keys[model][$0] }
        try transaction.reader.getMany(keys, in: keyspace) { position, bytes in
            let record = RecordNumber(model: Int32(model), key: UInt32(numbers[numbers.startIndex + position]))
            guard let bytes else { return noteMissing(record) }
            present.append(Int(record.key))
            if let entry = opened?.binding.storedEntry, entry.hasCustomDeleteRule != false { throw Self.unasked(entry) }
            if spreading.isEmpty && custom == nil && !records.lacksWholeKey(record) { return }
            do {
                let key = keys[position]
                if records.lacksWholeKey(record) { records.noteWholeKey(try transaction.storedRecord(bytes, key: key.span.bytes).key, of: record) }
                guard let opened else { return }
                if !spreading.isEmpty {
                    try transaction.withRecordView(bytes, key: key.span.bytes, opened) { view in
                        for number in spreading { try spread(from: record, view, over: number) }
                    }
                }
                if let custom, let object = try object(custom, bytes, key, opened) { asked.append((record, object)) }
            } catch TroveError.corruptRecord {
                // A damaged record can be deleted all the same; nobody can tell any more what it owned.
            }
        }
        for (record, object) in asked {
            for reference in try object.alsoDeleted(in: transaction) {
                let target = self.record(reference)
                noteCause(of: target, record)
                doom(target)
            }
        }
    }

    /// The error for a deletion of an object of which only its program knows what goes with it.
    private static func unasked(_ model: LayoutEntry) -> TroveError {
        let question = "its objects say by a function of their own what is deleted with them"
        return .needsModel(
            model.layout.modelName,
            reason: model.hasCustomDeleteRule == true ? question : "the store does not tell whether \(question), as it does once that program has opened it")
    }

    private func object<Object: CustomDeleteRule>(
        _ type: Object.Type, _ bytes: RawSpan, _ key: [UInt8], _ model: OpenModel
    ) throws -> (any CustomDeleteRule)? {
        var object: Object?
        try transaction.withDecoder(bytes, key: key.span.bytes, model) { object = try Object.newObject(from: &$0) }
        return object
    }

    private func spread(from source: RecordNumber, _ view: RecordView, over number: Int) throws {
        let relationship = rules.relationships[number]
        let rule = relationship.schema.deleteRule
        try relationship.forEachTarget(of: view) { target in
            let target = record(target)
            if rule == .deny {
                denials.append(Mention(relationship: number, source: source, target: target))
            } else {
                noteCause(of: target, source)
                consider(target, Reason(rule))
            }
        }
    }

    /// Looks at what points at doomed records through a relationship.
    private func spread(over number: Int, to targets: [Int], _ model: Int) throws {
        let relationship = rules.relationships[number]
        let rule = relationship.schema.targetDeleteRule
        // What points back at an object that leaves its targets as they are stays as it is, too.
        let inverseRule = rules.inverses[number].map { rules.relationships[$0].schema.deleteRule }
        guard rule != .noAction, rule != .nullify || inverseRule != .noAction else { return }
        let sourceModel = self.model(relationship.model.schema.name)
        try scan(number).forEachSource(of: targets, in: records, model) { target, key in
            let source = record(sourceModel, key)
            guard !isDoomed(source) else { return .next }
            let target = RecordNumber(model: Int32(model), key: UInt32(target))
            switch rule {
            case .cascade:
                noteCause(of: source, target)
                doom(source)
            case .deny: denials.append(Mention(relationship: number, source: source, target: target))
            case .nullify: removals.append(Mention(relationship: number, source: source, target: target))
            case .noAction: break
            }
            return .next
        }
    }
}
