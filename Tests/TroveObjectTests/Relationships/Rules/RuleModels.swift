import Trove

// Models with relationships of all shapes, cardinalities and rules.
// A key path names a model that is declared before: the compiler (6.3) fails on others in the argument of a macro.

@Model("author") struct RuleAuthor: Hashable {
    var id: Int
    /// Many to many, ordered on this side.
    var books: [Reference<RuleBook>] = []
    /// One to many, to itself.
    @Relationship(inverse: \RuleAuthor.students) var mentor: Reference<RuleAuthor>?
    var students: [Reference<RuleAuthor>] = []
}

@Model("publisher") struct RulePublisher: Hashable {
    var id: Int
    @Relationship(deleteRule: .cascade) var books: [Reference<RuleBook>] = []
}

@Model("chapter") struct RuleChapter: Hashable {
    var id: Int
    var book: Reference<RuleBook>?
    var notes: [AnyReference] = []
    @Relationship(whenTargetDeleted: .cascade) var source: AnyReference?
}

@Model("cover") struct RuleCover: Hashable {
    var id: Int
    var book: Reference<RuleBook>?
    @Relationship(deleteRule: .deny, whenTargetDeleted: .noAction) var artist: Reference<RuleAuthor>?
}

/// Relationships that are their own inverses, which the macro cannot say: its argument would name what it is on.
struct RuleTag: Model, Hashable {
    var id: String
    /// Many to many, to itself.
    var kin: [Reference<RuleTag>]
    /// One to one, to itself.
    var twin: Reference<RuleTag>?

    static let schema = ModelSchema(
        "tag",
        fields: [
            FieldSchema("kin", \RuleTag.kin, relationship: RelationshipOptions(inverse: \RuleTag.kin)),
            FieldSchema("twin", \RuleTag.twin, relationship: RelationshipOptions(inverse: \RuleTag.twin)),
        ])

    init(from record: inout RecordDecoder) throws {
        kin = try record.decode()
        twin = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(kin)
        try record.encode(twin)
    }
}

@Model("book") struct RuleBook: Hashable {
    var id: Int
    @Relationship(inverse: \RuleAuthor.books) var authors: Set<Reference<RuleAuthor>> = []
    /// One to many, of which this side cannot be nil.
    @Relationship(inverse: \RulePublisher.books) var publisher: Reference<RulePublisher>
    @Relationship(deleteRule: .cascade, inverse: \RuleChapter.book) var chapters: [Reference<RuleChapter>] = []
    /// Owned too, so that a chapter may have two owners.
    @Relationship(deleteRule: .cascade) var appendix: Reference<RuleChapter>?
    @Relationship(deleteRule: .cascadeWhenUnreferenced) var tags: [String: Reference<RuleTag>] = [:]
    /// One to one.
    @Relationship(inverse: \RuleCover.book) var cover: Reference<RuleCover>?
}

@Model("review") struct RuleReview: Hashable {
    var id: Int
    @Relationship(whenTargetDeleted: .cascade) var book: Reference<RuleBook>?
    @Relationship(whenTargetDeleted: .deny) var mentions: [Reference<RuleBook>] = []
    @Relationship(deleteRule: .noAction) var critics: Set<AnyReference> = []
}

@Model("folder") struct RuleFolder: Hashable {
    var id: Int
    @Relationship(deleteRule: .cascade) var items: [AnyReference] = []
    @Relationship(deleteRule: .noAction, inverse: \RuleFolder.children) var parent: Reference<RuleFolder>?
    @Relationship(deleteRule: .cascadeWhenUnreferenced) var children: [Reference<RuleFolder>] = []
}
