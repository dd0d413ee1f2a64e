extension Filter {
    /// What passes only the objects whose ids have these keys.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when a key is not that of an id of this type.
    static func identified(by keys: [[UInt8]], as idType: FieldType?) throws -> Filter {
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
        let isNaN = Filter.comparison(.path(.id), .notEqual, .path(.id))
        guard hasNaN else { return values.count == 1 ? .comparison(.path(.id), .equal, .value(values[0])) : .membership(.path(.id), values) }
        return values.isEmpty ? isNaN : .membership(.path(.id), values) || isNaN
    }
}

extension FieldValue {
    fileprivate var isNaN: Bool {
        if case .date(let seconds) = self { seconds.isNaN } else { number?.isNaN ?? false }
    }
}
