extension Filter {
    /// What passes only the objects at whose path there is an id with one of these keys: their own, or one that they refer to.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when a key is not that of an id of this type.
    static func identified(at path: FieldPath = .id, by keys: [[UInt8]], as idType: FieldType?) throws -> Filter {
        var values: [StoredValue] = []
        var hasNaN = false
        for key in keys {
            try key.withUnsafeBytes { key in
                try RecordID.withValue(of: key, type: idType) { id in
                    if id.isNaN { hasNaN = true } else { values.append(try id.storedValue()) }
                }
            }
        }
        // It equals nothing, itself included; all of them have one key.
        let isNaN = Filter.comparison(.path(path), .notEqual, .path(path))
        guard hasNaN else { return values.count == 1 ? .comparison(.path(path), .equal, .value(values[0])) : .membership(.path(path), values) }
        return values.isEmpty ? isNaN : .membership(.path(path), values) || isNaN
    }
}
