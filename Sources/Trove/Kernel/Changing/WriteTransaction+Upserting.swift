/// The outcome of an upsert; see ``WriteTransaction/upsert(_:)-(Object)``.
public enum UpsertOutcome: Sendable, Hashable {
    /// The store had no object with the id.
    case inserted
    /// The stored object was replaced.
    case updated
    /// The stored object was the same, and nothing was written.
    case unchanged
}

extension WriteTransaction {
    /// Stores an object, replaces one with the same id, and returns the outcome. One that is stored just so is not written again.
    ///
    /// ```swift
    /// let outcome = try transaction.upsert(song)
    /// counts[outcome, default: 0] += 1
    /// ```
    ///
    /// - Throws: ``TroveError`` when a value cannot be stored; then nothing is changed.
    @inlinable
    public func upsert<Object: Model>(_ object: Object) throws -> UpsertOutcome {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        try encode(object, model, &buffer)
        if needsStored(model, buffer) { try merge(object, model, &buffer) }
        let outcome = try outcome(of: buffer, model)
        if outcome != .unchanged { try upsert(buffer, model) }
        return outcome
    }

    /// What storing a record would do.
    @usableFromInline func outcome(of buffer: borrowing RecordBuffer, _ model: OpenModel) throws -> UpsertOutcome {
        guard let keyspace = model.keyspace else { return .inserted }
        var outcome = UpsertOutcome.inserted
        try buffer.withBytes { key, record in
            _ = try reader.get(key, in: keyspace) { stored in
                outcome = [UInt8](copying: stored) == [UInt8](copying: record) ? .unchanged : .updated
            }
        }
        return outcome
    }
}
