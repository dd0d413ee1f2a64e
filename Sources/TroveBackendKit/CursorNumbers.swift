/// The numbers of a write transaction's cursors, which identify the cursors of an undone savepoint.
///
/// ```swift
/// let before = cursors.last
/// do { try body() } catch { cursors.undo(after: before); throw error }
/// ```
public struct CursorNumbers: Sendable {
    /// The number of the newest cursor; 0 when there was none.
    public private(set) var last = 0
    private var undone: [ClosedRange<Int>] = []

    /// The numbers of a transaction that has no cursors yet.
    public init() {}

    /// The number of a new cursor.
    public mutating func register() -> Int {
        last += 1
        return last
    }

    /// Marks the cursors created after a given one as undone. Ranges of inner savepoints become part of the outer one's.
    public mutating func undo(after cursor: Int) {
        guard last > cursor else { return }
        while let range = undone.last, range.lowerBound > cursor { undone.removeLast() }
        undone.append(cursor + 1...last)
    }

    /// Whether a cursor was created in a savepoint that was undone.
    public func isUndone(_ cursor: Int) -> Bool { undone.contains { $0.contains(cursor) } }
}
