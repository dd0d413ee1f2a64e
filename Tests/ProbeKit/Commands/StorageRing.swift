import TestSupport
import TroveStorage

/// A ring in a store: each entry names the next, and whoever follows them comes back to the first after as many steps as there are entries.
///
/// Rearranging it reads four entries and changes three, so that two transactions that see each other's halves, or lose an update,
/// leave two rings or a dead end (after FoundationDB's Cycle workload).
package struct StorageRing: Sendable {
    private static let name = "ring"
    private let store: any StorageBackend

    package init(_ store: any StorageBackend) { self.store = store }

    /// Makes a ring of so many entries.
    package func make(_ count: Int) throws {
        try store.write(.buffered) { writer in
            let ring = try writer.createKeyspace(named: Self.name)
            for place in 0..<count { try writer.put(key(place), key((place + 1) % count), in: ring) }
        }
    }

    /// Takes a random entry out of its place and puts it behind the next, so many times.
    package func rearrange(times: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<times {
            let chance = random.next()
            try store.write(.relaxed) { writer in
                guard let ring = try writer.keyspace(named: Self.name) else { throw Inconsistency("there is no ring") }
                let first = key(Int(chance % UInt64(try writer.count(in: ring))))
                let second = try next(first, writer, ring)
                let third = try next(second, writer, ring)
                let fourth = try next(third, writer, ring)
                try writer.put(first, third, in: ring)
                try writer.put(third, second, in: ring)
                try writer.put(second, fourth, in: ring)
            }
        }
    }

    /// Follows the ring in one snapshot.
    ///
    /// - Throws: ``Inconsistency`` when it is not one ring of all its entries.
    package func check() throws {
        try store.read { reader in
            guard let ring = try reader.keyspace(named: Self.name) else { throw Inconsistency("there is no ring") }
            let count = try reader.count(in: ring)
            var place = key(0)
            for step in 1...count {
                place = try next(place, reader, ring)
                if place == key(0), step < count { throw Inconsistency("a ring of \(step) instead of \(count)") }
            }
            if place != key(0) { throw Inconsistency("after \(count) steps the ring is not closed") }
        }
    }

    private func next(_ place: [UInt8], _ reader: any StorageReader, _ ring: Keyspace) throws -> [UInt8] {
        guard let next = try reader.value(of: place, in: ring) else { throw Inconsistency("the ring has a dead end at \(place)") }
        return next
    }

    private func key(_ place: Int) -> [UInt8] { [UInt8(place >> 8), UInt8(place & 255)] }
}
