import Foundation

/// The record of a bag: its name and what is in it.
///
/// It is a model of Trove's own. No store is opened with it; ``BagModel`` says how it comes into a store that gets its first bag.
struct StoredBag: Model {
    var id: ObjectID
    /// No two bags have the same; nil for a bag without a name.
    var name: String?
    /// In the bag's order, each once.
    var members: [AnyReference]

    static let schema = ModelSchema(
        "\(Catalogue.reservedPrefix)bags",
        fields: [
            FieldSchema("name", \StoredBag.name),
            FieldSchema("members", \StoredBag.members, relationship: RelationshipOptions(whenTargetDeleted: .nullify)),
        ])

    static let indexes = [Index<StoredBag>(unique: [\.name])]

    init(id: ObjectID, name: String?, members: [AnyReference]) {
        self.id = id
        self.name = name
        self.members = members
    }

    init(from record: inout RecordDecoder) throws {
        name = try record.decode()
        members = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(name)
        try record.encode(members)
    }
}
