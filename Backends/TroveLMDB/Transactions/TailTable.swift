/// The tails of the keyspaces a write transaction has stored entries in.
///
/// A class of its own, held by a constant: the sixteen places, by the low bits of the keyspace's number, are reached without the
/// check of exclusive access that a variable would bring, and save most searches.
final class TailTable {
    private typealias Place = (number: Int, tail: UnsafeMutablePointer<KeyspaceTail>?)

    private static let placeCount = 16

    private let places: UnsafeMutablePointer<Place>
    private var tails: [Int: UnsafeMutablePointer<KeyspaceTail>] = [:]

    init() {
        places = .allocate(capacity: Self.placeCount)
        places.initialize(repeating: (-1, nil), count: Self.placeCount)
    }

    deinit {
        for tail in tails.values {
            tail.pointee.free()
            tail.deallocate()
        }
        places.deallocate()
    }

    /// The keyspace's tail, which stays where it is as long as the table.
    @inline(__always)
    func tail(_ number: Int) -> UnsafeMutablePointer<KeyspaceTail> {
        let place = places[number % Self.placeCount]
        if place.number == number, let tail = place.tail { return tail }
        return find(number)
    }

    /// The keyspace's tail, made when there is none.
    private func find(_ number: Int) -> UnsafeMutablePointer<KeyspaceTail> {
        let tail: UnsafeMutablePointer<KeyspaceTail>
        if let found = tails[number] {
            tail = found
        } else {
            tail = .allocate(capacity: 1)
            tail.initialize(to: KeyspaceTail())
            tails[number] = tail
        }
        places[number % Self.placeCount] = (number, tail)
        return tail
    }

    /// Closes all cursors, because the current level changes.
    func endRuns() {
        for tail in tails.values { tail.pointee.endRuns() }
    }

    /// Forgets all bounds and cursors, because the level they belong to was undone.
    func forget() {
        for tail in tails.values { tail.pointee.forget() }
    }
}
