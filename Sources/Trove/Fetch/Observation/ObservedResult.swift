/// A query's result as one reading found it.
struct ObservedResult<Object: Model>: Sendable {
    struct Row: Sendable {
        /// The engine's key.
        let key: [UInt8]
        /// Tells whether the values changed.
        let hash: UInt64
        let object: Object
    }

    let rows: [Row]

    /// What became of `old`.
    func changes(from old: ObservedResult) -> ResultChanges<Object> {
        let oldPositions = Dictionary(old.rows.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let newKeys = Set(rows.map(\.key))
        var inserted: [ResultChanges<Object>.Placed] = []
        var updated: [ResultChanges<Object>.Placed] = []
        /// The objects that stayed: where they are and where they were.
        var stayed: [(position: Int, oldPosition: Int)] = []
        for (position, row) in rows.enumerated() {
            guard let oldPosition = oldPositions[row.key] else {
                inserted.append(.init(position: position, object: row.object))
                continue
            }
            stayed.append((position, oldPosition))
            if old.rows[oldPosition].hash != row.hash { updated.append(.init(position: position, object: row.object)) }
        }
        let inPlace = Self.longestAscending(stayed.map(\.oldPosition))
        let moved = stayed.enumerated().filter { !inPlace.contains($0.offset) }.map { _, place in
            ResultChanges<Object>.Moved(oldPosition: place.oldPosition, position: place.position, object: rows[place.position].object)
        }
        let removed = old.rows.enumerated().filter { !newKeys.contains($0.element.key) }.map { position, row in
            ResultChanges<Object>.Removed(position: position, id: row.object.id)
        }
        return ResultChanges(inserted: inserted, removed: removed, moved: moved, updated: updated)
    }

    /// The positions of a longest ascending subsequence: the objects that can stay where they are.
    private static func longestAscending(_ values: [Int]) -> Set<Int> {
        /// For each length, the position of the least value that ends a subsequence of it.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: values.count)
        for (position, value) in values.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            previous[position] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var result: Set<Int> = []
        var position = ends.last
        while let current = position {
            result.insert(current)
            position = previous[current]
        }
        return result
    }
}

/// The changes of an observed query's result.
///
/// Applied in this order they make the new result of the old: take out what was removed or moved, from the last to the first; then put in what was
/// inserted or moved, from the first to the last; then replace what was updated.
public struct ResultChanges<Object: Model>: Sendable {
    /// An object that is in the result now.
    public struct Placed: Sendable {
        /// Its position in the new result.
        public let position: Int
        /// The object as it is now.
        public let object: Object
    }

    /// An object that is not in the result any more.
    public struct Removed: Sendable {
        /// Its position in the old result.
        public let position: Int
        /// The id of the object, which may be deleted or may no longer pass the filter.
        public let id: Object.ID
    }

    /// An object whose place among the others changed.
    public struct Moved: Sendable {
        /// Its position in the old result.
        public let oldPosition: Int
        /// Its position in the new result.
        public let position: Int
        /// The object as it is now.
        public let object: Object
    }

    /// The objects that entered the result, ascending by position. At first everything.
    public let inserted: [Placed]
    /// The objects that left the result, ascending by old position.
    public let removed: [Removed]
    /// The objects that stayed and have another place among those that stayed, ascending by position.
    public let moved: [Moved]
    /// The objects that stayed and have other values, moved or not, ascending by position.
    public let updated: [Placed]

    /// Whether nothing changed.
    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && moved.isEmpty && updated.isEmpty }
}
