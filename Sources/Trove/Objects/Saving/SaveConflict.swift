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
    /// All three are in the model's current layout. Lists and dictionaries of references that changed here too are merged,
    /// so that neither side's additions are lost.
    ///
    /// - Parameter keepingOwn: whether any other field that changed here too stays as it is here.
    func merging(changesFrom base: StoredRecord, to other: StoredRecord, of type: any LiveModel.Type, keepingOwn: Bool = false) throws -> StoredRecord {
        var merged = self
        for (field, value) in zip(other.fieldNames, other.values) where other.differs(from: base, in: field) {
            guard differs(from: base, in: field) else {
                merged.copy(field, from: other)
                continue
            }
            let isRelationship = type.schema.fields.contains { $0.name == field && $0.relationship != nil }
            switch (self[field], base[field], value) {
            case (.array(let theirs)?, .array(let before)?, .array(let now)) where isRelationship:
                try merged.set(field, to: .array(ListMerge.merged(now.array, from: before.array, with: theirs.array)))
            case (.object(let theirs)?, .object(let before)?, .object(let now)) where isRelationship:
                var values = theirs.dictionary
                for name in Set(now.dictionary.keys).union(before.dictionary.keys) where now[name] != before[name] {
                    if !keepingOwn || theirs[name] == before[name] { values[name] = now[name] }
                }
                try merged.set(field, to: .object(values))
            default:
                if !keepingOwn { merged.copy(field, from: other) }
            }
        }
        return merged
    }

    /// Whether both changed the same field of `base`, to different values.
    func overlaps(_ other: StoredRecord, since base: StoredRecord) -> Bool {
        fieldNames.contains { differs(from: base, in: $0) && other.differs(from: base, in: $0) && differs(from: other, in: $0) }
    }
}
