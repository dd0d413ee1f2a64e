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

    private func verify(_ store: ObjectStore) throws {
        let report = try store.verify()
        if let problem = report.problems.first { throw problem.error }
        let others = try store.fetch(Account.self).count() + store.fetch(LedgerEntry.self).count()
        try compare(report.records - others, items.count + notes.count, "records")
        try compare(report.blobs, blobs.count, "blobs")
    }

    private func scan(_ store: ObjectStore) throws {
        try store.read { snapshot in
            try compare(snapshot.fetch(Item.self).all(), items, "items")
            try compare(snapshot.fetch(Note.self).all(), notes, "notes")
        }
    }

    private func fetch(_ store: ObjectStore) throws {
        try store.read { snapshot in
            for item in items { try compare(snapshot.fetch(Item.self, id: item.id), item, "item \(item.id)") }
            for note in notes { try compare(snapshot.fetch(Note.self, id: note.id), note, note.id) }
            if try snapshot.contains(Item.self, id: SampleStore.itemCount + 1) { throw Difference.wrong("an item that was deleted") }
        }
    }

    private func count(_ store: ObjectStore) throws {
        try store.read { snapshot in
            try compare(snapshot.fetch(Item.self).count(), items.count, "items")
            try compare(snapshot.fetch(Note.self).count(), notes.count, "notes")
        }
    }

    private func readBlobs(_ store: ObjectStore) throws {
        try store.read { snapshot in
            for (name, data) in blobs { try compare(snapshot.blob(named: name), data, "the blob '\(name)'") }
            try compare(snapshot.blobNames(), blobs.keys.sorted(), "names of blobs")
        }
    }

    /// Copies the store into memory and reads the copy.
    private func copy(_ store: ObjectStore) throws {
        let memory = MemoryBackend()
        try store.copy(to: memory)
        let copy = try ObjectStore(memory, models: Item.self, Note.self)
        try scan(copy)
        try readBlobs(copy)
        try copy.close()
    }

    private func compare(_ found: Int, _ expected: Int, _ what: String) throws {
        let difference = "\(found) \(what) instead of \(expected)"
        if found < expected { throw Difference.missing(difference) }
        if found > expected { throw Difference.wrong(difference) }
    }

    private func compare<Value: Equatable>(_ found: Value?, _ expected: Value, _ what: String) throws {
        guard let found else { throw Difference.missing(what) }
        if found != expected { throw Difference.wrong(what) }
    }

    /// Compares lists in ascending order; what is found may lack members.
    private func compare<Value: Equatable>(_ found: [Value], _ expected: [Value], _ what: String) throws {
        if found == expected { return }
        var rest = expected[...]
        for value in found {
            guard let place = rest.firstIndex(of: value) else { throw Difference.wrong("among the \(what) \(String(describing: value).prefix(80))") }
            rest = rest[(place + 1)...]
        }
        throw Difference.missing("\(found.count) \(what) instead of \(expected.count)")
    }
}
