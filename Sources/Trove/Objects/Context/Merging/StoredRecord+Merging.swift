extension StoredRecord {
    /// This version with the fields of `other` that `base` has with other values: what changed from `base` to `other`, done to this one.
    ///
    /// All three are in the model's current layout. Of the collections named, what was added and taken out is done to this one's, so that neither side's additions are lost.
    func merging(
        changesFrom base: StoredRecord, to other: StoredRecord, collections: Set<String> = []
    ) throws -> StoredRecord {
        var merged = self
        for (field, value) in zip(other.fieldNames, other.values) where base[field] != value {
            if collections.contains(field), case .array(let theirs)? = self[field], case .array(let before)? = base[field], case .array(let now) = value,
                theirs != before
            {
                let (taken, known) = (Set(before).subtracting(now), Set(theirs))
                let added = Set(now).subtracting(before).subtracting(known)
                try merged.set(field, to: .array(theirs.filter { !taken.contains($0) } + now.filter { added.contains($0) }))
            } else {
                try merged.set(field, to: value)
            }
        }
        return merged
    }

    /// Whether both changed the same field of `base`, to different values.
    func overlaps(_ other: StoredRecord, since base: StoredRecord) -> Bool {
        fieldNames.contains { self[$0] != base[$0] && other[$0] != base[$0] && self[$0] != other[$0] }
    }
}
