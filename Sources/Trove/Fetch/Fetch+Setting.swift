import Foundation

/// A value that ``Fetch/update(_:to:)`` gives a property, computed of the one that is stored.
struct FieldSetting: Sendable {
    let path: FieldPath
    /// The new value; nil when the object is to stay as it is.
    let value: @Sendable (StoredValue) throws -> StoredValue?
}

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
    ///   the id and for several live objects; what a save throws. The transaction can then only roll back, unless the call was made
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
                guard var record = try transaction.record(keys, position, model) else { continue }
                guard record.sealedFields.isEmpty else { throw TroveError.encryptedRecord(model: record.modelName, id: StoredRecord.text(of: record.key)) }
                count += 1
                guard let value = try setting.value(record[setting.path.field] ?? .null) else { continue }
                let stored = record
                try record.set(setting.path.field, to: value)
                try model.binding.noteSave(of: &record, over: stored, at: transaction.saveDate)
                try buffer.encode(record, transaction.layout(of: record, model))
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

extension Model {
    fileprivate static func setting<Value>(_ property: KeyPath<Self, Value>, to value: Value) throws -> FieldSetting {
        let path = try settable(property)
        let shape = schema.fields.first { $0.name.hasBytes(of: path.field) }?.relationship?.shape
        if let shape, !shape.isToOne, !(value is any Storable) {
            throw TroveError.invalidQuery(
                reason:
                    "'\(path)' of \(schema.name) has several objects, which cannot be set in records alone; set them in each object: update { $0.\(path) = … }")
        }
        let stored = try StoredValue(comparing: value)
        return FieldSetting(path: path) { _ in stored }
    }

    fileprivate static func setting<Value, Number: Storable & Numeric>(_ property: KeyPath<Self, Value>, adding amount: Number) throws -> FieldSetting {
        let path = try settable(property)
        return FieldSetting(path: path) { stored in
            if stored == .null { return nil }
            let sum = try Number(converting: stored.converted(to: Number.fieldType)).addingExactly(amount)
            guard let sum else {
                throw TroveError.encodingFailed(
                    model: schema.name, field: path.field, reason: "the sum of \(stored.shownInErrors) and \(amount) does not fit \(Number.self)")
            }
            return try StoredValue(comparing: sum)
        }
    }

    /// The path of a property that has a field of its own.
    private static func settable<Value>(_ property: KeyPath<Self, Value>) throws -> FieldPath {
        let path = try path(property)
        if path == .id {
            throw TroveError.invalidQuery(reason: "the id of an object cannot be set; rekey(_:from:to:) gives an object another id")
        }
        guard path.names.isEmpty else { throw TroveError.unsupportedKeyPath(model: schema.name, keyPath: property.shownInErrors) }
        if schema.identity.contains(where: path.field.hasBytes) {
            throw TroveError.invalidQuery(
                reason: "the id of \(schema.name) consists of '\(path)', which cannot be set; rekey(_:from:to:) gives an object another id")
        }
        return path
    }
}

extension Numeric {
    /// The sum; nil when it overflows: an integer, or what is no number or infinite though both that are added are finite.
    fileprivate func addingExactly(_ other: Self) -> Self? {
        if let integer = self as? any FixedWidthInteger { return integer.addingInteger(other) as? Self }
        let sum = self + other
        return sum.isFiniteNumber || !isFiniteNumber || !other.isFiniteNumber ? sum : nil
    }

    private var isFiniteNumber: Bool {
        switch self {
        case let number as any FloatingPoint: number.isFinite
        case let number as Decimal: number.isFinite
        default: true
        }
    }
}

extension FixedWidthInteger {
    fileprivate func addingInteger(_ other: Any) -> Self? {
        guard let other = other as? Self else { return nil }
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? nil : sum
    }
}

extension WriteTransaction {
    /// The record with one of these keys, which ``updateRead(_:_:)`` replaces; nil when there is none.
    fileprivate func record(_ keys: KeyList, _ position: Int, _ model: OpenModel) throws -> StoredRecord? {
        guard let keyspace = model.keyspace else { return nil }
        var found: StoredRecord?
        try prefetch(keys, from: position, in: keyspace)
        let key = keys[position]
        try withRecordToUpdate(key.span.bytes, in: keyspace, model) { record in
            found = try recordToEdit(record, key: key.span.bytes, model)
        }
        return found
    }
}
