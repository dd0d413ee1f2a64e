/// What a store needs to know of a model: its name, version and stored fields in order.
public struct ModelSchema: Sendable, Hashable {
    /// The name under which the model's records are stored.
    public let name: String
    /// The model's version; a higher one than the stored records' makes them go through `upgrade(from:)`.
    public let version: Int
    /// The stored fields, in the order in which the model encodes and decodes them. The id is not one of them.
    public let fields: [FieldSchema]

    public init(_ name: String, version: Int = 1, fields: [FieldSchema]) {
        self.name = name
        self.version = version
        self.fields = fields
    }
}
