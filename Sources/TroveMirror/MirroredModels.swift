import Trove

/// The models of a store that have files, and how their objects are grouped.
struct MirroredModels: Sendable {
    /// Where a model refers to what it owns: a property whose delete rule is cascade.
    struct Ownership {
        let property: String
        let target: String
    }

    /// The models and collections with files, ascending.
    let names: [String]
    /// The models that are not mirrored, since some of their properties are encrypted, ascending.
    let leftOut: [String]
    /// The collections of documents.
    let collections: Set<String>
    /// The folder of each model.
    let folders: [String: String]
    /// The type of the ids of each model.
    let idTypes: [String: String]
    /// What the objects of each model own, in the order of the properties.
    let ownerships: [String: [Ownership]]
    private let ids: [String: StoredIDs]

    init(_ transaction: ReadTransaction) throws {
        collections = Set(try transaction.collectionNames())
        let layouts = try transaction.layouts()
        let all = layouts.mirroredNames
        let encrypted = Set(layouts.filter { !$0.isRetired && !$0.encryptedFields.isEmpty }.map(\.modelName)).intersection(all)
        leftOut = encrypted.sorted()
        names = all.subtracting(encrypted).sorted()
        folders = FileName.folders(of: all)
        idTypes = Dictionary(layouts.filter { !$0.isRetired }.map { ($0.modelName, $0.idType) }) { _, last in last }
        ids = Dictionary(layouts.filter { !$0.isRetired }.map { ($0.modelName, $0.ids) }) { _, last in last }
        var ownerships: [String: [Ownership]] = [:]
        for layout in layouts where !layout.isRetired { ownerships[layout.modelName, default: []] += try Self.ownerships(of: layout) }
        self.ownerships = ownerships.mapValues { $0.sorted { $0.property < $1.property } }
    }

    /// Whether a name is of a collection, or of nothing yet, which a document makes a collection.
    func isCollection(_ name: String) -> Bool { collections.contains(name) || !names.contains(name) && !leftOut.contains(name) }

    /// An id as the store writes it: in a file a text may stand for a UUID, and in another form it would be another object's.
    func asStored(_ id: StoredValue, of model: String) -> StoredValue {
        // What is no id of the model stays as it is, and is told when it is stored.
        guard let ids = ids[model], let key = ids.key(of: id), let stored = try? ids.value(of: key) else { return id }
        return stored
    }

    private static func ownerships(of layout: StoredLayout) throws -> [Ownership] {
        guard case .array(let fields)? = try layout.jsonValue().value(at: "fields") else { return [] }
        return fields.array.compactMap { field in
            guard field.value(at: "relationship.deleteRule") == .string("cascade"), case .string(let target)? = field.value(at: "relationship.target"),
                case .string(let name)? = field.value(at: "name")
            else { return nil }
            return Ownership(property: name, target: target)
        }
    }
}

extension Sequence<StoredLayout> {
    /// The names of the models that people made: those of the library itself begin with `$`.
    var mirroredNames: Set<String> { Set(lazy.filter { !$0.isRetired && !$0.modelName.hasPrefix("$") }.map(\.modelName)) }
}
