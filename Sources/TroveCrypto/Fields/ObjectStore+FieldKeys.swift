@_spi(FieldSealing) import Trove

/// The keys of encrypted properties. The store has to be opened with ``FieldKeys``.
extension ObjectStore {
    /// Lets one more key open the encrypted properties. Nothing is rewritten but the record of keys.
    ///
    /// ```swift
    /// try store.addFieldKey(.passphrase("correct horse battery staple"))
    /// ```
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, also when a ``RootKeyProvider`` does not find the key that it has just made;
    ///   ``SealedStoreError/tooManyKeys(_:)``; ``SealedStoreError/notSealed(_:)`` when the store has no field keys.
    public func addFieldKey(_ key: StoreKey) throws { try StoreFieldKeys(self).addRootKey(key) }

    /// Shuts a key out: it opens the encrypted properties no longer.
    ///
    /// Whoever had the key and kept an earlier record of keys can still unwrap the data keys. Against such a person, call ``changeFieldKey(to:)``
    /// with a key that stays, then ``addFieldKey(_:)`` for the others, then
    /// ``rotateFieldKey(stepSize:_:)``.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)`` when the key does not open the properties; ``SealedStoreError/lastKey(_:)`` when no other one does;
    ///   ``SealedStoreError/notSealed(_:)``.
    public func removeFieldKey(_ key: StoreKey) throws { try StoreFieldKeys(self).removeRootKey(key) }

    /// Makes `key` the only key that opens the encrypted properties, in a few milliseconds however many objects there are; a passphrase takes what it costs.
    ///
    /// The new key is tried before anything is written, then added, and only when the store has it the old ones go: whatever happens in between, one of them
    /// opens the properties. The store's own key is replaced too. What is sealed already stays sealed with the data keys there are:
    /// ``rotateFieldKey(stepSize:_:)`` replaces those. This program goes on; others that have the store open get
    /// `wrongKey` once they read the record anew.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``; ``SealedStoreError/tooManyKeys(_:)``; `conflict` when somebody else replaces the keys meanwhile;
    ///   ``SealedStoreError/notSealed(_:)``.
    public func changeFieldKey(to key: StoreKey) throws { try StoreFieldKeys(self).replaceRootKeys(with: key) }

    /// What the encrypted properties are sealed with. It reads every object of the models that have some.
    ///
    /// - Throws: ``SealedStoreError/notSealed(_:)``.
    public func fieldSealingStatus() throws -> FieldSealingStatus {
        let keeper = try StoreFieldKeys(self)
        return try read { try $0.sealingStatus(keeper) }
    }
}

extension ReadTransaction {
    /// What the encrypted properties are sealed with in the transaction's snapshot.
    func sealingStatus(_ keeper: StoreFieldKeys) throws -> FieldSealingStatus {
        let (record, ring) = try keeper.keys(self)
        let counts = try sealedFieldCounts()
        return FieldSealingStatus(
            rootKeyCount: record.wraps.count,
            dataKeys: record.dataKeys.map {
                SealingStatus.DataKey(number: $0.number, isActive: $0.number == ring.active, sealedValueCount: counts.sealed[$0.number] ?? 0)
            },
            plainValueCounts: counts.plain.filter { $0.value > 0 }, closedProperties: Set(record.fields?.closed ?? []))
    }
}
