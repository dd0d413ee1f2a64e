import TestSupport
import Testing

@testable import Trove

@Model fileprivate final class Boat {
    var name: String
    @Attribute(.indexed) var length: Int

    init(name: String, length: Int) { (self.name, self.length) = (name, length) }
}

/// Objects of classes, and snapshots beside contexts.
@Suite struct SnapshotObjectTests {
    @Test(arguments: Engine.allCases.filter { $0 != .tokyoCabinet }) func objectsOfASnapshot(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Boat.self) }
        let store = fixture.store
        let context = ObjectContext(store)
        let boats = (0..<10).map { Boat(name: "boat \($0)", length: $0) }
        for boat in boats { try context.insert(boat) }
        try context.save()
        let snapshot = try store.snapshot()
        boats[3].name = "changed"
        try context.delete(boats[4])
        try context.save()

        let found = try snapshot.fetch(Boat.self).sorted(by: \.length).all()
        #expect(found.map(\.name) == (0..<10).map { "boat \($0)" })
        #expect(found.map(\.id) == boats.map(\.id))
        #expect(found[3] !== boats[3] && found[3].modelContext == nil)
        // Nor does the snapshot care what a context makes of its objects, in whose reads the newest state is seen.
        let counts = try context.read { transaction in try [transaction.fetch(Boat.self).count(), snapshot.fetch(Boat.self).count()] }
        #expect(counts == [9, 10])
        #expect(boats[3].name == "changed")
        snapshot.close()
        #expect(found[4].name == "boat 4")
        withExtendedLifetime((fixture, context)) {}
    }
}
