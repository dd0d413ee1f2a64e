import Trove
import TroveStoreTools

/// Attributes that no document of a collection has. To a store they are no mistake, since any document may get them; to a person who finds nothing they may be one.
enum UnknownAttributes {
    /// Tells on standard error which of some paths begin with a name that no document has, with the names that are near it. Of a model there are none: its names are checked.
    static func tell(_ paths: [FieldPath], of model: StoredModel, in transaction: ReadTransaction) throws {
        guard model.isCollection else { return }
        let documents = transaction.documents(model.name)
        // Without an index of all paths it would take a look at each document.
        guard try documents.indexing() == .all else { return }
        var told: Set<String> = []
        let unknown = try paths.map(\.field).filter { name in
            guard !name.isEmpty, !name.hasPrefix("$"), told.insert(name).inserted else { return false }
            return try !documents.fetch().where(.not(.isNil(FieldPath(field: name)))).exists()
        }
        if unknown.isEmpty { return }
        let known = try names(of: documents)
        for name in unknown { try Output.tell(CommandError.noSuchAttribute(name: name, collection: model.name, known: known)) }
    }

    /// The names that documents begin with; none where their index does not tell them.
    private static func names(of documents: Documents<ReadTransaction>) throws -> [String] {
        do {
            var names: [String] = []
            for attribute in try documents.attributes() {
                // The elements of a list are told as `tags[]`, which is no path.
                if case .name(let name)? = DocumentPath(attribute.path.replacing("[]", with: "")).steps.first, !names.contains(name) { names.append(name) }
            }
            return names
        } catch TroveError.invalidCollection {
            // The index is not ready.
            return []
        }
    }

    /// The paths in criteria text: of its conditions and of its order.
    static func paths(in criteria: String) throws -> [FieldPath] {
        let query = try Query("", criteria: criteria)
        var paths: [FieldPath] = []
        _ = query.filter.mapPaths { path in
            paths.append(path)
            return path
        }
        return paths + query.sort.map(\.path)
    }
}
