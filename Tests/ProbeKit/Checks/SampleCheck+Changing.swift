import Foundation
import Trove

extension SampleCheck {
    /// Changes the store everywhere, so that free space is used, and returns what it should hold then.
    func changed(_ store: ObjectStore) throws -> SampleCheck {
        var new = self
        new.items.removeAll { $0.id % 3 == 1 }
        new.items += (0..<150).map { Item.sample(SampleStore.itemCount + 1_000 + $0 * 5) }
        for index in new.items.indices where index % 7 == 0 { new.items[index] = Item.sample(new.items[index].id, revision: 2) }
        new.notes.removeFirst(new.notes.count / 2)
        new.blobs["large"] = nil
        new.blobs["new"] = Data.seeded(7, count: 80_000)
        try store.write(.buffered) { transaction in
            try transaction.delete(Item.self, ids: items.map(\.id).filter { $0 % 3 == 1 })
            try transaction.save(new.items)
            try transaction.delete(Note.self, ids: notes.prefix(notes.count - new.notes.count).map(\.id))
            try transaction.deleteBlob(named: "large")
            if let blob = new.blobs["new"] { try transaction.setBlob(blob, named: "new") }
        }
        return new
    }
}
