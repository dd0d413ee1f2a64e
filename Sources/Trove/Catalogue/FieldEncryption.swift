/// Which fields of a model's records are encrypted: as the program declares its properties, and as the catalogue has those of the programs before it.
///
/// A property goes by its name and by those that it was renamed from. A field of one that the program declares is encrypted when it is declared so; another
/// field, when the catalogue says so of any layout. A closed property's field is encrypted whatever anybody declares.
struct FieldEncryption: Sendable {
    /// A property that the program declares.
    private struct Property {
        let field: FieldSchema
        /// Its name, and those that it had.
        let names: Set<String>
    }

    private let modelName: String
    private let properties: [Property]
    /// The names of the fields that are encrypted, closed ones apart.
    private let encrypted: Set<String>
    /// The names of the fields that the catalogue has as encrypted.
    private let stored: Set<String>

    /// - Parameters:
    ///   - schema: how the program declares the model; nil when it does not have it.
    ///   - entries: what the catalogue says of layouts; those of other models are passed over.
    init(_ schema: ModelSchema?, of modelName: String, _ entries: [LayoutEntry]) {
        let entries = entries.filter { $0.layout.modelName == modelName }
        var originals: [String: Set<String>] = [:]
        for entry in entries {
            for (field, attributes) in zip(entry.layout.fields, entry.attributes) {
                if let original = attributes.originalName { originals[field.name, default: []].insert(original) }
            }
        }
        /// A name, and those that fields were renamed from to have it.
        func withOriginals(_ name: String) -> Set<String> {
            var (found, left): (Set<String>, [String]) = ([], [name])
            while let next = left.popLast() {
                if found.insert(next).inserted { left += originals[next] ?? [] }
            }
            return found
        }
        let properties = (schema?.fields ?? []).map { Property(field: $0, names: ($0.originalName.map(withOriginals) ?? []).union([$0.name])) }
        let current = entries.filter { !$0.isRetired }
        let stored = Set(current.flatMap(\.encryptedFields).flatMap(withOriginals))
        let declared = Set(properties.filter(\.field.isEncrypted).flatMap(\.names))
        let plain = Set(properties.filter { !$0.field.isEncrypted }.flatMap(\.names))
        (self.modelName, self.properties, self.stored) = (modelName, properties, stored)
        encrypted = declared.union(stored.subtracting(plain))
    }

    /// Those of all models that the catalogue has encrypted fields of, by the models' names.
    static func all(in entries: [LayoutEntry], declared: [String: ModelSchema]) -> [String: FieldEncryption] {
        let names = Set(entries.lazy.filter { !$0.encryptedFields.isEmpty }.map(\.layout.modelName))
        return Dictionary(uniqueKeysWithValues: names.map { ($0, FieldEncryption(declared[$0], of: $0, entries)) })
    }

    // MARK: Fields

    /// The positions of the fields of a layout whose values are stored encrypted.
    ///
    /// - Parameter closed: the properties, as `Model.property`, in which a value in the clear is refused.
    func positions(in layout: RecordLayout, closed: Set<String> = []) -> [Int] {
        positions(in: layout, encrypted.union(closedNames(closed)), closed)
    }

    /// The positions of those in which a value in the clear is refused.
    func closedPositions(in layout: RecordLayout, closed: Set<String>) -> [Int] {
        closed.isEmpty ? [] : positions(in: layout, closedNames(closed), closed)
    }

    private func positions(in layout: RecordLayout, _ names: Set<String>, _ closed: Set<String>) -> [Int] {
        // Documents that a model has adopted have all properties in one field.
        let document = names.isEmpty ? nil : layout.documentPosition
        return layout.fields.indices.filter { position in
            let name = layout.fields[position].name
            return names.contains(name) || position == document || isClosed(name, closed)
        }
    }

    /// The names of the encrypted properties that the field at one of the ``positions(in:closed:)`` has the values of.
    func properties(at position: Int, in layout: RecordLayout, closed: Set<String> = []) -> [String] {
        guard position == layout.documentPosition else { return [layout.fields[position].name] }
        let names = encrypted.union(closedNames(closed))
        let declared = properties.map(\.field.name).filter(names.contains)
        return declared + names.subtracting(properties.flatMap(\.names)).sorted()
    }

    // MARK: Declarations

    /// A property that the program declares in the clear though it is closed, or, for a program without keys, though the catalogue has it as encrypted.
    ///
    /// - Parameter closed: the closed properties; nil when the program has no keys.
    func declaredInTheClear(closed: Set<String>?) -> FieldSchema? {
        let names = closed.map(closedNames) ?? stored
        return properties.first { !$0.field.isEncrypted && !$0.names.isDisjoint(with: names) }?.field
    }

    /// The model as the program has to treat it: its closed properties are encrypted ones.
    func schema(_ schema: ModelSchema, closed: Set<String>) -> ModelSchema {
        let names = closedNames(closed)
        if names.isEmpty { return schema }
        return ModelSchema(
            schema.name, version: schema.version, identity: schema.identity,
            fields: zip(schema.fields, properties).map { $1.names.isDisjoint(with: names) ? $0 : $0.encrypted })
    }

    // MARK: Closed properties

    /// All names of the properties that are closed under one of them.
    private func closedNames(_ closed: Set<String>) -> Set<String> {
        if closed.isEmpty { return [] }
        let names = properties.lazy.map(\.names).filter { $0.contains { isClosed($0, closed) } }
        return names.reduce(into: stored.filter { isClosed($0, closed) }) { $0.formUnion($1) }
    }

    private func isClosed(_ name: String, _ closed: Set<String>) -> Bool { !closed.isEmpty && closed.contains("\(modelName).\(name)") }
}
