extension ReadTransaction {
    /// The models whose indexes are compared with their records, by name.
    var verifiedModels: [ModelBinding] {
        get throws {
            try (core.modelBindings + indexTable.allCollections + indexTable.storedModels).sorted { $0.schema.name < $1.schema.name }
        }
    }

    /// Compares indexes of a model with its records, and adds what disagrees to the report.
    ///
    /// - Parameter advance: called with each entry of an index that is read.
    func verifyIndexes(_ indexes: [IndexBinding], of model: ModelBinding, _ report: inout VerificationReport, _ advance: () throws -> Void) throws {
        let checkers = try indexes.map { try $0.checker(self) }
        if checkers.isEmpty { return }
        if let keyspace = try reader.keyspace(named: model.schema.name) {
            var watch = watch
            try reader.scan(in: keyspace) { key, record in
                try watch.step()
                do {
                    try withRecordView(record, key: key, OpenModel(model)) { view in
                        for checker in checkers { try checker.check(view) }
                    }
                } catch let error as StorageError {
                    throw error
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // A record that cannot be read is in the report already.
                }
                return .next
            }
        }
        for checker in checkers {
            try checker.finish(advance)
            report.add(checker)
        }
    }
}

extension VerificationReport {
    fileprivate mutating func add(_ checker: any IndexChecker) {
        let damage = checker.findings.damage
        if damage.total == 0 { return }
        indexDamage.append(damage)
        problemCount += damage.total
        for finding in checker.findings.told {
            let error = TroveError.corruptIndex(model: damage.model, index: damage.index, reason: finding.reason)
            problems.append(Problem(modelName: damage.model, key: finding.key, error: error, model: checker.findings.model))
        }
    }
}

extension ReadTransaction {
    /// Adds to the report what points at nothing.
    func verifyReferences(of relationship: RelationshipBinding, _ report: inout VerificationReport) throws {
        var count = 0
        defer { report.danglingReferenceCount += count }
        do {
            try forEachDanglingReference(of: relationship) { reference in
                count += 1
                if count <= VerificationReport.maxDanglingReferences { report.danglingReferences.append(reference) }
                return .next
            }
        } catch is TroveError {
            // A record or an entry that cannot be read is in the report already.
        }
    }
}

extension ReadTransaction {
    /// What checks the entries of a keyspace of annexes: their bytes, and that a record has each.
    func annexCheck(_ keyspaceName: String) throws -> (RawSpan, RawSpan) throws -> Void {
        let modelName = AnnexSpace.modelName(of: keyspaceName) ?? ""
        let records = try reader.keyspace(named: modelName)
        // Of long keys that begin alike, all by what their annexes' keys begin with.
        var long: (start: [UInt8], keys: [[UInt8]: [UInt8]]) = ([], [:])
        return { key, bytes in
            let key = [UInt8](copying: key)
            guard let start = AnnexSpace.recordKey(of: key) else { throw TroveError.corruptKey(reason: "it is not the key of a lazy value") }
            let id = bytes.withUnsafeBytes { AnnexID(of: $0) }
            guard Array(key.suffix(AnnexID.keySize)) == id.key else { throw TroveError.corruptValue(reason: "a lazy value does not fit its checksum") }
            var isOfRecord = false
            func look(at recordKey: [UInt8]) throws {
                guard let records, AnnexSpace.key(of: id, recordKey) == key else { return }
                isOfRecord = try self.hasAnnex(StoredAnnex(id, modelName: modelName, field: "", recordKey: recordKey, nil), in: records)
            }
            if start.isWhole {
                try look(at: start.bytes)
            } else if let records {
                if long.start != start.bytes {
                    long = (start.bytes, [:])
                    try self.reader.scanKeys(.prefix(start.bytes), in: records) { recordKey in
                        let recordKey = [UInt8](copying: recordKey)
                        long.keys[Array(AnnexSpace.key(of: id, recordKey).dropLast(AnnexID.keySize))] = recordKey
                        return .next
                    }
                }
                if let recordKey = long.keys[Array(key.dropLast(AnnexID.keySize))] { try look(at: recordKey) }
            }
            guard isOfRecord else { throw TroveError.corruptKey(reason: "it is a lazy value of no record") }
        }
    }

    /// Checks that the annexes of a record are there.
    func checkAnnexes(of record: RawSpan, key: RawSpan, _ modelName: String) throws {
        let key = [UInt8](copying: key)
        let keyspace = try reader.keyspace(named: AnnexSpace.name(of: modelName))
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { keyBytes in
                guard let layout = try layout(of: record, key: keyBytes) else { return }
                for id in try AnnexSpace.ids(in: record, key: keyBytes, layout) {
                    if let keyspace, try reader.contains(AnnexSpace.key(of: id, key), in: keyspace) { continue }
                    let field = try AnnexSpace.field(of: id, in: record, key: keyBytes, layout)
                    throw StoredAnnex(id, modelName: modelName, field: field, recordKey: key, nil).corrupt("is missing")
                }
            }
        }
    }
}
