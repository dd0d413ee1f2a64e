/// A group of rows of a source, which becomes a bag. Readers give bags behind all rows, so that what they contain is there.
struct SourceBag {
    /// The class that it has in the source.
    let className: String
    let id: SourceReference
    let name: String?
    /// In their order.
    let members: [SourceReference]
    /// Those of the members that are bags themselves.
    let bags: Set<SourceReference>
    /// About how many bytes it takes, once it was read ahead.
    var size = 0

    init(className: String, id: SourceReference, name: String?, members: [SourceReference], bags: Set<SourceReference>) {
        self.className = className
        self.id = id
        self.name = name
        self.members = members
        self.bags = bags
    }

    /// What is to be told of it.
    func fault(_ reason: String) -> ImportFault { Self.fault(className, key: id.key.description, name: name, reason) }

    static func fault(_ className: String, key: String, name: String?, _ reason: String) -> ImportFault {
        ImportFault(collection: className, place: (name.map { "the bag '\($0)', " } ?? "") + "the key \(key)", reason: reason)
    }
}
