import TestSupport
import Testing

@testable import Trove

/// Live objects that are in memory while their records are written again in the present layout.
@Suite struct LiveUpgradeTests {
    enum Old {
        @Model("Wheel") final class Wheel {
            let id: Int
            var turns = 0
            init(id: Int) { self.id = id }
        }
    }

    enum New {
        @Model("Wheel") final class Wheel {
            let id: Int
            var turns = 0
            var maker: String?
            init(id: Int) { self.id = id }
        }
    }

    @Test(arguments: Engine.allCases) func anUpgradeIsNoConflict(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Old.Wheel.self) }
        try fixture.store.save((1...4).map { Old.Wheel(id: $0) })
        try fixture.reopenStore { try ObjectStore($0, durability: .buffered, models: New.Wheel.self) }
        let store = fixture.store
        let context = ObjectContext(store)
        let wheels = try context.fetch(New.Wheel.self).all()
        wheels[0].turns = 1
        try context.delete(wheels[1])
        // Another one knows better.
        let other = ObjectContext(store)
        let same = try #require(try other.fetch(New.Wheel.self, id: 4))
        same.turns = 9
        try other.save()
        #expect(try store.upgrade(New.Wheel.self) == 3)
        wheels[2].turns = 3
        try context.save()
        #expect(try store.fetch(New.Wheel.self).all().map { [$0.id, $0.turns] } == [[1, 1], [3, 3], [4, 9]])
        wheels[3].turns = 4
        #expect(throws: TroveError.self) { try context.save() }
    }

    @Test(arguments: Engine.allCases) func anUpgradeBetweenACutAndItsTransactionIsNoConflict(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Old.Wheel.self) }
        try fixture.store.save((1...3).map { Old.Wheel(id: $0) })
        var intervening: InterveningBackend?
        try fixture.reopenStore { backend in
            let backend = InterveningBackend(backend)
            intervening = backend
            return try ObjectStore(backend, durability: .buffered, models: New.Wheel.self)
        }
        let store = fixture.store
        let context = ObjectContext(store)
        let wheels = try context.fetch(New.Wheel.self).all()
        wheels[0].turns = 1
        wheels[1].turns = 2
        try context.delete(wheels[1])
        let isUpgraded = SharedFlag()
        try #require(intervening).intervene {
            if try store.upgrade(New.Wheel.self) == 3 { isUpgraded.raise() }
        }
        try context.save()
        #expect(isUpgraded.isRaised && !context.hasChanges)
        #expect(try store.fetch(New.Wheel.self).all().map { [$0.id, $0.turns] } == [[1, 1], [3, 0]])
        // Values that somebody else has stored since are a conflict as before.
        wheels[2].turns = 3
        let same = New.Wheel(id: 3)
        same.turns = 9
        try store.save(same)
        #expect(throws: TroveError.self) { try context.save() }
        #expect(try store.verify().isSound)
    }
}
