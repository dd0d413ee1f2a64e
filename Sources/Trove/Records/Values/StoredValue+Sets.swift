extension StoredValue {
    /// The elements of a set as it stores them: each once, in the order of their bytes.
    ///
    /// Their bytes tell them apart, as everywhere in a store: texts and references that Swift takes for one, but that have other scalars, are two.
    ///
    /// - Parameter values: elements of the type, in any order.
    static func elements(ofSet values: [StoredValue]) throws -> [StoredValue] {
        if values.count < 2 { return values }
        let sorted = try values.map { (bytes: try $0.nestedBytes(depth: 0), value: $0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var elements: [StoredValue] = []
        var last: [UInt8]?
        for (bytes, value) in sorted where bytes != last {
            elements.append(value)
            last = bytes
        }
        return elements
    }
}
