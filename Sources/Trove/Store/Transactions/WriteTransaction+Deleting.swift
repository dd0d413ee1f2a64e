extension WriteTransaction {
    /// Removes an object; returns whether it was there.
    @discardableResult
    public func delete<Object: Model>(_ object: Object) throws -> Bool {
        try delete(Object.self, id: object.id)
    }

    /// Removes the object with this id; returns whether there was one.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, id: Object.ID) throws -> Bool {
        let writer = try writer
        let model = try open(type)
        guard let keyspace = model.keyspace else { return false }
        let key = RecordKey(id.keyBytes)
        // A shortened key may be another id's.
        if key.long != nil, try !contains(type, id: id) { return false }
        guard let indexes = model.indexes else { return try writer.delete(key.bytes, in: keyspace) }
        return try key.bytes.withUnsafeBytes { try indexes.delete($0, in: keyspace) }
    }

    /// Removes the objects with these ids; returns how many there were.
    @discardableResult
    public func delete<Object: Model>(_ type: Object.Type, ids: some Sequence<Object.ID>) throws -> Int {
        var count = 0
        try batch {
            for id in ids where try delete(type, id: id) { count += 1 }
        }
        return count
    }

    /// Removes all objects of a type; returns how many there were.
    @discardableResult
    public func deleteAll<Object: Model>(_ type: Object.Type) throws -> Int {
        let writer = try writer
        let model = try open(type)
        guard let keyspace = model.keyspace else { return 0 }
        if let indexes = model.indexes { return try indexes.deleteAll(in: keyspace) }
        return try writer.deleteRange(.all, in: keyspace)
    }

    /// Removes records of several models; returns how many there were.
    func deleteTogether(_ groups: [(modelName: String, keys: KeyList)]) throws -> Int {
        var count = 0
        for group in groups {
            try group.keys.forEach { key in
                if try deleteStoredRecord(of: group.modelName, key: [UInt8](copying: key)) { count += 1 }
                return .next
            }
        }
        return count
    }
}
