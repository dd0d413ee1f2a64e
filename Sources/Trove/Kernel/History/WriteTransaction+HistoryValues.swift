extension WriteTransaction {
    /// How many chunks are written anew at once.
    private static let chunkCount = 500

    /// Leaves in the history of some models only which objects were changed; one batch of it.
    ///
    /// - Parameter start: where the batch before ended; nil for the first.
    /// - Returns: where this one ended; nil when nothing is left.
    func removeHistoryValues(of modelNames: Set<String>, after start: [UInt8]?) throws -> [UInt8]? {
        let writer = try writer
        guard let keyspace = try writer.keyspace(named: HistorySpace.keyspaceName) else { return nil }
        var (chunks, last) = ([] as [(key: [UInt8], value: [UInt8])], nil as [UInt8]?)
        var count = 0
        try writer.scan(.after(start ?? HistorySpace.trimmedKey), in: keyspace) { key, value in
            let key = [UInt8](copying: key)
            let number = HistorySpace.parts(key.span.bytes)?.number ?? 0
            let chunk = try HistoryChunk.decode(value, key: key, of: number)
            if chunk.changes.contains(where: { modelNames.contains($0.modelName) && ($0.old != nil || $0.new != nil) }) {
                chunks.append((key, chunk.withoutValues(of: modelNames).sealed(with: key)))
            }
            count += 1
            guard count == Self.chunkCount else { return .next }
            last = key
            return .stop
        }
        try change { for (key, value) in chunks { try writer.put(key, value, in: keyspace) } }
        return last
    }
}
