extension WriteTransaction {
    /// Removes an object; returns whether it was there.
    @discardableResult
    public func delete<Object: Model>(_ object: Object) throws -> Bool {
        try delete(Object.self, id: object.id)
    }

    /// Removes the object with this id; returns whether there was one.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool {
        let binding = try core.binding(for: type)
        let writer = try writer
        guard let keyspace = try keyspace(of: binding) else { return false }
        let key = RecordKey(id.keyBytes)
        if key.long != nil, try fetch(type, id: id) == nil { return false }
        return try writer.delete(key.bytes.span.bytes, in: keyspace)
    }

    /// Removes the objects with these ids; returns how many there were.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> Int {
        try change {
            try ids.reduce(0) { try $0 + (delete(type, id: $1) ? 1 : 0) }
        }
    }

    /// Removes all objects of a type; returns how many there were.
    @discardableResult
    public func deleteAll<Object: Model>(_ type: Object.Type) throws -> Int {
        let binding = try core.binding(for: type)
        let writer = try writer
        guard let keyspace = try keyspace(of: binding) else { return 0 }
        return try writer.deleteRange(.all, in: keyspace)
    }
}
