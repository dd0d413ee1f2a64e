import Foundation
import TestSupport
import Trove

/// A store with known contents: two types, large and small values, blobs and free pages.
package enum SampleStore {
    package static let itemCount = 1_200
    static let noteCount = 600

    static let items = (0..<itemCount).map { Item.sample($0) }
    static let notes = (0..<noteCount).map(Note.sample).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    static let blobs: [String: Data] = [
        "empty": Data(), "large": .seeded(-1, count: 150_000), "small": .seeded(-2, count: 900),
    ]

    /// The items that stand in the file as they were first written, so their bytes can be found in it.
    package static let untouchedItems = [5, 6, 700, 13, 26, 97, 194, 970]

    /// Writes other values of every second item and of every note, which ``fill(_:)`` replaces.
    static func fillOlder(_ store: ObjectStore) throws {
        let numbers = stride(from: 0, to: itemCount, by: 2).filter { !untouchedItems.contains($0) }
        try store.save(numbers.map { Item.sample($0, revision: 3) })
        try store.save(notes.map { Note(id: $0.id, text: "older") })
        try store.setBlob(.seeded(-5, count: 30_000), named: "large")
    }

    /// Writes the contents in several transactions, with changes and deletions on the way.
    static func fill(_ store: ObjectStore) throws {
        var generator = SeededGenerator(seed: 1)
        try store.save(untouchedItems.map { Item.sample($0) })
        let others = (0..<itemCount + 400).filter { !untouchedItems.contains($0) }.shuffled(using: &generator)
        for part in 0..<4 {
            let numbers = others[others.count * part / 4..<others.count * (part + 1) / 4]
            try store.save(numbers.map { Item.sample($0, revision: $0.isMultiple(of: 5) ? 1 : 0) })
        }
        try store.save(notes.shuffled(using: &generator))
        for (name, data) in blobs { try store.setBlob(data, named: name) }
        try store.setBlob(Data(count: 60_000), named: "deleted")
        try store.delete(Item.self, ids: itemCount..<itemCount + 400)
        try store.save(others.filter { $0 < itemCount && $0.isMultiple(of: 5) }.map { Item.sample($0) })
        try store.deleteBlob(named: "deleted")
    }
}
