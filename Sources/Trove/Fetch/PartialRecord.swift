/// Some values of one stored object, by their paths.
///
/// It cannot be saved, so it can never replace the whole object with its parts.
public struct PartialRecord: Sendable, Hashable {
    /// The name of the model.
    public let modelName: String
    /// The id's ``StorableKey/keyBytes``.
    public let key: [UInt8]
    /// The paths that were asked for.
    public let paths: [FieldPath]
    /// The values in the order of the paths, `.null` where there is none.
    public let values: [StoredValue]
    /// The type of the id.
    let idClass: any StorableKey.Type

    /// The value of a path, `.null` when it is nil; nil when the path was not asked for.
    public subscript(path: String) -> StoredValue? {
        paths.firstIndex(of: FieldPath(path)).map { values[$0] }
    }

    /// The value of a path as a Swift type.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)`` when the path was not asked for;
    ///   ``TroveError/decodingFailed(model:field:id:reason:)`` when the value is not of this type, nor widens to it.
    public func value<Value: Storable>(of path: String, as type: Value.Type = Value.self) throws -> Value {
        guard let position = paths.firstIndex(of: FieldPath(path)) else {
            throw TroveError.unknownField(model: modelName, field: path, known: paths.map(\.description))
        }
        return try value(at: position)
    }

    private func value<Value: Storable>(at position: Int) throws -> Value {
        do {
            return try Value(_stored: values[position])
        } catch DecodingFault.unfit(let reason) {
            let id = RecordID.shown(key, as: idClass)
            throw TroveError.decodingFailed(model: modelName, field: paths[position].description, id: id, reason: reason)
        }
    }
}

extension PartialRecord {
    public static func == (left: PartialRecord, right: PartialRecord) -> Bool {
        left.key == right.key && left.modelName == right.modelName && left.paths == right.paths && left.values == right.values
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(modelName)
        hasher.combine(key)
        hasher.combine(paths)
        hasher.combine(values)
    }
}

extension Fetch {
    /// The values at some paths of the objects, as stored, in the query's order.
    ///
    /// ```swift
    /// let cities = try store.fetch(Person.self).partial("name", "address.city")
    /// let city = try cities[0].value(of: "address.city", as: String?.self)
    /// ```
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)``, ``TroveError/unknownPath(model:path:reason:)``; what ``all()`` throws.
    public func partial(_ paths: String...) throws -> [PartialRecord] {
        try partial(paths.map { FieldPath($0) })
    }

    /// The values at some paths of the objects, as stored, in the query's order.
    public func partial(_ paths: [FieldPath]) throws -> [PartialRecord] {
        try source.read(of: draft.reading(paths)) { transaction in try transaction.partialRecords(Object.self, draft, paths) }
    }
}

extension ReadTransaction {
    func partialRecords<Object: Model>(_ type: Object.Type, _ draft: QueryDraft, _ paths: [FieldPath]) throws -> [PartialRecord] {
        let rows = try FieldSelection(self, open(type, draft), draft, paths).rows()
        return (0..<rows.count).map { row in
            PartialRecord(modelName: draft.query.model, key: rows.key(of: row), paths: paths, values: Array(rows[row]), idClass: Object.ID.self)
        }
    }
}

extension Fetch where Source: AsyncObjectSource {
    /// The values at some paths of the objects, as stored, in the query's order.
    public func partial(_ paths: String...) async throws -> [PartialRecord] {
        try await partial(paths.map { FieldPath($0) })
    }

    /// The values at some paths of the objects, as stored, in the query's order.
    public func partial(_ paths: [FieldPath]) async throws -> [PartialRecord] {
        try await source._onReader { try self.partial(paths) }
    }
}
