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
        case readingARelationshipOfAnObjectOfTheStore
        case emptyingARelationshipOfAnObjectOfTheStore
        case changingAProperty
    }

    /// Stores an object with two others and returns it without its context.
    package static func stored(on engine: Engine, at path: String) throws -> Orphan {
        guard let root = try ObjectContext(store(on: engine, at: path)).fetch(Orphan.self).where({ $0.name == "root" }).first() else {
            throw Inconsistency("the object was not stored")
        }
        return root
    }

    /// Stores an object with two others and returns it as the store gives it. Those without any, and those that are added, are as they say.
    private static func storeObject(on engine: Engine, at path: String) throws -> Orphan {
        let objects = try store(on: engine, at: path).fetch(Orphan.self).all()
        guard let root = objects.first(where: { $0.name == "root" }), let leaf = objects.first(where: { $0.name == "a" }), leaf.inner.isEmpty else {
            throw Inconsistency("the objects were not stored")
        }
        leaf.inner.removeAll()
        leaf.inner.append(Orphan("c"))
        guard leaf.inner.count == 1 else { throw Inconsistency("an object that was added is not there") }
        return root
    }

    private static func store(on engine: Engine, at path: String) throws -> ObjectStore {
        let store = try ObjectStore(engine.open(path), durability: .relaxed, models: Orphan.self)
        do {
            let context = ObjectContext(store)
            let root = Orphan("root")
            root.inner = [Orphan("a"), Orphan("b")]
            try context.insert(root)
            try context.save()
        }
        return store
    }

    /// Makes one and uses it; says what came of it when the program goes on.
    static func use(_ use: String, _ engine: String, _ path: String) throws -> String {
        guard let engine = Engine(rawValue: engine) else { throw Inconsistency("there is no engine '\(engine)'") }
        switch Use(rawValue: use) {
        case .readingARelationship: return "\(try stored(on: engine, at: path).inner.count) objects were read"
        case .readingARelationshipOfAnObjectOfTheStore: return "\(try storeObject(on: engine, at: path).inner.count) objects were read"
        case .emptyingARelationshipOfAnObjectOfTheStore:
            try storeObject(on: engine, at: path).inner.removeAll()
            return "the relationship was emptied"
        case .changingAProperty:
            try stored(on: engine, at: path).name = "other"
            return "the property was changed"
        case nil: throw Inconsistency("there is no use '\(use)'")
        }
    }
}
