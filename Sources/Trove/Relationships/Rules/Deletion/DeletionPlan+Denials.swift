extension DeletionPlan {
    /// How many blockers an error names.
    private static let maxBlockers = 10

    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)`` when something stays that denies the deletion.
    func checkDenials() throws {
        var blocked: RecordNumber?
        var blockers: [DeletionBlocker] = []
        for denial in denials {
            let isBySource = isDoomed(denial.target)
            guard isBySource != isDoomed(denial.source) else { continue }
            let (doomed, staying) = isBySource ? (denial.target, denial.source) : (denial.source, denial.target)
            guard blocked == nil || blocked == doomed, try isBySource || exists(staying) else { continue }
            blocked = doomed
            let relationship = rules.relationships[denial.relationship]
            blockers.append(
                DeletionBlocker(
                    model: records.modelName(staying), id: try idText(staying),
                    relationship: "\(relationship.model.schema.name).\(relationship.name)"))
            if blockers.count == Self.maxBlockers { break }
        }
        guard let blocked else { return }
        throw TroveError.deletionDenied(model: records.modelName(blocked), id: try idText(blocked), blockers: blockers)
    }

    private func exists(_ record: RecordNumber) throws -> Bool {
        guard let keyspace = try transaction.reader.keyspace(named: records.modelName(record)) else { return false }
        return try transaction.reader.contains(records.key(record), in: keyspace)
    }

    /// The record's id, for a message.
    private func idText(_ record: RecordNumber) throws -> String {
        let key = records.wholeKey(record)
        guard let type = transaction.core.model(named: records.modelName(record)),
            case let idType? = try transaction.core.binding(for: type).idType
        else { return StoredRecord.text(of: key) }
        do {
            return try key.withUnsafeBytes { key in
                try RecordID.withValue(of: key, type: idType) { try $0.storedValue().shownInErrors }
            }
        } catch TroveError.corruptKey {
            return StoredRecord.text(of: key)
        }
    }
}
