/// A value that is made of an object, has a name in queries and can be indexed.
struct DerivedValue<Object: Model>: Sendable {
    let name: String
    let version: Int
    /// The type of the value.
    let type: FieldType
    /// Appends the value in the nested encoding.
    let encode: @Sendable (Object, inout ByteWriter) throws -> Void
}
