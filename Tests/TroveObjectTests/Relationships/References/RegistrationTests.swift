import Foundation
import TestSupport
import Testing

@testable import Trove

@Suite struct RegistrationTests {
    @Test(arguments: Engine.allCases)
    func targetsAreRegisteredOverSeveralHopsAndCycles(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine, Library.open)
        let artist = Composer(id: "evans", name: "Bill Evans")
        try fixture.store.save(artist)
        #expect(try fixture.store.fetch(Composer.self, id: "evans") == artist)
        let names: [String] = fixture.store.core.modelBindings.map(\.schema.name)
        let models: Set<String> = Set(names.filter { !$0.hasPrefix("$") })
        #expect(models == ["Piece", "Disc", "Composer", "Printing"])
        // The others were registered in the file too, so it opens again with any of them.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Composer.self) }
        #expect(try fixture.store.fetch(Composer.self).count() == 1)
        #expect(throws: TroveError.self) { try fixture.store.fetch(Piece.self).count() }
    }

    @Test func relationshipsAreFoundFromBothSides() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let core = fixture.store.core
        #expect(core.relationships(of: "Piece").map(\.name) == ["album", "writers", "guests", "roles", "edition", "original", "about", "links"])
        #expect(core.relationships(of: "Piece").map(\.target?.schema.name) == ["Disc", "Composer", "Composer", "Composer", "Printing", "Piece", nil, nil])
        #expect(
            core.relationships(to: "Composer").map { "\($0.model.schema.name).\($0.name)" }
                == ["Composer.mentor", "Disc.artist", "Piece.writers", "Piece.guests", "Piece.roles", "Piece.about", "Piece.links"])
        #expect(core.relationships(to: "Unknown").map(\.name) == ["about", "links"])
        #expect(core.relationships(of: "Unknown").isEmpty)
        let roles = try #require(core.relationships(of: "Piece").first { $0.name == "roles" })
        #expect(roles.index.name == "references of roles" && roles.field == 4 && roles.part == .values)
    }

    @Test func inversesAreResolvedFromOneSide() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: Parent.self) }
        let core = fixture.store.core
        let children = try #require(core.relationships(of: "Parent").first)
        let parent = try #require(core.relationships(of: "Child").first { $0.name == "parent" })
        let friends = try #require(core.relationships(of: "Child").first { $0.name == "friends" })
        #expect(core.inverse(of: children) === parent && core.inverse(of: parent) === children)
        #expect(core.inverse(of: friends) === friends)
        let other = try #require(core.relationships(of: "Child").first { $0.name == "other" })
        #expect(core.inverse(of: other) == nil)
    }

    @Test(arguments: Mistake.all)
    fileprivate func whatCannotBeIsAnErrorAtOpening(_ mistake: Mistake) throws {
        let error = #expect(throws: TroveError.self) { try ObjectStore(MemoryBackend(), models: mistake.model) }
        guard case .invalidRelationship(let model, let field, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(model == mistake.model.schema.name && field == mistake.field)
        #expect(reason.contains(mistake.reason), "\(reason)")
    }
}

private struct Parent: Model {
    var id = ObjectID()
    var children: [Reference<Child>] = []
    static let schema = ModelSchema("Parent", fields: [
        FieldSchema("children", \Parent.children, relationship: RelationshipOptions(inverse: \Child.parent))
    ])
    init(from record: inout RecordDecoder) throws { (children, id) = (try record.decode(), try record.decodeID()) }
    func encode(into record: inout RecordEncoder) throws { try record.encode(children) }
}

private struct Child: Model {
    var id = ObjectID()
    var parent: Reference<Parent>?
    var friends: Set<Reference<Child>> = []
    var other: Reference<Parent>?
    static let schema = ModelSchema("Child", fields: [
        FieldSchema("parent", \Child.parent),
        FieldSchema("friends", \Child.friends, relationship: RelationshipOptions(inverse: \Child.friends)),
        FieldSchema("other", \Child.other),
    ])
    init(from record: inout RecordDecoder) throws {
        (parent, friends, other, id) = (try record.decode(), try record.decode(), try record.decode(), try record.decodeID())
    }
    func encode(into record: inout RecordEncoder) throws {
        try record.encode(parent)
        try record.encode(friends)
        try record.encode(other)
    }
}

private struct Mistake: Sendable, CustomTestStringConvertible {
    let model: any Model.Type
    let field: String
    let reason: String
    var testDescription: String { reason }

    static let all = [
        Mistake(model: PlainInverse.self, field: "a", reason: "is no relationship"),
        Mistake(model: ForeignRoot.self, field: "a", reason: "is a property of Parent, and it points at ForeignRoot"),
        Mistake(model: OtherTarget.self, field: "a", reason: "points at Parent, not at OtherTarget"),
        Mistake(model: TwoPartners.self, field: "b", reason: "one inverse"),
        Mistake(model: Keyed.self, field: "a", reason: "is a collection by name"),
        Mistake(model: KeyedPartner.self, field: "a", reason: "is a collection by name"),
        Mistake(model: AnyInverse.self, field: "a", reason: "any model"),
        Mistake(model: NilID.self, field: "a", reason: "may be nil"),
        Mistake(model: Required.self, field: "a", reason: "cannot become nil"),
        Mistake(model: Computed.self, field: "a", reason: "no stored property"),
    ]
}

