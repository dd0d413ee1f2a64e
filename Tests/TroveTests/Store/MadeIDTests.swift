import Foundation
import TestSupport
import Testing
import Trove

/// Ids that are computed of properties, with and without an identity that says so: no way of storing an object may give it another one.
@Suite struct MadeIDTests {
    @Model fileprivate struct Port: Equatable {
        @Attribute(.unique) var name: String
        var code: String
        var ships = 0
        var id: String { code }
    }

    @Model fileprivate struct Gate: Equatable {
        #Unique<Gate>([\.code], identity: true)
        var code: String
        var flights = 0
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Port.self, Gate.self) }
        try fixture.store.save([Port(name: "b", code: "A"), Port(name: "a", code: "B")])
        try fixture.store.save([Gate(code: "A"), Gate(code: "B")])
        return fixture
    }

    @Test(arguments: Engine.allCases) func keyPathsNameThem(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        #expect(try store.fetch(Port.self).sorted(by: \.id, .descending).all().map(\.code) == ["B", "A"])
        #expect(try store.fetch(Port.self).sorted(by: \.id).select(\.id).all() == ["A", "B"])
        #expect(try store.fetch(Port.self).where { $0.id == "B" }.all().map(\.name) == ["a"])
        #expect(try store.fetch(Port.self).where(#Predicate<Port> { $0.id == "B" }).all().map(\.name) == ["a"])
        #expect(try store.fetch(Gate.self).where(#Predicate<Gate> { $0.id == "B" }).all() == [Gate(code: "B")])
    }

    @Test(arguments: Engine.allCases) func whatTheyAreMadeOfIsNotSet(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        #expect { try store.fetch(Port.self).update(\.code, to: "C") } throws: { if case TroveError.invalidQuery = $0 { true } else { false } }
        #expect { try store.fetch(Gate.self).update(\.code, to: "C") } throws: { if case TroveError.invalidQuery = $0 { true } else { false } }
        #expect(try store.fetch(Port.self).update(\.ships, to: 5) == 2)
        #expect(try store.fetch(Port.self).update(\.ships, adding: 1) == 2)
        #expect(try store.fetch(Port.self, id: "A") == Port(name: "b", code: "A", ships: 6))
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func uniqueValuesGiveNoOther(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        #expect { try store.upsert(Port(name: "a", code: "C"), matching: .uniqueValues) } throws: { error in
            if case TroveError.uniqueViolation("Port", _, _, _, _) = error { true } else { false }
        }
        #expect(try store.upsert(Port(name: "a", code: "B", ships: 7), matching: .uniqueValues) == .updated)
        #expect(try store.fetchOrInsert(Port(name: "a", code: "C")) == Port(name: "a", code: "B", ships: 7))
        #expect(try store.fetch(Port.self).ids().sorted() == ["A", "B"])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func recordsHaveNoOther(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        for (model, count) in [("Port", "ships"), ("Gate", "flights")] {
            var record = try #require(try store.read { try $0.storedRecord(of: model, key: "A".keyBytes) })
            try record.set(count, to: .int(3))
            let sound = record
            try store.write { try $0.save(sound) }
            #expect(try store.read { try $0.storedRecord(of: model, key: "A".keyBytes) } == sound)
            try record.set("code", to: .string("C"))
            let other = record
            #expect { try store.write { try $0.save(other) } } throws: { error in
                if case TroveError.encodingFailed(model, "id", _) = error { true } else { false }
            }
        }
        #expect(try store.fetch(Gate.self).where { $0.code == "A" }.all() == [Gate(code: "A", flights: 3)])
        #expect(try store.verify().isSound)
    }
}
