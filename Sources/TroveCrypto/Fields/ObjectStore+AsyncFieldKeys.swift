import Trove

/// The asynchronous twins run on the store's maintenance thread, after what waits there: a passphrase takes what it costs, and what goes through all objects
/// takes its time. A task that is cancelled meanwhile ends what goes through the objects after the step that it is in; the next call goes on.
extension ObjectStore {
    /// Lets one more key open the encrypted properties; see ``addFieldKey(_:)``.
    public func addFieldKey(_ key: StoreKey) async throws { try await maintain { try self.addFieldKey(key) } }

    /// Shuts a key out; see ``removeFieldKey(_:)``.
    public func removeFieldKey(_ key: StoreKey) async throws { try await maintain { try self.removeFieldKey(key) } }

    /// Makes `key` the only key that opens the encrypted properties; see ``changeFieldKey(to:)``.
    public func changeFieldKey(to key: StoreKey) async throws { try await maintain { try self.changeFieldKey(to: key) } }

    /// What the encrypted properties are sealed with, also while they are sealed anew; see ``fieldSealingStatus()``.
    public func fieldSealingStatus() async throws -> FieldSealingStatus {
        let keeper = try StoreFieldKeys(self)
        return try await read { try $0.sealingStatus(keeper) }
    }

    /// Seals the values of all encrypted properties with a new data key; see ``rotateFieldKey(stepSize:_:)``.
    ///
    /// - Parameter progress: told on the thread of the work.
    public func rotateFieldKey(stepSize: Int = 1_000, _ progress: @escaping @Sendable (_ objectCount: Int) throws -> Void = { _ in }) async throws {
        try await maintain { try self.rotateFieldKey(stepSize: stepSize, progress) }
    }

    /// Makes a new data key, with which values are sealed from now on; see ``beginFieldKeyRotation()``.
    public func beginFieldKeyRotation() async throws { try await maintain { try self.beginFieldKeyRotation() } }

    /// Seals the values of some objects that are sealed with older data keys; see ``continueFieldKeyRotation(from:stepSize:)``.
    public func continueFieldKeyRotation(from place: FieldRotationPlace? = nil, stepSize: Int = 1_000) async throws -> FieldRotationPlace? {
        try await maintain { try self.continueFieldKeyRotation(from: place, stepSize: stepSize) }
    }

    /// Seals what is left in plain, and from then on refuses a plain value; see ``closeEncryptedFields(stepSize:_:)``.
    ///
    /// - Parameter progress: told on the thread of the work.
    public func closeEncryptedFields(stepSize: Int = 1_000, _ progress: @escaping @Sendable (_ objectCount: Int) throws -> Void = { _ in }) async throws {
        try await maintain { try self.closeEncryptedFields(stepSize: stepSize, progress) }
    }
}
