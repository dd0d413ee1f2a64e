/// A record as stored, with its fields by name: for `upgrade(from:)`, for tools, and for programs that
/// do not have the model's Swift type.
///
/// ```swift
/// try store.write { transaction in
///     guard var record = try transaction.storedRecord(of: "Song", key: id.keyBytes) else { return }
///     try record.set("title", to: .string("Autumn Leaves"))
///     try transaction.save(record)       // still a Song, with all its other fields
/// }
/// ```
///
/// In a program that does not have the model, the fields of a record in an older layout go by their present names too: those that were renamed since, and those
/// of a document that the model has adopted.
public struct StoredRecord: Sendable, Hashable {
    /// The whole key: the id's ``StorableKey/keyBytes``.
    public let key: [UInt8]
    /// The names of the fields that are encrypted, and could not be opened since the store was opened without their keys. Their values are
    /// `.null`, and the record cannot be saved.
    public let sealedFields: [String]
    /// The values; of lazy fields what the record itself has, see ``StoredValue/valueOfLazyForm(_:)``.
    private(set) var values: [StoredValue]
    private let written: WrittenLayout
    private let annexes: AnnexOrigin
    private var known = KnownNames(names: .none)

    /// The names that its model has for its fields now; none where nobody looked.
    var names: PresentNames {
        get { known.names }
        set { known = KnownNames(names: newValue) }
    }

    /// The name of the model.
    public var modelName: String { shape.modelName }

    /// The model's version when the record was written.
    public var version: Int { shape.version }

    /// The names of the fields, in order.
    public var fieldNames: [String] { shape.fieldNames }

    /// The layout it was written in, which a save keeps. Its number alone may be another layout's in another store.
    var shape: RecordLayout { written.layout }

    /// The number of the layout it was written in.
    var layout: UInt16 { shape.number }

    var types: [FieldType] { shape.fieldTypes }

    /// - Parameter sealed: the positions of the fields that are still encrypted.
    init(key: [UInt8], layout: RecordLayout, values: [StoredValue], annexes: (any AnnexSource)? = nil, sealed: Set<Int> = []) {
        sealedFields = sealed.sorted().map { layout.fields[$0].name }
        self.annexes = AnnexOrigin(source: layout.lazyFields.isEmpty ? nil : annexes, recordKey: layout.lazyFields.isEmpty ? [] : RecordKey(key).bytes)
        self.key = key
        self.values = values
        written = WrittenLayout(layout: layout)
    }

    /// The value of a field, `.null` when it is nil; nil when there is no such field.
    ///
    /// That of a lazy field is read when it is asked for, and `.null` when that cannot be; ``value(of:)`` says why.
    public subscript(field: String) -> StoredValue? {
        place(of: field).flatMap { place in
            do {
                return try value(at: place, field)
            } catch {
                return .null
            }
        }
    }

    /// Where a field is that goes by a name; nil when there is none.
    func place(of field: String) -> PresentNames.Place? { fieldNames.firstIndex(of: field).map { .field($0) } ?? names.places[field] }

    /// The position of the field of the record itself that goes by a name.
    private func position(of field: String) -> Int? {
        if case .field(let position)? = place(of: field) { position } else { nil }
    }

    /// Whether a name is that of a field of the record itself, and not of something inside one.
    func hasOwnField(_ field: String) -> Bool { position(of: field) != nil }

    /// A value; nil when a document does not have it.
    private func value(at place: PresentNames.Place, _ field: String) throws -> StoredValue? {
        switch place {
        case .field(let position): try value(at: position)
        case .member(let position, let name, let type): try values[position].member(named: name, as: type.withoutLazy)
        }
    }

    /// A value, read from its annex where it has one.
    private func value(at position: Int) throws -> StoredValue {
        guard types[position].isLazy else { return values[position] }
        return try values[position].valueOfLazyForm { annex($0, of: fieldNames[position]) }
    }

    /// An annex of the record; nil where it cannot be read.
    private func annex(_ id: AnnexID, of field: String) -> StoredAnnex? {
        annexes.source.map { StoredAnnex(id, modelName: modelName, field: field, recordKey: annexes.recordKey, $0) }
    }

    /// What has the bytes of the annex of a field; nil where nobody has.
    func provider(of id: AnnexID, _ position: Int) -> (any AnnexProvider)? {
        annexes.source?.provider(of: id) ?? annex(id, of: fieldNames[position])
    }

    /// What the record itself has of a field; nil when there is no such field.
    private func ownValue(of field: String) -> StoredValue? { position(of: field).map { values[$0] } }

    /// What the value of a lazy field that stands apart from the record is known by; nil of other fields.
    func annexID(of field: String) -> AnnexID? {
        guard let position = position(of: field), types[position].isLazy, case .data(let form) = values[position] else { return nil }
        // A form that cannot be read names no value; who reads the field is told.
        return form.withUnsafeBytes { try? LazyForm.annexID(in: $0) }
    }

    /// How many bytes the value of a lazy field has that stands apart from the record, and what tells it from others; nil of other fields. Nothing is read for it,
    /// so it tells of a value too that a change has removed.
    package func valueApart(of field: String) -> (byteCount: Int, digest: String)? {
        annexID(of: field).map { (Int(clamping: $0.count), $0.key.hexadecimal) }
    }

    /// Whether a field is there and nil.
    func isNil(_ field: String) -> Bool {
        guard let position = position(of: field) else { return self[field] == .null }
        return types[position].isLazy ? values[position].isLazyNil : values[position] == .null
    }

    /// The type of a field; nil when there is no such field.
    public func type(of field: String) -> FieldType? {
        switch place(of: field) {
        case .field(let position)?: types[position]
        case .member(_, _, let type)?: type
        case nil: nil
        }
    }

