extension ReadTransaction {
    /// Compares the ready indexes that the program can tell from the records with these, and adds what disagrees to the report.
    ///
    /// - Parameter advance: called with each entry of an index that is read.
    func verifyIndexes(_ report: inout VerificationReport, _ advance: () throws -> Void) throws {
        for model in try (core.modelBindings + indexTable.allCollections + indexTable.storedModels).sorted(by: { $0.schema.name < $1.schema.name }) {
            let checkers = try usableIndexes(of: model).map { try $0.checker(self) }
            if checkers.isEmpty { continue }
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
}

extension VerificationReport {
    fileprivate mutating func add(_ checker: any IndexChecker) {
        let damage = checker.damage
        if damage.isNone { return }
        indexDamage.append(damage)
        for finding in checker.findings {
            let error = TroveError.corruptIndex(model: damage.model, index: damage.index, reason: finding.reason)
            problems.append(Problem(modelName: damage.model, key: finding.key, error: error))
        }
    }
}

extension ReadTransaction {
    /// Adds to the report what points at nothing.
    func verifyReferences(_ report: inout VerificationReport) throws {
        for relationship in try relationshipsAndMemberships {
            var count = 0
            do {
                try forEachDanglingReference(of: relationship) { reference in
                    count += 1
                    if count <= VerificationReport.maxDanglingReferences { report.danglingReferences.append(reference) }
                    return .next
                }
            } catch is TroveError {
                // A record or an entry that cannot be read is in the report already.
            }
            report.danglingReferenceCount += count
        }
    }
}
