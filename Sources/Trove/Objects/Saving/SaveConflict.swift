/// An object that was changed or deleted on both sides: in a context, and in the store since the context read it.
public struct SaveConflict: Sendable, Hashable {
    /// The name of the model.
    public let model: String
    /// The id as text.
    public let id: String
    /// The record version that the context's changes are based on; nil without one, as for an inserted object.
    public let base: StoredRecord?
    /// The object as the context would store it; nil when the context deleted it.
    public let object: StoredRecord?
    /// The record in the store; nil when it was deleted.
    public let stored: StoredRecord?

    /// The fields that the context changed, in the order of the model; none when it deleted or inserted the object.
    public var changedFields: [String] {
        guard let base, let object else { return [] }
        return object.fieldNames.filter { object.differs(from: base, in: $0) }
    }
}

extension StoredRecord {
    /// This version with the fields of `other` that `base` has with other values: what changed from `base` to `other`, done to this one.
    ///
    /// All three are in the model's current layout. Of the collections named, what was added and taken out is done to this one's, so that neither side's additions are lost.
    func merging(
        changesFrom base: StoredRecord, to other: StoredRecord, collections: Set<String> = []
    ) throws -> StoredRecord {
        var merged = self
        for (field, value) in zip(other.fieldNames, other.values) where other.differs(from: base, in: field) {
            if collections.contains(field), let stored = self[field], let former = base[field], stored != former, case .array(let theirs) = stored,
                case .array(let before) = former, case .array(let now) = value
            {
                let (taken, known) = (Set(before).subtracting(now), Set(theirs))
                let added = Set(now).subtracting(before).subtracting(known)
                try merged.set(field, to: .array(theirs.filter { !taken.contains($0) } + now.filter { added.contains($0) }))
            } else {
                merged.copy(field, from: other)
            }
        }
        return merged
    }

    /// Whether both changed the same field of `base`, to different values.
    func overlaps(_ other: StoredRecord, since base: StoredRecord) -> Bool {
        fieldNames.contains { differs(from: base, in: $0) && other.differs(from: base, in: $0) && differs(from: other, in: $0) }
    }
}