    /// The value of a field, `.null` when it is nil, also of a lazy one.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)``; what reading a lazy value throws.
    public func value(of field: String) throws -> StoredValue {
        guard let place = place(of: field) else { throw TroveError.unknownField(model: modelName, field: field, known: fieldNames) }
        guard case .member = place else { return try value(at: place, field) ?? .null }
        do {
            return try value(at: place, field) ?? .null
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: modelName, field: field, id: Self.text(of: key), reason: reason)
        }
    }

    /// The value of a field as a Swift type.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)``; ``TroveError/decodingFailed(model:field:id:reason:)``
    ///   when the value is not of this type, nor widens to it.
    public func value<Value: Storable>(of field: String, as type: Value.Type = Value.self) throws -> Value {
        let value = try self.value(of: field)
        do {
            return try Value(converting: value.converted(to: Value.fieldType.withoutLazy))
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: modelName, field: field, id: Self.text(of: key), reason: reason)
        }
    }

    /// The value of a field of a `Codable` type, such as a nested value that an upgrade splits into properties.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)``; ``TroveError/decodingFailed(model:field:id:reason:)`` when the type cannot be decoded from
    ///   the value.
    @_disfavoredOverload
    public func value<Value: Decodable>(of field: String, as type: Value.Type = Value.self) throws -> Value {
        let value = try self.value(of: field)
        do {
            return try value.decoded(as: type)
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: modelName, field: field, id: Self.text(of: key), reason: reason)
        }
    }

    /// Sets the value of a field.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:known:)``; ``TroveError/encodingFailed(model:field:reason:)``
    ///   when the field's type cannot hold the value.
    public mutating func set(_ field: String, to value: StoredValue) throws {
        guard let place = place(of: field) else { throw TroveError.unknownField(model: modelName, field: field, known: fieldNames) }
        do {
            switch place {
            case .field(let position):
                let new = try value.converted(to: types[position])
                if types[position].isLazy, try new.isLazyForm(ofSameValueAs: values[position]) { return }
                values[position] = new
            case .member(let position, let name, let type):
                var used = name.present
                if case .object(let members) = values[position] { used = name.used(in: members) }
                try values[position].set(DocumentPath([.name(used)]), to: value.converted(to: type.withoutLazy))
            }
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: modelName, field: field, reason: reason)
        }
    }

    /// Gives a field the value that it has in another record as a field of the same type.
    mutating func copy(_ field: String, from other: StoredRecord) {
        guard let position = position(of: field), let value = other.ownValue(of: field) else { return }
        values[position] = value
    }

    /// The record with those lazy values whole that something in memory has, which may be nowhere else.
    func holding(_ provider: (AnnexID) -> (any AnnexProvider)?) throws -> StoredRecord {
        var held = self
        for position in values.indices where types[position].isLazy { held.values[position] = try values[position].holding(provider) }
        return held
    }

    /// Whether a field is stored as other bytes in another record. Texts that Swift calls equal may be written with other scalars.
    func differs(from other: StoredRecord, in field: String) -> Bool {
        let (own, theirs) = (ownValue(of: field), other.ownValue(of: field))
        guard let value = own, let otherValue = theirs else { return own != nil || theirs != nil }
        if value.isIdentical(to: otherValue) { return false }
        // A record of an older layout that was brought into the present one has its lazy values whole.
        return !(type(of: field)?.isLazy ?? false) || !(value.isSameLazyValue(as: otherValue) || otherValue.isSameLazyValue(as: value))
    }

    /// Whether the two are of one object and layout, and their values are stored as the same bytes. Encrypted fields that could not be opened are not compared.
    package func isIdentical(to other: StoredRecord) -> Bool {
        key == other.key && written == other.written && sealedFields == other.sealedFields
            && zip(values, other.values).allSatisfy { $0.isIdentical(to: $1) }
    }

    /// Whether the record can be written in `layout` as it is.
    func hasLayout(_ layout: RecordLayout) -> Bool { shape.hasSameShape(as: layout) }

    /// Bytes of a key for a message: hexadecimal, since the id's type may be unknown.
    package static func text(of key: [UInt8]) -> String { "0x" + key.hexadecimal }
}

extension StoredRecord: CustomStringConvertible {
    /// The record in one line, with long values cut: `Song 0x0192…: title = So What, year = 1959`.
    public var description: String {
        "\(modelName) \(Self.text(of: key)): "
            + zip(fieldNames, zip(types, values)).map { "\($0) = \(sealedFields.contains($0) ? "encrypted" : $1.0.isLazy ? "lazy" : $1.1.shownInErrors)" }
            .joined(separator: ", ")
    }
}

/// The layout of a record, which is a part of what it is by what it says: every store has objects of its own for its layouts.
private struct WrittenLayout: Sendable, Hashable {
    let layout: RecordLayout

    static func == (left: WrittenLayout, right: WrittenLayout) -> Bool {
        left.layout.number == right.layout.number && left.layout.hasSameShape(as: right.layout)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(layout.number)
        hasher.combine(layout.modelName)
    }
}

/// The present names of a record's fields, which are not a part of what it is.
private struct KnownNames: Sendable, Hashable {
    let names: PresentNames

    static func == (left: KnownNames, right: KnownNames) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// Where the annexes of a record are read from, which is not a part of what it is.
private struct AnnexOrigin: Sendable, Hashable {
    /// nil where they are not.
    let source: (any AnnexSource)?
    /// The engine's key of the record.
    let recordKey: [UInt8]

    static func == (left: AnnexOrigin, right: AnnexOrigin) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
