import Trove

/// What rows become.
extension ImportRun {
    /// The object that a row becomes.
    ///
    /// - Parameter refer: called with each reference, and the id that it leads to.
    /// - Throws: ``ImportError/invalidOption(reason:)`` when ``ImportOptions/names`` give one name to two attributes.
    func content(of row: SourceRow, _ refer: (SourceReference, ObjectID) -> Void) throws -> StoredValue {
        let names = options.names.isEmpty ? nil : options.names[row.collection]
        switch row.content {
        case .values(let fields):
            guard let names else { return .object(fields) }
            return .object(try Self.renamed(fields.map { ($0.key, $0.value) }, names, row.collection))
        case .attributes(let attributes):
            guard let names else { return .object(attributes.mapValues { stored($0, refer) }) }
            return .object(try Self.renamed(attributes.map { ($0.key, $0.value) }, names, row.collection).mapValues { stored($0, refer) })
        }
    }

    /// Attributes under other names, without those that are left out.
    private static func renamed<Value>(_ attributes: [(name: String, value: Value)], _ names: [String: String], _ collection: String) throws -> [String: Value]
    {
        var renamed = [String: Value](minimumCapacity: attributes.count)
        for (name, value) in attributes {
            let newName = names[name] ?? name
            if newName.isEmpty { continue }
            guard renamed.updateValue(value, forKey: newName) == nil else {
                throw ImportError.invalidOption(
                    reason:
                        "two attributes of '\(collection)' would have the name '\(newName)'; give one of them another name, or the empty one to leave it out")
            }
        }
        return renamed
    }

    /// The id that an object has for one that it refers to: a model's where the collection has the name of what numbers its rows.
    func storedID(of reference: SourceReference) -> StoredValue { storedID(of: reference, reference.objectID) }

    private func storedID(of reference: SourceReference, _ id: ObjectID) -> StoredValue { models[reference.space]?.idValue(reference) ?? .objectID(id) }

    private func stored(_ value: SourceValue, _ refer: (SourceReference, ObjectID) -> Void) -> StoredValue {
        func id(_ reference: SourceReference) -> StoredValue {
            let id = reference.objectID
            refer(reference, id)
            return storedID(of: reference, id)
        }
        return switch value {
        case .plain(let value): value
        case .reference(let reference): id(reference)
        case .references(let references): .array(references.map(id))
        case .named(let references): .object(references.mapValues(id))
        case .list(let values): .array(values.map { stored($0, refer) })
        case .members(let values): .object(values.mapValues { stored($0, refer) })
        }
    }
}
