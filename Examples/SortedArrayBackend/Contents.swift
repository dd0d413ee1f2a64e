/// One version of a store: its keyspaces by name.
///
/// Names are kept as bytes: two strings are equal when they look alike, two names are when their bytes are. Each keyspace has a number that no
/// other one of the store ever had, so a handle on one that was dropped leads nowhere, even when its name was given to a new one.
struct Contents: Sendable {
    private(set) var numbers: [[UInt8]: UInt64] = [:]
    private(set) var keyspaces: [UInt64: SortedArray] = [:]

    /// The names in order.
    var names: [[UInt8]] {
        numbers.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func number(named name: String) -> UInt64? { numbers[Array(name.utf8)] }

    mutating func add(_ entries: SortedArray = SortedArray(), named name: [UInt8], number: UInt64) {
        numbers[name] = number
        keyspaces[number] = entries
    }

    mutating func drop(_ number: UInt64) {
        keyspaces[number] = nil
        numbers = numbers.filter { $0.value != number }
    }

    /// Changes a keyspace where it stands.
    mutating func change<Result>(_ number: UInt64, _ body: (inout SortedArray) -> Result) -> Result? {
        guard keyspaces[number] != nil else { return nil }
        return body(&keyspaces[number, default: SortedArray()])
    }
}
