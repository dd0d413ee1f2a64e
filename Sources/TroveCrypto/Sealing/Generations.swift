/// Values by name, at most as many as there is room for: when half of the room is full, what nobody has asked for since the last time goes.
struct Generations<Name: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Name: (value: Value, size: Int)] = [:]
    private var old: [Name: (value: Value, size: Int)] = [:]
    private var size = 0
    private let capacity: Int

    /// - Parameter capacity: the sum of the sizes of values that are kept.
    init(capacity: Int) { self.capacity = capacity }

    mutating func find(_ name: Name) -> Value? {
        if let found = young[name] { return found.value }
        guard let found = old.removeValue(forKey: name) else { return nil }
        add(found.value, name, size: found.size)
        return found.value
    }

    mutating func add(_ value: Value, _ name: Name, size added: Int) {
        if added > capacity / 2 { return }
        if size + added > capacity / 2 { (old, young, size) = (young, [:], 0) }
        if young.updateValue((value, added), forKey: name) == nil { size += added }
    }

    mutating func removeAll() { (young, old, size) = ([:], [:], 0) }
}
