import Foundation
import Trove

/// Compares a store with what it should hold, by every way of reading.
struct SampleCheck {
    var items: [Item]
    var notes: [Note]
    var blobs: [String: Data]

    /// The contents that `SampleStore.fill` writes.
    static var original: SampleCheck {
        SampleCheck(items: SampleStore.items, notes: SampleStore.notes, blobs: SampleStore.blobs)
    }

    func run(on store: OpenStore) -> [ProbeCheck] {
        let objects = store.objects
        return [
            ProbeCheck("verify") { try verify(objects) },
            ProbeCheck("scan") { try scan(objects) },
            ProbeCheck("fetch by id") { try fetch(objects) },
            ProbeCheck("count") { try count(objects) },
            ProbeCheck("blobs") { try readBlobs(objects) },
            ProbeCheck("copy") { try copy(objects) },
            ProbeCheck("engine") { try EngineCheck(store.backend).run() },
        ]
    }

    private func verify(_ store: ObjectStore) throws -> String? {
        let report = try store.verify()
        if let problem = report.problems.first { throw problem.error }
        return difference(report.records, items.count + notes.count, "records") ?? difference(report.blobs, blobs.count, "blobs")
    }

    private func scan(_ store: ObjectStore) throws -> String? {
        try store.read { snapshot in
            let foundItems = try snapshot.fetch(Item.self).all()
            let foundNotes = try snapshot.fetch(Note.self).all()
            return difference(foundItems, items, "items") ?? difference(foundNotes, notes, "notes")
        }
    }

    private func fetch(_ store: ObjectStore) throws -> String? {
        try store.read { snapshot in
            for item in items where try snapshot.fetch(Item.self, id: item.id) != item { return "item \(item.id)" }
            for note in notes where try snapshot.fetch(Note.self, id: note.id) != note { return note.id }
            return try snapshot.contains(Item.self, id: SampleStore.itemCount + 1) ? "an item that was deleted" : nil
        }
    }

    private func count(_ store: ObjectStore) throws -> String? {
        try store.read { snapshot in
            try difference(snapshot.fetch(Item.self).count(), items.count, "items")
                ?? difference(snapshot.fetch(Note.self).count(), notes.count, "notes")
        }
    }

    private func readBlobs(_ store: ObjectStore) throws -> String? {
        try store.read { snapshot in
            for (name, data) in blobs where try snapshot.blob(named: name) != data { return "the blob '\(name)'" }
            return try snapshot.blobNames() == blobs.keys.sorted() ? nil : "the names of the blobs"
        }
    }

    /// Copies the store into memory and reads the copy.
    private func copy(_ store: ObjectStore) throws -> String? {
        let memory = MemoryBackend()
        try store.copy(to: memory)
        let copy = try ObjectStore(memory, models: Item.self, Note.self)
        defer { withExtendedLifetime(memory) {} }
        return try scan(copy) ?? readBlobs(copy)
    }

    private func difference(_ found: Int, _ expected: Int, _ what: String) -> String? {
        found == expected ? nil : "\(found) \(what) instead of \(expected)"
    }

    private func difference<Object: Equatable>(_ found: [Object], _ expected: [Object], _ what: String) -> String? {
        if found == expected { return nil }
        return difference(found.count, expected.count, what)
            ?? zip(found, expected).first { $0 != $1 }.map { "among the \(what) \(String(describing: $0.0).prefix(80))" }
    }
}
