/// An item whose coding the compiler writes.
struct CodableItem: GRDBItem, Codable {
    let id: Int64
    let title: String
    var seconds: Int
}
