/// A new object that is compared with those that a context and its store have.
struct GivenObject<Object: LiveModel> {
    let object: Object
    let key: ObjectKey
    /// Its record in the current layout.
    let record: [UInt8]

    /// What one of its relationships points at.
    func targets(of field: Int) -> [AnyReference] { object.live.withLock { _ in object._$targets(of: field) } }
}

/// What a read has found of some new objects.
struct UniqueLookup<Object: LiveModel> {
    let indexes: [IndexBinding]
    /// What each of the new objects has in the indexes.
    var values: [[UniqueValue]] = []
    /// The records that have these values.
    var owners: [UniqueValue: ObjectKey] = [:]
    /// The objects of these records, and those with the ids of the new ones, which have to be kept meanwhile.
    var objects: [Object] = []

    /// Whether the other side of a relationship may change what an object has in the indexes.
    var followsRelationships: Bool {
        let relationships = Set(Object.schema.fields.lazy.filter { $0.relationship != nil }.map(\.name))
        return indexes.contains { index in index.fields.sources?.contains { relationships.contains($0.name) } ?? true }
    }
}

extension ReadTransaction {
    /// Looks up the ids and unique values of new objects, all of one index together.
    func lookUp<Object: LiveModel>(_ given: [GivenObject<Object>]) throws -> UniqueLookup<Object> {
        let model = try open(Object.self)
        var lookup = UniqueLookup<Object>(indexes: try uniqueIndexes(of: model.binding))
        let annexes = contextReading?.context.lazyValues(of: model.binding)
        lookup.values = try given.map { try model.binding.uniqueValues(of: $0.record, key: $0.key.bytes, lookup.indexes, annexes) }
        for index in lookup.indexes {
            let values = lookup.values.joined().filter { $0.index == index.number }
            try announce(values, in: index)
            for value in values where lookup.owners[value] == nil {
                guard let key = try owner(of: value, in: index) else { continue }
                lookup.owners[value] = ObjectKey(ObjectIdentifier(Object.self), try wholeKey(ofRecordUnder: key, foundBy: index, model))
            }
        }
        let keys = Set(lookup.owners.values).union(given.map(\.key))
        lookup.objects = try fetch(Object.self, ids: keys.map { try Object.ID(keyBytes: $0.bytes) })
        return lookup
    }
}

extension ModelBinding {
    /// What a record in the current layout has in some unique indexes.
    ///
    /// - Parameter annexes: where its lazy values are read from.
    func uniqueValues(of record: [UInt8], key: [UInt8], _ indexes: [IndexBinding], _ annexes: (any AnnexSource)?) throws -> [UniqueValue] {
        try RecordKey(key).bytes.withUnsafeBytes { key in
            do {
                return try record.withUnsafeBytes {
                    var view = try RecordView(trusting: $0, key: key, layout: layout)
                    view.annexes = annexes
                    return try withExtendedLifetime(annexes) { try indexes.flatMap { try $0.uniqueValues(of: view) } }
                }
            } catch {
                throw recordError(error, key: key)
            }
        }
    }
}
