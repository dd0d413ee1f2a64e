/// A name, and how many packages depend on it.
struct NeededName: Equatable, Sendable {
    let name: String
    let dependents: Int

    /// Those with the highest counts; of equals those that come first in the order of their UTF-8 bytes, which is that of ids in a store.
    static func most(_ counts: [String: Int], _ limit: Int) -> [NeededName] {
        let sorted = counts.sorted { first, second in
            first.value != second.value ? first.value > second.value : first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
        }
        return sorted.prefix(limit).map { NeededName(name: $0.key, dependents: $0.value) }
    }
}
