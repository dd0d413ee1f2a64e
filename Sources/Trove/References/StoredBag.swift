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

/// What an open store knows of bags before it has any.
///
/// The layout of bags has a number of Trove's own, the same in every store. So bags can be read, written and indexed as soon as another
/// program has made the first, and a store without bags has nothing of them: neither layout, nor keyspace, nor indexes.
struct BagModel: Sendable {
    let binding: ModelBinding
    /// What points from bags to their members.
    let members: RelationshipBinding
    let indexes: [IndexDeclaration]

    init() throws {
        let schema = StoredBag.schema
        let layout = RecordLayout(
            number: RecordLayout.bagNumber, modelName: schema.name, version: schema.version, fields: schema.fields.map { ($0.name, $0.type) })
        binding = try ModelBinding(StoredBag.self, layout: layout)
        let table = try RelationshipTable([StoredBag.self], [ObjectIdentifier(StoredBag.self): binding])
        members = table.all[0]
        indexes = try IndexDeclaration.all(of: StoredBag.self, binding, table.all.map(\.index))
    }

    /// Writes into a store's catalogue what its first bag needs.
    func register(_ writer: any StorageWriter) throws {
        try Catalogue.write(
            LayoutEntry(binding.layout, id: IDSchema(StoredBag.ID.self), attributes: binding.attributes([members]), hasCustomDeleteRule: false), writer)
        try IndexDirectory.change(writer) { directory, entries in
            try IndexRegistration.register([(binding, indexes)], writer, &directory, &entries)
        }
    }
}
