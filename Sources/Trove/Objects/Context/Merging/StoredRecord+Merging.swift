extension StoredRecord {
    /// This version with the fields of `other` that `base` has with other values: what changed from `base` to `other`, done to this one.
    ///
    /// All three are in the model's current layout.
    func merging(changesFrom base: StoredRecord, to other: StoredRecord) throws -> StoredRecord {
        var merged = self
        for (field, value) in zip(other.fieldNames, other.values) where base[field] != value {
            try merged.set(field, to: value)
        }
        return merged
    }

    /// Whether both changed the same field of `base`, to different values.
    func overlaps(_ other: StoredRecord, since base: StoredRecord) -> Bool {
        fieldNames.contains { self[$0] != base[$0] && other[$0] != base[$0] && self[$0] != other[$0] }
    }
}
