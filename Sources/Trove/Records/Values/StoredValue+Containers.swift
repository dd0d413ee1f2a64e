extension StoredValue {
    /// An array or a set.
    public static func array(_ values: [StoredValue]) -> StoredValue { .array(Branches(values, free)) }

    /// Values by their names.
    public static func object(_ values: [String: StoredValue]) -> StoredValue { .object(StoredFields(Array(values.keys), Array(values.values), free)) }

    /// Values by their names; when a name is there twice, the last value counts.
    public static func object(_ values: [(String, StoredValue)]) -> StoredValue { .object(StoredFields(values.map(\.0), values.map(\.1), free)) }

    /// Values by their names, which are ASCII and ascend by their bytes, none twice.
    static func object(ascendingASCII names: [String], _ values: [StoredValue]) -> StoredValue {
        .object(StoredFields(ascending: names, values, areASCII: true, free))
    }

    /// A dictionary whose keys are not names.
    public static func dictionary(_ values: [StoredValue: StoredValue]) -> StoredValue { .dictionary(StoredPairs(values, free)) }

    static let free: BranchNode<StoredValue>.Free = { ended in
        ended.freeTrees { value in
            let node: BranchNode<StoredValue>
            switch value {
            case .array(let values): node = values.node
            case .object(let fields): node = fields.branches.node
            case .dictionary(let pairs): node = pairs.branches.node
            default: return nil
            }
            value = .null
            return node
        }
    }
}

/// The values of a keyed ``StoredValue`` by their names, ascending by the names' UTF-8 bytes.
///
/// No two names are equal to Swift.
public struct StoredFields: Sendable {
    private let names: [String]
    let branches: Branches<StoredValue>
    /// Whether two names that have other bytes are never equal.
    private let areASCII: Bool

    /// - Parameters:
    ///   - names: the names in any order; of one that is there twice, the last value counts.
    ///   - values: one for each.
    init(_ names: [String], _ values: [StoredValue], _ free: @escaping BranchNode<StoredValue>.Free) {
        let areASCII = names.allSatisfy(\.isASCII)
        // Most names differ in their first bytes, which are compared as a number.
        var order = names.indices.map { (beginning: names[$0].firstBytes, place: $0) }
        order.sort { left, right in
            if left.beginning != right.beginning { return left.beginning < right.beginning }
            return names[left.place].precedesInBytes(names[right.place]) || names[left.place].hasBytes(of: names[right.place]) && left.place < right.place
        }
        let isUnique = order.indices.dropFirst().allSatisfy {
            order[$0 - 1].beginning != order[$0].beginning || !names[order[$0 - 1].place].hasBytes(of: names[order[$0].place])
        }
        guard areASCII && isUnique else {
            // Swift knows which of the others are one name, and which value is the last.
            let pairs = Dictionary(zip(names, values), uniquingKeysWith: { _, last in last }).sorted { $0.key.precedesInBytes($1.key) }
            self.init(ascending: pairs.map(\.key), pairs.map(\.value), areASCII: areASCII, free)
            return
        }
        self.init(ascending: order.map { names[$0.place] }, order.map { values[$0.place] }, areASCII: true, free)
    }

    /// - Parameters:
    ///   - names: ascending by their bytes, no two of them equal.
    ///   - values: one for each.
    init(ascending names: [String], _ values: [StoredValue], areASCII: Bool, _ free: @escaping BranchNode<StoredValue>.Free) {
        self.names = names
        branches = Branches(values, free)
        self.areASCII = areASCII
    }

    /// The value with a name; nil when there is none.
    ///
    /// - Complexity: O(log *n*); O(*n*) for a name that is not there, when names have other characters than ASCII.
    public subscript(name: String) -> StoredValue? { index(of: name).map { branches[$0.place] } }

    /// The names.
    public var keys: [String] { names }

    /// The values, in the order of the names.
    public var values: [StoredValue] { branches.array }

    /// The same as a Swift dictionary.
    ///
    /// - Complexity: O(*n*).
    public var dictionary: [String: StoredValue] { Dictionary(uniqueKeysWithValues: zip(names, branches.array)) }

