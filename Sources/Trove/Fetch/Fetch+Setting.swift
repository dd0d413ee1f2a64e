/// Changes of one property of all objects of a query, made in their records: no objects are made, and the other properties are not looked at.
extension Fetch where Source == WriteTransaction {
    /// Sets a property of each object; returns the number of objects.
    ///
    /// ```swift
    /// try transaction.fetch(Song.self).where { $0.year < 1960 }.update(\.rating, to: 5)
    /// try transaction.fetch(Song.self).update(\.comment, to: nil)
    /// ```
    ///
    /// Indexes, inverses and observers follow, as they do of a save. The value is stored as it is given, also where ``FieldOptions/writeOnce`` would keep the
    /// one there is.
    ///
    /// - Throws: ``TroveError/unsupportedKeyPath(model:keyPath:)`` for what is no stored property of the model itself; ``TroveError/invalidQuery(reason:)`` for
    ///   the id, for what it is made of and for several live objects; what a save throws. The transaction can then only roll back, unless the call was made
    ///   in a ``WriteTransaction/savepoint(_:)``.
    @discardableResult
    public func update<Value>(_ property: KeyPath<Object, Value> & Sendable, to value: Value) throws -> Int {
        try update(Object.setting(property, to: value))
    }

    /// Adds to a number of each object; returns the number of objects. What is nil stays nil.
    ///
    /// ```swift
    /// try transaction.fetch(Song.self).where { $0.artist == "Bill Evans" }.update(\.plays, adding: 1)
    /// ```
    ///
    /// A sum is rounded as `+` rounds it: a `Double` or `Float` to its bits, a `Decimal` to 38 digits.
    ///
    /// - Throws: ``TroveError/encodingFailed(model:field:reason:)`` when a sum does not fit the property, or is infinite or no number though what is
    ///   added is finite; otherwise as ``update(_:to:)``.
    @discardableResult
    public func update<Number: Storable & Numeric>(_ property: KeyPath<Object, Number> & Sendable, adding amount: Number) throws -> Int {
        try update(Object.setting(property, adding: amount))
    }

    /// Adds to a number of each object that has one; returns the number of objects. What is nil stays nil.
    @discardableResult
    public func update<Number: Storable & Numeric>(_ property: KeyPath<Object, Number?> & Sendable, adding amount: Number) throws -> Int {
        try update(Object.setting(property, adding: amount))
    }

    fileprivate func update(_ setting: FieldSetting) throws -> Int {
        let transaction = source
        let model = try transaction.openForChanging(Object.self, draft)
        let keys = try transaction.keys(of: model, draft)
        var buffer = RecordBuffer()
        var count = 0
        try transaction.batch {
            for position in 0..<keys.count {
                guard var record = try transaction.record(keys, position, model, setting) else { continue }
                guard record.sealedFields.isEmpty else { throw TroveError.encryptedRecord(model: record.modelName, id: model.binding.shownID(record.key)) }
                count += 1
                guard let value = try setting.value(record[setting.path.field] ?? .null) else { continue }
                let stored = record
                try record.set(setting.path.field, to: value)
                try model.binding.noteSave(of: &record, over: stored, at: transaction.saveDate)
                try buffer.encode(record, transaction.layout(of: record, model))
                if model.binding.mayMakeIDs, try !transaction.keepsID(buffer, model) { throw Object.ofID(setting.path) }
                try transaction.updateRead(buffer, model)
            }
        }
        return count
    }
}

/// The same in a transaction of its own.
extension Fetch where Source == ObjectStore {
    /// Sets a property of each object in one transaction; returns the number of objects.
    ///
    /// ```swift
    /// try store.fetch(Song.self).where { $0.year < 1960 }.update(\.rating, to: 5)
    /// ```
    ///
    /// - Throws: as in a transaction; then nothing is changed.
    @discardableResult
    public func update<Value>(_ property: KeyPath<Object, Value> & Sendable, to value: Value, durability: Durability? = nil) throws -> Int {
        try update(Object.setting(property, to: value), durability)
    }

    /// Adds to a number of each object in one transaction; returns the number of objects. What is nil stays nil.
    @discardableResult
    public func update<Number: Storable & Numeric>(
        _ property: KeyPath<Object, Number> & Sendable, adding amount: Number, durability: Durability? = nil
    ) throws -> Int {
        try update(Object.setting(property, adding: amount), durability)
    }

    /// Adds to a number of each object that has one, in one transaction; returns the number of objects. What is nil stays nil.
    @discardableResult
    public func update<Number: Storable & Numeric>(
        _ property: KeyPath<Object, Number?> & Sendable, adding amount: Number, durability: Durability? = nil
    ) throws -> Int {
        try update(Object.setting(property, adding: amount), durability)
    }

    private func update(_ setting: FieldSetting, _ durability: Durability?) throws -> Int {
        try source.write(durability) { try Fetch<Object, WriteTransaction>(source: $0, draft: draft).update(setting) }
    }

    /// Sets a property of each object in one transaction; returns the number of objects.
    @discardableResult
    public func update<Value: Sendable>(
        _ property: KeyPath<Object, Value> & Sendable, to value: Value, durability: Durability? = nil
    ) async throws -> Int {
        try await update(Object.setting(property, to: value), durability)
    }

    /// Adds to a number of each object in one transaction; returns the number of objects. What is nil stays nil.
    @discardableResult
    public func update<Number: Storable & Numeric>(
        _ property: KeyPath<Object, Number> & Sendable, adding amount: Number, durability: Durability? = nil
    ) async throws -> Int {
        try await update(Object.setting(property, adding: amount), durability)
    }

    /// Adds to a number of each object that has one, in one transaction; returns the number of objects. What is nil stays nil.
    @discardableResult
    public func update<Number: Storable & Numeric>(
        _ property: KeyPath<Object, Number?> & Sendable, adding amount: Number, durability: Durability? = nil
    ) async throws -> Int {
        try await update(Object.setting(property, adding: amount), durability)
    }

    private func update(_ setting: FieldSetting, _ durability: Durability?) async throws -> Int {
        let draft = draft
        return try await source.write(durability) { try Fetch<Object, WriteTransaction>(source: $0, draft: draft).update(setting) }
    }
}

extension WriteTransaction {
    /// The record with one of these keys, which ``updateRead(_:_:)`` replaces; nil when there is none.
    fileprivate func record(_ keys: KeyList, _ position: Int, _ model: OpenModel, _ setting: FieldSetting) throws -> StoredRecord? {
        var found: StoredRecord?
        try withRecordToUpdate(keys, position, model) {
            found = try recordToEdit($1, key: $0, model) { Set([setting.path.field] + model.binding.savedDateFields) }
        }
        return found
    }
}
