import TestSupport
import Trove

/// An object whose context the program has let go of.
@Model package final class Orphan {
    package var name: String
    @Relationship package var inner: [Orphan] = []

    package init(_ name: String) { self.name = name }

    /// What can be done with an object that needs its context.
    package enum Use: String, CaseIterable, Sendable {
        case readingARelationship
        case changingAProperty
    }

    /// Stores an object with two others and returns it without its context.
    package static func stored(on engine: Engine, at path: String) throws -> Orphan {
        let store = try ObjectStore(engine.open(path), durability: .relaxed, models: Orphan.self)
        do {
            let context = ObjectContext(store)
            let root = Orphan("root")
            root.inner = [Orphan("a"), Orphan("b")]
            try context.insert(root)
            try context.save()
        }
        guard let root = try ObjectContext(store).fetch(Orphan.self).where({ $0.name == "root" }).first() else {
            throw Inconsistency("the object was not stored")
        }
        return root
    }

    /// Makes one and uses it; says what came of it when the program goes on.
    static func use(_ use: String, _ engine: String, _ path: String) throws -> String {
        guard let engine = Engine(rawValue: engine) else { throw Inconsistency("there is no engine '\(engine)'") }
        let orphan = try stored(on: engine, at: path)
        switch Use(rawValue: use) {
        case .readingARelationship: return "\(orphan.inner.count) objects were read"
        case .changingAProperty:
            orphan.name = "other"
            return "the property was changed"
        case nil: throw Inconsistency("there is no use '\(use)'")
        }
    }
}
