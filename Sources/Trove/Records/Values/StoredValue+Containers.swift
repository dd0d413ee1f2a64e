extension StoredValue {
    /// An array or a set.
    public static func array(_ values: [StoredValue]) -> StoredValue { .array(Branches(values, detach: detach)) }

    /// Values by their names.
    public static func object(_ values: [String: StoredValue]) -> StoredValue { .object(StoredFields(values, detach: detach)) }

    /// A dictionary whose keys are not names.
    public static func dictionary(_ values: [StoredValue: StoredValue]) -> StoredValue { .dictionary(StoredPairs(values, detach: detach)) }

    private static let detach: BranchNode<StoredValue>.Detach = { value in
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

/// The values of a keyed ``StoredValue`` by their names.
public struct StoredFields: Sendable {
    /// Where in the branches each name's value is.
    private let places: [String: Int]
    let branches: Branches<StoredValue>

    init(_ values: [String: StoredValue], detach: @escaping BranchNode<StoredValue>.Detach) {
        var places = [String: Int](minimumCapacity: values.count)
        for name in values.keys { places[name] = places.count }
        self.places = places
        branches = Branches(Array(values.values), detach: detach)
    }

    /// The value with a name; nil when there is none.
    public subscript(name: String) -> StoredValue? { places[name].map { branches[$0] } }

    /// The names, in no order.
    public var keys: some Collection<String> { places.keys }

    /// The values, in no order.
    public var values: [StoredValue] { branches.array }

    /// The same as a Swift dictionary.
    ///
    /// - Complexity: O(*n*).
    public var dictionary: [String: StoredValue] {
        let values = branches.array
        return places.mapValues { values[$0] }
    }

    /// The position of a name; nil when there is none.
    func index(of name: String) -> Index? { places.index(forKey: name).map { Index(place: $0) } }
}

extension StoredFields: Collection {
    /// A position among the names.
    public struct Index: Comparable {
        fileprivate let place: [String: Int].Index

        public static func < (left: Index, right: Index) -> Bool { left.place < right.place }
    }

    public var count: Int { places.count }
    public var startIndex: Index { Index(place: places.startIndex) }
    public var endIndex: Index { Index(place: places.endIndex) }

    public func index(after position: Index) -> Index { Index(place: places.index(after: position.place)) }

    public subscript(position: Index) -> (key: String, value: StoredValue) {
        let (name, place) = places[position.place]
        return (name, branches[place])
    }
}

/// The keys and values of a ``StoredValue`` that is a dictionary.
public struct StoredPairs: Sendable {
    /// Each key, and behind it its value. Keys may nest as values do, so they are freed as these are.
    let branches: Branches<StoredValue>

    init(_ values: [StoredValue: StoredValue], detach: @escaping BranchNode<StoredValue>.Detach) {
        var list: [StoredValue] = []
        list.reserveCapacity(2 * values.count)
        for (key, value) in values {
            list.append(key)
            list.append(value)
        }
        branches = Branches(list, detach: detach)
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
