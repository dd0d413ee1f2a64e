@_spi(FieldSealing) import Trove
import TroveStorage

/// How far a pass over the encrypted properties of a store has come; see `continueFieldKeyRotation(from:)` of a store.
public struct FieldRotationPlace: Sendable {
    let place: FieldSealingPlace?
    /// The data key that was the active one when the pass began; nil for a pass that is to begin.
    let key: UInt32?
    /// How often a pass was done once more though it had begun with the newest key.
    let restarts: Int
}

extension ObjectStore {
    /// Seals the values of all encrypted properties with a new data key, while the store is in use, and destroys the old one.
    ///
    /// ```swift
    /// try store.rotateFieldKey { count in print(count) }
    /// ```
    ///
    /// A rotation that was broken off is finished, and no new key is made. The old key is destroyed in the write transaction that counts all values and
    /// finds none that is sealed with it. Values that are not sealed yet are, too. Blind indexes stay as they are: their key is another one.
    ///
    /// - Parameters:
    ///   - stepSize: how many objects one write transaction rewrites at the most; 1 or more.
    ///   - progress: told after each step how many objects have been rewritten at the most; what it throws ends the rotation until the next call.
    /// - Throws: ``SealedStoreError/notSealed(_:)``; `corrupt` for a value that cannot be opened.
    public func rotateFieldKey(stepSize: Int = 1_000, _ progress: (_ objectCount: Int) throws -> Void = { _ in }) throws {
        if try StoreFieldKeys(self).keys().record.dataKeys.count == 1 { try beginFieldKeyRotation() }
        try resealFields(stepSize: stepSize, progress) { try continueFieldKeyRotation(from: $0, stepSize: stepSize) }
    }

    /// Makes a new data key, with which values are sealed from now on. What is sealed already stays so until
    /// ``continueFieldKeyRotation(from:stepSize:)``.
    ///
    /// - Throws: ``SealedStoreError/tooManyKeys(_:)`` when many rotations were begun and none finished; ``SealedStoreError/notSealed(_:)``.
    public func beginFieldKeyRotation() throws { try StoreFieldKeys(self).addDataKey() }

    /// Seals the values of some objects that are sealed with older data keys, or not yet, in one write transaction.
    ///
    /// - Parameters:
    ///   - place: what the step before returned; nil to go through the objects from the first on, as after a restart, which passes quickly over what is done.
    ///   - stepSize: how many objects are rewritten at the most; 1 or more.
    /// - Returns: where to go on; nil when nothing is sealed with an older key and the older keys are destroyed.
    public func continueFieldKeyRotation(from place: FieldRotationPlace? = nil, stepSize: Int = 1_000) throws -> FieldRotationPlace? {
        try stepOfResealing(from: place, stepSize: stepSize) { keeper, transaction in
            let counts = try transaction.sealedFieldCounts().sealed
            let (record, ring) = try keeper.keys(transaction)
            let old = record.dataKeys.map(\.number).filter { $0 != ring.active }
            let left = counts.reduce(0) { $0 + ($1.key == ring.active ? 0 : $1.value) }
            guard left == 0, !old.isEmpty else { return left }
            try keeper.changeRecord(in: transaction) { record, ring in
                record.dataKeys.removeAll { old.contains($0.number) }
                return ring.storeKey
            }
            return 0
        }
    }

    /// Seals what is left in plain in the encrypted properties of the store's models, and from then on refuses a plain value in them.
    ///
    /// What the store's history has of values of these models goes, which was kept before: it has only the ids of their changes from then on.
    ///
    /// It ends the adoption of a store whose objects were stored before their properties were encrypted: whoever can write the file could otherwise put a
    /// plain value in the place of a sealed one. Which properties are closed stands in the record of keys, which nobody without a key can change.
    ///
    /// - Parameters:
    ///   - stepSize: how many objects one write transaction rewrites at the most; 1 or more.
    ///   - progress: told after each step how many objects have been rewritten at the most; what it throws ends the work until the next call.
    /// - Throws: ``SealedStoreError/notSealed(_:)``; `corrupt` for a value that cannot be opened; `corruptHistory` when the history is damaged, which then keeps
    ///   its values until it is stopped and this is called again.
    public func closeEncryptedFields(stepSize: Int = 1_000, _ progress: (_ objectCount: Int) throws -> Void = { _ in }) throws {
        try resealFields(stepSize: stepSize, progress) { place in
            try stepOfResealing(from: place, stepSize: stepSize) { keeper, transaction in
                let plain = try transaction.sealedFieldCounts().plain
                let left = plain.values.reduce(0, +)
                let closed = Set(try keeper.keys(transaction).record.fields?.closed ?? [])
                guard left == 0, !closed.isSuperset(of: plain.keys) else { return left }
                try keeper.changeRecord(in: transaction) { record, ring in
                    record.fields?.close(plain.keys)
                    return ring.storeKey
                }
                return 0
            }
        }
        // Nobody writes plain values any more.
        try removeHistoryValuesOfEncryptedModels()
    }

    // MARK: Passes

    /// Takes steps until one of them says that the pass has ended.
    private func resealFields(stepSize: Int, _ progress: (Int) throws -> Void, _ step: (FieldRotationPlace?) throws -> FieldRotationPlace?) throws {
        var (place, count) = (nil as FieldRotationPlace?, 0)
        repeat {
            place = try step(place)
            count += min(stepSize, .max - count)
            try progress(count)
            if place != nil { try Interruption.check() }
        } while place != nil
    }

    /// Rewrites some objects; at the end of the pass calls `finish`, in a durable transaction of its own.
    ///
    /// - Parameter finish: does what the pass was for when nothing is left, and returns how many values are.
    private func stepOfResealing(
        from place: FieldRotationPlace?, stepSize: Int, finish: (StoreFieldKeys, WriteTransaction) throws -> Int
    ) throws -> FieldRotationPlace? {
        let keeper = try StoreFieldKeys(self)
        guard stepSize >= 1 else { throw StorageError.unsupported(keeper.place.details("stepSize is 1 or more, not \(stepSize)")) }
        let restarts = place?.restarts ?? 0
        // A power loss takes away the last commits and none before them, so what the last transaction says, which is durable, is true.
        let step = try write(.buffered) { transaction in
            (next: try transaction.resealFields(from: place?.place, limit: stepSize), key: try keeper.keys(transaction).ring.active)
        }
        let key = place?.key ?? step.key
        if let next = step.next { return FieldRotationPlace(place: next, key: key, restarts: restarts) }
        let end = try write(.durable) { transaction in (left: try finish(keeper, transaction), key: try keeper.keys(transaction).ring.active) }
        if end.left == 0 { return nil }
        // A pass that began before the newest key was made has left values behind it, and is done once more, however often somebody begins another rotation
        // meanwhile. One that began with it has passed over them.
        if end.key != key { return FieldRotationPlace(place: nil, key: nil, restarts: restarts) }
        guard restarts < 2 else { throw keeper.place.corrupt("\(end.left) values are counted that no pass over the objects has found") }
        return FieldRotationPlace(place: nil, key: nil, restarts: restarts + 1)
    }
}