    /// The position of a name; nil when there is none.
    func index(of name: String) -> Index? {
        if let place = place(of: name) { return Index(place: place) }
        // Swift takes texts for equal that have other bytes, but none of two that are ASCII.
        if areASCII && name.isASCII { return nil }
        return names.firstIndex(of: name).map { Index(place: $0) }
    }

    /// Where a name with these bytes is; nil when there is none.
    private func place(of name: String) -> Int? {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].precedesInBytes(name) { low = middle + 1 } else { high = middle }
        }
        return low < names.count && names[low].hasBytes(of: name) ? low : nil
    }

    /// Whether others have the same names, byte by byte.
    func hasNames(of other: StoredFields) -> Bool { names.count == other.names.count && zip(names, other.names).allSatisfy { $0.hasBytes(of: $1) } }
}

extension StoredFields: RandomAccessCollection {
    /// A position among the names.
    public struct Index: Comparable {
        fileprivate let place: Int

        public static func < (left: Index, right: Index) -> Bool { left.place < right.place }
    }

    public var count: Int { names.count }
    public var startIndex: Index { Index(place: 0) }
    public var endIndex: Index { Index(place: names.count) }

    public func index(after position: Index) -> Index { Index(place: position.place + 1) }
    public func index(before position: Index) -> Index { Index(place: position.place - 1) }
    public func index(_ position: Index, offsetBy distance: Int) -> Index { Index(place: position.place + distance) }
    public func distance(from start: Index, to end: Index) -> Int { end.place - start.place }

    public subscript(position: Index) -> (key: String, value: StoredValue) { (names[position.place], branches[position.place]) }

    /// Goes through names and values.
    public struct Iterator: IteratorProtocol {
        fileprivate var names: IndexingIterator<[String]>
        fileprivate var values: IndexingIterator<[StoredValue]>

        public mutating func next() -> (key: String, value: StoredValue)? {
            guard let name = names.next(), let value = values.next() else { return nil }
            return (name, value)
        }
    }

    public func makeIterator() -> Iterator { Iterator(names: names.makeIterator(), values: branches.array.makeIterator()) }
}

/// The keys and values of a ``StoredValue`` that is a dictionary.
public struct StoredPairs: Sendable {
    /// Each key, and behind it its value. Keys may nest as values do, so they are freed as these are.
    let branches: Branches<StoredValue>

    init(_ values: [StoredValue: StoredValue], _ free: @escaping BranchNode<StoredValue>.Free) {
        var list: [StoredValue] = []
        list.reserveCapacity(2 * values.count)
        for (key, value) in values {
            list.append(key)
            list.append(value)
        }
        branches = Branches(list, free)
    }

    /// The keys, in no order.
    public var keys: [StoredValue] { map(\.key) }

    /// The values, in the order of the keys.
    public var values: [StoredValue] { map(\.value) }

    /// The same as a Swift dictionary.
    ///
    /// - Complexity: O(*n*).
    public var dictionary: [StoredValue: StoredValue] { Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }) }
}

extension StoredPairs: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { branches.count / 2 }

    public subscript(position: Int) -> (key: StoredValue, value: StoredValue) { (branches[2 * position], branches[2 * position + 1]) }
}

/// The names of many objects that all have the same ones, put into their order once.
package struct FieldShape: Sendable {
    private let names: [String]
    /// Whether no two names can be equal to Swift, so that nothing is left to find out.
    private let isPlain: Bool

    /// The shape of objects with these names, and for each value that it wants the position of its name among them.
    package static func ordering(_ names: [String]) -> (shape: FieldShape, order: [Int]) {
        let order = names.indices.sorted { names[$0].precedesInBytes(names[$1]) }
        return (FieldShape(names: order.map { names[$0] }), order)
    }

    private init(names: [String]) {
        self.names = names
        isPlain = names.allSatisfy(\.isASCII) && zip(names, names.dropFirst()).allSatisfy { $0.precedesInBytes($1) }
    }

    /// The fields of an object, by its values in the order of the shape.
    package func fields(_ values: [StoredValue]) -> StoredFields {
        precondition(values.count == names.count, "an object of a shape has a value for each of its names")
        return isPlain ? StoredFields(ascending: names, values, areASCII: true, StoredValue.free) : StoredFields(names, values, StoredValue.free)
    }
}
