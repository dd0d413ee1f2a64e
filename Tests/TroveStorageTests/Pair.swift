/// An entry, for comparison.
struct Pair: Hashable {
    let key: [UInt8]
    let value: [UInt8]
}

extension Dictionary where Key == [UInt8], Value == [UInt8] {
    func inKeyOrder() -> [Pair] {
        map { Pair(key: $0.key, value: $0.value) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}
