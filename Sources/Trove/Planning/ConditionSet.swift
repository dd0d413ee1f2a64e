/// Numbers of a filter's conditions. The first 64, which most filters do not have, take no memory of their own.
struct ConditionSet: Sendable, Equatable {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    init() {}

    init(_ number: Int) { insert(number) }

    var isEmpty: Bool { low == 0 && high.isEmpty }

    var count: Int { low.nonzeroBitCount + high.count }

    func contains(_ number: Int) -> Bool { number < 64 ? low >> UInt64(number) & 1 == 1 : high.contains(number) }

    mutating func insert(_ number: Int) {
        if number < 64 { low |= 1 << UInt64(number) } else { high.insert(number) }
    }

    mutating func formUnion(_ other: ConditionSet) {
        low |= other.low
        if !other.high.isEmpty { high.formUnion(other.high) }
    }

    func union(_ other: ConditionSet) -> ConditionSet {
        var union = self
        union.formUnion(other)
        return union
    }

    func isDisjoint(with other: ConditionSet) -> Bool { low & other.low == 0 && high.isDisjoint(with: other.high) }
}
