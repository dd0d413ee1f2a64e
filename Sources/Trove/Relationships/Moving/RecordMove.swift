/// That a record gets another key, and what pointed at the old one points at the new one.
struct RecordMove {
    let old: AnyReference
    let new: AnyReference

    /// The engine's key of the record before.
    var oldKey: [UInt8] { RecordKey(old.keyBytes).bytes }

    /// The engine's key of the record after.
    var newKey: [UInt8] { RecordKey(new.keyBytes).bytes }

    /// Lets a record's relationship point at the new key, in the same places.
    func replace(in record: inout StoredRecord, _ relationship: RelationshipBinding) throws {
        guard relationship.mayPoint(at: old.modelName), let value = record[relationship.name] else { return }
        let replaced = value.replacing(
            try relationship.storedReference(to: old), by: try relationship.storedReference(to: new), isSet: relationship.schema.shape == .set)
        if replaced != value { try record.set(relationship.name, to: replaced) }
    }
}

extension StoredValue {
    /// A relationship's value with one reference in the place of another.
    fileprivate func replacing(_ old: StoredValue, by new: StoredValue, isSet: Bool) -> StoredValue {
        switch self {
        case old: return new
        case .array(let values):
            // It may point already at what was not stored yet.
            if isSet, values.contains(new) { return .array(values.filter { $0 != old }) }
            return .array(values.map { $0 == old ? new : $0 })
        case .object(let values): return .object(values.dictionary.mapValues { $0 == old ? new : $0 })
        default: return self
        }
    }
}
