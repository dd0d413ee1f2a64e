import TestSupport
import Testing

@testable import Trove

/// Names of models in several normal forms: Swift takes them for one, the engine for two.
@Suite struct NormalFormNameTests {
    @Model("caf\u{E9}") struct Composed {
        var id: Int
    }

    @Model("cafe\u{301}") struct Decomposed {
        var id: Int
    }

    @Test(arguments: Engine.allCases) func twoModelsOfOneNameAreRefused(engine: Engine) throws {
        #expect {
            _ = try StoreFixture(engine) { try ObjectStore($0, models: Composed.self, Decomposed.self) }
        } throws: {
            if case TroveError.duplicateModel = $0 { true } else { false }
        }
    }

    /// A source file whose texts were normalised must not make the objects disappear.
    @Test(arguments: Engine.allCases) func objectsUnderTheOtherFormAreNotHidden(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Composed.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Decomposed.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Composed.self) }
        try fixture.store.save(Composed(id: 1))
        #expect {
            try fixture.reopenStore { try ObjectStore($0, models: Decomposed.self) }
        } throws: {
            guard case TroveError.invalidModelName(_, let reason) = $0 else { return false }
            return reason.contains("caf\\u{00E9} and not cafe\\u{0301}")
        }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Composed.self).count() == 1)
    }
}
