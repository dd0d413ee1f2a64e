extension Index {
    /// The index as the catalogue keeps it.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)``.
    func schema() throws -> IndexSchema {
        let parts = try keys.map { IndexPart(try $0.path(), $0.direction, ignoringCase: $0.ignoringCase) }
        return IndexSchema(
            name, kind: kind, parts: parts, covered: try covered.map { try Object.path($0) },
            aggregates: try aggregates.map { aggregate in
                switch aggregate {
                case .count: .count
                case .sum(let property): .sum(try Object.path(property))
                }
            }, derivedVersion: derived?.version)
    }
}

extension Index {
    /// The index as the catalogue keeps it.
    ///
    /// - Throws: ``TroveError/invalidIndex(model:index:reason:)``.
    func checkedSchema() throws -> IndexSchema {
        do {
            return try schema()
        } catch {
            throw TroveError.invalidIndex(model: Object.schema.name, index: name ?? "?", reason: "\(error)")
        }
    }
}

extension IndexKey where Object: Model {
    fileprivate func path() throws -> FieldPath {
        switch source {
        case .property(let keyPath): try Object.path(keyPath)
        case .path(let path): path
        case .derived(let name): FieldPath(field: name)
        }
    }
}

/// A value that is made of an object, has a name in queries and can be indexed.
struct DerivedValue<Object: Model>: Sendable {
    let name: String
    let version: Int
    /// The type of the value.
    let type: FieldType
    /// Appends the value in the nested encoding.
    let encode: @Sendable (Object, inout ByteWriter) throws -> Void
}
