import TestSupport
import Testing
import Trove

/// A class that inherits another is refused when a store is opened with it: nothing would store what it inherits.
@Suite struct SuperclassTests {
    class Base {
        var code = ""
    }

    /// By hand, as `@Model` refuses it when it is compiled. It is `@unchecked Sendable` because it is never made.
    final class Sub: Base, Model, @unchecked Sendable {
        let id = ObjectID()

        static let schema = ModelSchema("Sub", fields: [])
        override init() {}
        init(from record: inout RecordDecoder) throws {}
        func encode(into record: inout RecordEncoder) throws {}
    }

    /// A class between an abstract model and a model, which conforms to all that the compiler asks for.
    @Test func aPlainClassBetweenIsRefused() throws {
        do {
            _ = try ObjectStore(MemoryBackend(), models: BelowPlain.self)
            Issue.record("it was opened")
        } catch let error as TroveError {
            guard case .invalidModel(let model, let reason) = error else { throw error }
            #expect(model == "BelowPlain" && reason.hasPrefix("it inherits PlainBetween, "))
        }
    }

    /// The macro sees the properties of one class alone, so the store finds that two of them would read the same old value.
    @Test func anOriginalNameThatAnInheritingClassHasIsRefused() throws {
        #expect {
            _ = try ObjectStore(MemoryBackend(), models: Reused.self)
        } throws: { error in
            guard case TroveError.invalidModel("Reused", let reason) = error else { return false }
            return reason == "'label' cannot be the original name of 'title': 'label' reads that value; give one of the two another name"
        }
    }

    @Test(arguments: Engine.allCases) func isRefusedAtOpening(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.open(directory.file())
        defer { #expect(throws: Never.self) { try backend.close() } }
        do {
            _ = try ObjectStore(backend, models: Sub.self)
            Issue.record("it was opened")
        } catch let error as TroveError {
            guard case .invalidModel(let model, let reason) = error else { throw error }
            #expect(model == "Sub")
            #expect(reason.hasPrefix("it inherits Base, whose properties would not be stored; write '@AbstractModel' before that class"))
        }
    }
}

@AbstractModel
class Renamed {
    @Attribute(originalName: "label") var title = ""
    init() {}
}

@Model
final class Reused: Renamed {
    var label = ""
}

@AbstractModel
class Root {
    var code = ""
    init() {}
}

/// It is `@unchecked Sendable` because it is never made.
class PlainBetween: Root, @unchecked Sendable {
    var extra = 5
}

@Model
final class BelowPlain: PlainBetween {
    var number = 1
}
