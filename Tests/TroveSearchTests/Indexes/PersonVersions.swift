@testable import TestModels
@testable import Trove

/// Without indexes.
struct PlainPerson: PersonModel {
    var id: Int
    var email: String?
    var name: String
    var team: String
    static let schema = fields()
}

/// With one of the indexes of ``Person`` changed, one gone and one new, which is derived.
struct ChangedPerson: PersonModel {
    var id: Int
    var email: String?
    var name: String
    var team: String
    static let schema = fields()
    static let indexes = [
        Index<ChangedPerson>([.path("name", .descending)], name: "name"),
        Index<ChangedPerson>(derived: "initial", version: 1) { String($0.name.prefix(1)) },
    ]
}

/// With the derived value of another version.
struct RevisedPerson: PersonModel {
    var id: Int
    var email: String?
    var name: String
    var team: String
    static let schema = fields()
    static let indexes = [
        Index<RevisedPerson>([.path("name", .descending)], name: "name"),
        Index<RevisedPerson>(derived: "initial", version: 2) { String($0.name.suffix(1)) },
    ]
}

/// With a derived value whose function refuses an object while the task says so.
struct RefusingPerson: PersonModel {
    struct Refusal: Error {}
    @TaskLocal static var refused: Int?

    var id: Int
    var email: String?
    var name: String
    var team: String
    static let schema = fields()
    static let indexes = [
        Index<RefusingPerson>(derived: "initial", version: 1) {
            if $0.id == refused { throw Refusal() }
            return String($0.name.prefix(1))
        }
    ]
}

/// In a later version of the model, which reads other values from old records.
struct LaterPerson: PersonModel {
    var id: Int
    var email: String?
    var name: String
    var team: String
    static let schema = fields(version: 2)
    static let indexes = [Index<LaterPerson>([.path("name")], name: "name")]

    mutating func upgrade(from old: StoredRecord) throws { name = "later " + name }
}
