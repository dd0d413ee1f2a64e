import Trove

extension RuleOracle {
    /// The oracle of `RuleModels.swift`; the fields of each model in their order.
    static var models: RuleOracle {
        func rule(
            _ model: String, _ name: String, _ shape: RelationshipShape, _ target: String?, _ rule: DeleteRule = .nullify,
            _ targetRule: TargetDeleteRule = .nullify, inverse: (String, String)? = nil
        ) -> Rule {
            Rule(
                field: Field(model: model, name: name), shape: shape, target: target, rule: rule, targetRule: targetRule,
                inverse: inverse.map { Field(model: $0.0, name: $0.1) })
        }
        return RuleOracle([
            rule("author", "books", .ordered, "book", inverse: ("book", "authors")),
            rule("author", "mentor", .optionalOne, "author", inverse: ("author", "students")),
            rule("author", "students", .ordered, "author", inverse: ("author", "mentor")),
            rule("book", "authors", .set, "author", inverse: ("author", "books")),
            rule("book", "publisher", .requiredOne, "publisher", .nullify, .deny, inverse: ("publisher", "books")),
            rule("book", "chapters", .ordered, "chapter", .cascade, inverse: ("chapter", "book")),
            rule("book", "appendix", .optionalOne, "chapter", .cascade),
            rule("book", "tags", .keyed, "tag", .cascadeWhenUnreferenced),
            rule("book", "cover", .optionalOne, "cover", inverse: ("cover", "book")),
            rule("publisher", "books", .ordered, "book", .cascade, inverse: ("book", "publisher")),
            rule("chapter", "book", .optionalOne, "book", inverse: ("book", "chapters")),
            rule("chapter", "notes", .ordered, nil),
            rule("chapter", "source", .optionalOne, nil, .nullify, .cascade),
            rule("tag", "kin", .ordered, "tag", inverse: ("tag", "kin")),
            rule("tag", "twin", .optionalOne, "tag", inverse: ("tag", "twin")),
            rule("cover", "book", .optionalOne, "book", inverse: ("book", "cover")),
            rule("cover", "artist", .optionalOne, "author", .deny, .noAction),
            rule("review", "book", .optionalOne, "book", .nullify, .cascade),
            rule("review", "mentions", .ordered, "book", .nullify, .deny),
            rule("review", "critics", .set, nil, .noAction),
            rule("folder", "items", .ordered, nil, .cascade),
            rule("folder", "parent", .optionalOne, "folder", .noAction, inverse: ("folder", "children")),
            rule("folder", "children", .ordered, "folder", .cascadeWhenUnreferenced, inverse: ("folder", "parent")),
        ])
    }
}