/// A model of two fields, for schemas that are not to be opened.
private protocol Mistaken: Model where ID == ObjectID {
    associatedtype First: Storable
    associatedtype Second: Storable
    init()
    var a: First { get set }
    var b: Second { get set }
    var id: ObjectID { get set }
}

extension Mistaken {
    init(from record: inout RecordDecoder) throws {
        self.init()
        (a, b, id) = (try record.decode(), try record.decode(), try record.decodeID())
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(a)
        try record.encode(b)
    }
}

private struct PlainInverse: Mistaken {
    var id = ObjectID(), a: Reference<PlainInverse>?, b = 0
    static let schema = ModelSchema("PlainInverse", fields: [
        FieldSchema("a", \PlainInverse.a, relationship: RelationshipOptions(inverse: \PlainInverse.b)), FieldSchema("b", \PlainInverse.b),
    ])
}

private struct ForeignRoot: Mistaken {
    var id = ObjectID(), a: Reference<ForeignRoot>?, b = 0
    static let schema = ModelSchema("ForeignRoot", fields: [
        FieldSchema("a", \ForeignRoot.a, relationship: RelationshipOptions(inverse: \Parent.children)), FieldSchema("b", \ForeignRoot.b),
    ])
}

private struct OtherTarget: Mistaken {
    var id = ObjectID(), a: Reference<Child>?, b = 0
    static let schema = ModelSchema("OtherTarget", fields: [
        FieldSchema("a", \OtherTarget.a, relationship: RelationshipOptions(inverse: \Child.other)), FieldSchema("b", \OtherTarget.b),
    ])
}

private struct TwoPartners: Mistaken {
    var id = ObjectID(), a: Reference<TwoPartners>?, b: Reference<TwoPartners>?
    static let schema = ModelSchema("TwoPartners", fields: [
        FieldSchema("a", \TwoPartners.a, relationship: RelationshipOptions(inverse: \TwoPartners.a)),
        FieldSchema("b", \TwoPartners.b, relationship: RelationshipOptions(inverse: \TwoPartners.a)),
    ])
}

private struct Keyed: Mistaken {
    var id = ObjectID(), a: [String: Reference<Keyed>] = [:], b: [Reference<Keyed>] = []
    static let schema = ModelSchema("Keyed", fields: [
        FieldSchema("a", \Keyed.a, relationship: RelationshipOptions(inverse: \Keyed.b)), FieldSchema("b", \Keyed.b),
    ])
}

private struct KeyedPartner: Mistaken {
    var id = ObjectID(), a: [Reference<KeyedPartner>] = [], b: [String: Reference<KeyedPartner>] = [:]
    static let schema = ModelSchema("KeyedPartner", fields: [
        FieldSchema("a", \KeyedPartner.a, relationship: RelationshipOptions(inverse: \KeyedPartner.b)), FieldSchema("b", \KeyedPartner.b),
    ])
}

private struct AnyInverse: Mistaken {
    var id = ObjectID(), a: AnyReference?, b: Reference<AnyInverse>?
    static let schema = ModelSchema("AnyInverse", fields: [
        FieldSchema("a", \AnyInverse.a, relationship: RelationshipOptions(inverse: \AnyInverse.b)), FieldSchema("b", \AnyInverse.b),
    ])
}

private struct Required: Mistaken {
    var id = ObjectID(), a = Reference<Parent>(id: ObjectID()), b = 0
    static let schema = ModelSchema("Required", fields: [
        FieldSchema("a", \Required.a, relationship: RelationshipOptions(whenTargetDeleted: .nullify)), FieldSchema("b", \Required.b),
    ])
}

private struct Computed: Mistaken {
    var id = ObjectID(), a: Reference<Computed>?, b = 0
    var computed: Int { b + 1 }
    static let schema = ModelSchema("Computed", fields: [
        FieldSchema("a", \Computed.a, relationship: RelationshipOptions(inverse: \Computed.computed)), FieldSchema("b", \Computed.b),
    ])
}

private struct Nameless: Model {
    var id: Int?
    static let schema = ModelSchema("Nameless", fields: [])
    init(from record: inout RecordDecoder) throws { id = try record.decodeID() }
    func encode(into record: inout RecordEncoder) throws {}
}

private struct NilID: Mistaken {
    var id = ObjectID(), a: Reference<Nameless>?, b = 0
    static let schema = ModelSchema("NilID", fields: [FieldSchema("a", \NilID.a), FieldSchema("b", \NilID.b)])
}
