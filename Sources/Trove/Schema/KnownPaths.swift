import Synchronization

/// The paths of the properties that queries have named so far: to find one, key paths have to be compared, which takes longer than reading an object.
final class KnownPaths: Sendable {
    static let shared = KnownPaths()

    /// How many are kept; more than any program writes down.
    private static let maxCount = 4_096

    /// Unchecked: a key path never changes.
    private struct Known: @unchecked Sendable {
        /// Kept, so that no other key path gets its identity.
        let keyPath: AnyKeyPath
        let path: FieldPath
        /// The number of the field; nil of the id.
        let field: Int?
    }

    private let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// The path of a key path that was noted with this schema.
    func path(_ keyPath: AnyKeyPath, in schema: ModelSchema) -> FieldPath? {
        guard let known = known.withLock({ $0[ObjectIdentifier(keyPath)] }) else { return nil }
        guard let field = known.field else { return known.path }
        return field < schema.fields.count && schema.fields[field].name == known.path.field ? known.path : nil
    }

    /// Notes the path of a property of the model; not those that lead into nested values.
    func note(_ path: FieldPath, of keyPath: AnyKeyPath, in schema: ModelSchema) {
        guard path.names.isEmpty else { return }
        let field = path == .id ? nil : schema.fields.firstIndex { $0.name == path.field }
        let entry = Known(keyPath: keyPath, path: path, field: field)
        known.withLock { known in
            if known.count < Self.maxCount { known[ObjectIdentifier(entry.keyPath)] = entry }
        }
    }
}
