extension StorageStatistics: JSONRepresentable {
    /// The figures as JSON; the engine's own have the engine's names.
    public func jsonValue() throws -> StoredValue {
        var values: [String: StoredValue] = [
            "fileSize": .number(fileSize), "freeSize": .number(freeSize), "keyspaceCount": .number(keyspaceCount), "activeReaders": .number(activeReaders),
            "engineFigures": .object(engineFigures.mapValues { .number($0) }),
        ]
        if let oldestReaderAge { values["oldestReaderAge"] = .duration(oldestReaderAge) }
        return .object(values)
    }
}

extension IndexStatistics: JSONRepresentable {
    /// The index as JSON: its model, declaration, state and figures.
    public func jsonValue() throws -> StoredValue {
        let stateName =
            switch state {
            case .building: "building"
            case .ready: "ready"
            case .dropping: "dropping"
            }
        var values: [String: StoredValue] = [
            "model": .string(model), "index": try schema.jsonValue(), "declared": .bool(isDeclared), "state": .string(stateName),
            "entries": .number(entries), "bytes": .number(bytes), "uses": .number(uses),
        ]
        if let distinctValues { values["distinctValues"] = .number(distinctValues) }
        return .object(values)
    }
}

extension StorageStatistics: CustomStringConvertible {
    /// The sizes and counts in one line: `4096 bytes, 1024 of them free, 3 keyspaces, 0 readers`.
    public var description: String {
        let age = oldestReaderAge.map { ", the oldest for \($0)" } ?? ""
        let own = engineFigures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return (["\(fileSize) bytes, \(freeSize) of them free, \(keyspaceCount) \(keyspaceCount == 1 ? "keyspace" : "keyspaces"), \(activeReaders) \(activeReaders == 1 ? "reader" : "readers")\(age)"] + own)
            .joined(separator: ", ")
    }
}
