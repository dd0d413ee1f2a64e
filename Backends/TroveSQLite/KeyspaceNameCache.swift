/// The numbers of keyspaces a connection has looked up, right as long as the store's generation is the same.
struct KeyspaceNameCache {
    /// More names than this are not worth their memory.
    private static let capacity = 10_000

    private var generation = -1
    private var numbers: [KeyspaceName: UInt32] = [:]

    /// Forgets everything unless it is of `generation`.
    mutating func adopt(generation: Int) {
        guard generation != self.generation else { return }
        self.generation = generation
        numbers.removeAll()
    }

    mutating func clear() {
        generation = -1
        numbers.removeAll()
    }

    subscript(name: String) -> UInt32? {
        get { numbers[KeyspaceName(name)] }
        set {
            if numbers.count >= Self.capacity { numbers.removeAll() }
            numbers[KeyspaceName(name)] = newValue
        }
    }
}
