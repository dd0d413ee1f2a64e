import Foundation

@testable import Trove

/// A model whose indexes a test chooses: each of these types is the same model to the store, as programs of different versions are.
protocol PersonModel: Model, Equatable where ID == Int {
    init(id: Int, email: String?, name: String, team: String)
    var email: String? { get set }
    var name: String { get set }
    var team: String { get set }
}

extension PersonModel {
    static func fields(version: Int = 1) -> ModelSchema {
        ModelSchema("Person", version: version, fields: [
            FieldSchema("email", type: .optional(.string)), FieldSchema("name", type: .string), FieldSchema("team", type: .string),
        ])
    }

    init(from record: inout RecordDecoder) throws {
        let (email, name, team): (String?, String, String) = (try record.decode(), try record.decode(), try record.decode())
        self.init(id: try record.decodeID(), email: email, name: name, team: team)
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(email)
        try record.encode(name)
        try record.encode(team)
    }
}

/// With a unique index and an ordinary one.
struct Person: PersonModel {
    var id: Int
    var email: String?
    var name: String
    var team: String
    static let schema = fields()
    static let indexes = [
        Index<Person>([.path("email")], unique: true, name: "email"), Index<Person>([.path("name")], name: "name"),
    ]
}

extension PersonModel {
    static func sample(_ number: Int) -> Self {
        Self(id: number, email: "\(number)@example.org", name: "name \(number % 10)", team: "team \(number % 3)")
    }
}
