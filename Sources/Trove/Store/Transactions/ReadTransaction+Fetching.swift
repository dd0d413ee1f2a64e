extension ReadTransaction {
    /// The object with this id; nil when there is none.
    ///
    /// - Throws: ``TroveError`` when the record is damaged or a value does not fit its property.
    public func fetch<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Object? {
        let binding = try core.binding(for: type)
        let reader = try reader
        guard let keyspace = try keyspace(of: binding) else { return nil }
        let key = RecordKey(id.keyBytes)
        var object: Object?
        _ = try reader.get(key.bytes.span.bytes, in: keyspace) { record in
            object = try decode(record, key: key.bytes.span.bytes, binding, matching: key.long)
        }
        return object
    }

    /// The objects with these ids, in the order of the ids; ids without an object are left out.
    ///
    /// All are asked for in one go, which on an engine across a network is one round trip.
    public func fetch<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> [Object] {
        let binding = try core.binding(for: type)
        let reader = try reader
        guard let keyspace = try keyspace(of: binding) else { return [] }
        let keys = ids.map { RecordKey($0.keyBytes) }
        var objects: [Object] = []
        objects.reserveCapacity(keys.count)
        try reader.getMany(keys.map(\.bytes), in: keyspace) { position, record in
            guard let record else { return }
            let key = keys[position]
            if let object: Object = try decode(record, key: key.bytes.span.bytes, binding, matching: key.long) {
                objects.append(object)
            }
        }
        return objects
    }

    /// Whether there is an object with this id.
    public func contains<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool {
        let key = RecordKey(id.keyBytes)
        if key.long != nil { return try fetch(type, id: id) != nil }
        let binding = try core.binding(for: type)
        let reader = try reader
        guard let keyspace = try keyspace(of: binding) else { return false }
        return try reader.contains(key.bytes, in: keyspace)
    }

    /// All objects of a type, to be read in one of several ways.
    public func fetch<Object: Model>(_ type: Object.Type) -> Fetch<Object, ReadTransaction> {
        Fetch(source: self)
    }
}

extension ReadTransaction: ObjectSource {
    /// Runs `body` on this same snapshot.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try body(self)
    }
}
