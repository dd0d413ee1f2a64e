/// How the records are found that may be results: one step of a plan, with those it is made of.
struct Access: Sendable {
    indirect enum Kind: Sendable {
        /// The filter is false for every object.
        case nothing
        /// Keys that the filter names.
        case lookups(KeyList)
        /// A range of the records themselves.
        case records(KeyRange)
        /// Ranges of an index.
        case index(IndexScan)
        /// Keys that an index of words or trigrams finds.
        case words(WordScan)
        /// Keys that several steps find.
        case intersection([Access])
        /// Keys that one of several steps finds.
        case union([Access])
    }

    let kind: Kind
    /// How many keys or records the step is expected to meet.
    var estimatedRows: Double
    /// What the step is expected to cost, without reading the records of the keys it finds.
    let cost: Double
    /// The step's number in its plan.
    var number = 0
    /// For people to read: the conditions that led to keys, or to a range of them, by the names of the fields that ids are made of.
    let named: [Filter]

    init(_ kind: Kind, estimatedRows: Double, cost: Double, named: [Filter] = []) {
        self.kind = kind
        self.estimatedRows = estimatedRows
        self.cost = cost
        self.named = named
    }

    /// Whether the step gives keys, whose records have to be read; otherwise it gives records.
    var findsKeys: Bool {
        if case .records = kind { false } else { true }
    }

    /// Whether each key it finds has a record; that of an id that was asked for need not.
    var findsRecords: Bool {
        switch kind {
        case .nothing, .index, .words, .records: true
        case .lookups: false
        case .intersection(let parts): parts.contains(where: \.findsRecords)
        case .union(let parts): parts.allSatisfy(\.findsRecords)
        }
    }

    /// The steps it is made of.
    var parts: [Access] {
        switch kind {
        case .intersection(let parts), .union(let parts): parts
        case .nothing, .lookups, .records, .index, .words: []
        }
    }

    /// This step with numbers given to it and its parts, from `next` on.
    func numbered(from next: inout Int) -> Access {
        var copy: Access
        let own = next
        next += 1
        switch kind {
        case .intersection(let parts):
            copy = Access(.intersection(parts.map { $0.numbered(from: &next) }), estimatedRows: estimatedRows, cost: cost)
        case .union(let parts):
            copy = Access(.union(parts.map { $0.numbered(from: &next) }), estimatedRows: estimatedRows, cost: cost)
        case .nothing, .lookups, .records, .index, .words: copy = self
        }
        copy.number = own
        return copy
    }
}

/// How results come into the order of their query.
enum Arrangement: Sendable, Hashable {
    /// They are found, or gathered, in the order of their keys.
    case key(ScanOrder)
    /// They are found in the order of an index, whose parts are the sort's criteria or the first of them.
    case index(ScanOrder)
    /// They are sorted in memory.
    case sort
}

/// A way to find the records of a query, or of a part of it, before it is chosen.
struct Candidate {
    var access: Access
    /// The numbers of the conditions that it makes sure of.
    var answered: ConditionSet
    /// The order in which it can give its results.
    var order: IndexOrder?

    var rows: Double { access.estimatedRows }
}

/// Numbers of a filter's conditions. The first 64, which most filters do not have, take no memory of their own.
struct ConditionSet: Sendable, Equatable {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    init() {}

    init(_ number: Int) { insert(number) }

    var isEmpty: Bool { low == 0 && high.isEmpty }

    var count: Int { low.nonzeroBitCount + high.count }

    /// The number of the one condition; nil when there are none or several.
    var only: Int? { count == 1 ? high.first ?? low.trailingZeroBitCount : nil }

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
