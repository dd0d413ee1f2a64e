/// The keyspaces that a transaction has handles on: one handle on each, whose number is a position here. Numbers are never given again.
struct OpenKeyspaces {
    /// Up to so many are looked through, which takes no memory and less time than a dictionary.
    private static let maxListed = 16
    /// Stands for a keyspace that was dropped or rolled back.
    private static let gone = -1

    /// By the numbers of the handles.
    private var slots: [Int] = []
    /// The numbers of those that are there by their slots, once they are many.
    private var numbers: [Int: Int] = [:]

    private var areMany: Bool { slots.count > Self.maxListed }

    /// The slot of the keyspace with this number; nil when it is gone.
    @inline(__always)
    func slot(_ number: Int) -> Int? {
        guard number < slots.count, slots[number] != Self.gone else { return nil }
        return slots[number]
    }

    /// The number of the keyspace in this slot, which gets one when it has none.
    mutating func number(of slot: Int) -> Int {
        if let number = knownNumber(of: slot) { return number }
        slots.append(slot)
        let number = slots.count - 1
        if areMany { if number == Self.maxListed { listNumbers() } else { numbers[slot] = number } }
        return number
    }

    /// Takes note that the slot's keyspace is gone.
    mutating func drop(_ slot: Int) {
        guard let number = knownNumber(of: slot) else { return }
        slots[number] = Self.gone
        numbers[slot] = nil
    }

    /// Goes back to what was before a savepoint; numbers that were given since lead nowhere.
    mutating func undo(to before: OpenKeyspaces) {
        let count = slots.count
        self = before
        slots.append(contentsOf: repeatElement(Self.gone, count: count - before.slots.count))
        if areMany, !before.areMany { listNumbers() }
    }

    private func knownNumber(of slot: Int) -> Int? { areMany ? numbers[slot] : slots.lastIndex(of: slot) }

    private mutating func listNumbers() {
        for (number, slot) in slots.enumerated() where slot != Self.gone { numbers[slot] = number }
    }
}
