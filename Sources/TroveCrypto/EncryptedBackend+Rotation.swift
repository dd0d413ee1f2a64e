import TroveStorage

extension EncryptedBackend {
    /// Seals everything with a new data key, while the store is in use, and destroys the old one.
    ///
    /// When it has ended, who had the old data key can neither read what is sealed then, nor forge. Against one who may have kept the store's own key,
    /// too, call ``changeKey(to:)`` first, which replaces that one.
    ///
    /// A rotation that was broken off is finished, and no new key is made. How far it has come stands in the store: each commit keeps the number of values for
    /// each key, so that a key is destroyed when nothing is sealed with it, which is counted and not believed. Backups keep the keys that they were made with.
    ///
    /// - Parameters:
    ///   - stepSize: about how many nodes and large values one write transaction seals anew; 1 or more.
    ///   - progress: told after each step how many values are left; what it throws ends the rotation until the next call.
    /// - Throws: what ``beginRotation()`` and ``continueRotation(stepSize:)`` throw; what `progress` throws.
    public func rotateDataKey(stepSize: Int = 1_000, _ progress: (_ remaining: Int) throws -> Void = { _ in }) throws {
        if try sealingStatus().dataKeys.count == 1 { try beginRotation() }
        while true {
            let remaining = try continueRotation(stepSize: stepSize)
            try progress(remaining)
            if remaining == 0 { return }
        }
    }

    /// Makes a new data key, with which all is sealed from now on. What is sealed already stays so until ``continueRotation(stepSize:)``.
    ///
    /// - Throws: ``SealedStoreError/tooManyKeys(_:)`` when many rotations were begun and none finished; what a write throws.
    public func beginRotation() throws { try addDataKey() }

    /// Seals some of what is sealed with older data keys anew, in one durable write transaction; returns how many values are left.
    ///
    /// 0 means that nothing is sealed with an older key and that the older keys are destroyed. It may be called at any
    /// time, by any process that has the store open.
    ///
    /// - Throws: ``StorageError/unsupported(_:)`` when `stepSize` is below 1; ``StorageError/corrupt(_:)`` for a value that cannot be opened; what a write
    ///   throws.
    @discardableResult
    public func continueRotation(stepSize: Int = 1_000) throws -> Int {
        guard stepSize >= 1 else {
            throw StorageError.unsupported(engine.place.details("stepSize is 1 or more, not \(stepSize)"))
        }
        var before: Snapshot?
        let committed = try change(.durable) { writer in
            before = writer.source.snapshot
            try writer.renew(count: stepSize)
            return nil
        }
        guard let snapshot = committed ?? before else { throw wrapped.bodyDidNotRun }
        let remaining = snapshot.root.outdatedCount(active: snapshot.ring.active)
        // Whoever goes on until nothing is left would go on for ever.
        guard remaining == 0 || committed != nil else { throw engine.place.corrupt("\(remaining) values of older data keys are counted that are not there") }
        if remaining == 0, snapshot.ring.keys.count > 1 { try retireDataKeys() }
        return remaining
    }

    /// Destroys the data keys with which nothing is sealed in the state that the transaction begins with.
    private func retireDataKeys() throws {
        try change(.durable) { writer in
            let counts = writer.source.snapshot.root.sealedCounts
            return try changeRecord(in: writer) { record, ring in
                record.dataKeys.removeAll { $0.number != ring.active && counts[$0.number, default: 0] == 0 }
                return ring.storeKey
            }
        }
    }
}
