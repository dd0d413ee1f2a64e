/// The catalogue's entry about one index of the store.
struct IndexCatalogueEntry: Sendable, Hashable {
    /// The index's number in its store, which names its keyspaces. Numbers are not used again.
    let number: Int
    /// The name of the model.
    let typeName: String
    /// The model's version when the index was made: a later one may read other values from the same records.
    let version: Int
    let schema: IndexSchema
    /// The stored types of the parts, the covered fields and the summed fields, in this order; `?` where only the values tell.
    let types: [String]
    var state: IndexState

    /// The names of all such entries begin so; the number follows in five digits.
    static let namePrefix = "index/"

    static func name(_ number: Int) -> String { namePrefix + digits(number) }

    /// The keyspace of the entries of the index with this number.
    static func keyspaceName(_ number: Int) -> String { "$index/" + digits(number) }

    /// The keyspace of its groups.
    static func groupsName(_ number: Int) -> String { keyspaceName(number) + "/groups" }

    /// The number of the index whose entries are in the keyspace of this name; nil when it is no such keyspace.
    static func number(ofKeyspace name: String) -> Int? {
        name.hasPrefix("$index/") ? Int(name.dropFirst("$index/".count).prefix { $0 != "/" }) : nil
    }

    private static func digits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }

    /// Whether an index declared so can take over what the store has.
    func fits(_ declaration: IndexDeclaration, version: Int) -> Bool {
        state != .dropping && schema == declaration.schema && types == declaration.types && self.version == version
    }
}
