import Foundation

/// The dates of a record's saves, as far as it has them.
struct RecordDates: Equatable {
    var creation: Date?
    var modification: Date?

    /// The dates that a record with these is stored with: the one rule of ``AttributeOption/creationDate`` and ``AttributeOption/modificationDate``.
    ///
    /// - Parameters:
    ///   - stored: those of the record that it replaces; nil when it is new.
    ///   - isChanged: whether it differs from that record in anything else.
    func saved(over stored: RecordDates?, isChanged: Bool, at now: Date) -> RecordDates {
        guard let stored else { return RecordDates(creation: creation ?? now, modification: now) }
        return RecordDates(creation: stored.creation ?? creation, modification: isChanged ? now : stored.modification)
    }
}

/// Where the records of a model have the dates of their saves.
struct SavedDates: Sendable {
    let creation: RecordLayout.Field?
    let modification: RecordLayout.Field?
    /// The other fields.
    private let others: [RecordLayout.Field]

    /// nil when they have none.
    init?(_ schema: ModelSchema, _ layout: RecordLayout) {
        func field(_ option: FieldOptions) -> RecordLayout.Field? {
            schema.fields.first { $0.options.contains(option) }.flatMap { layout.position(of: $0.name) }.map { layout.fields[$0] }
        }
        creation = field(.creationDate)
        modification = field(.modificationDate)
        if creation == nil, modification == nil { return nil }
        others = layout.fields.filter { [creation, modification] in $0 != creation && $0 != modification }
    }

    /// The dates of a record in the model's layout.
    func dates(of record: RecordView) -> RecordDates { RecordDates(creation: creation.flatMap(record.date), modification: modification.flatMap(record.date)) }

    /// The dates of a record in the model's layout, whose checksum has been checked or was just computed.
    func dates(of record: RawSpan, key: RawSpan, _ layout: RecordLayout) throws -> RecordDates {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in dates(of: try RecordView(trusting: record, key: key, layout: layout)) }
        }
    }

    /// The dates of a record in the model's layout, whose checksum has been checked or was just computed.
    func dates(of record: [UInt8], key: [UInt8], _ layout: RecordLayout) throws -> RecordDates { try dates(of: record.span.bytes, key: key.span.bytes, layout) }

    /// Whether two records in the model's layout differ in anything but their dates.
    func differ(_ left: RecordView, _ right: RecordView) throws -> Bool { try !left.agrees(with: right, in: others) }
}

extension RecordView {
    /// The date in an optional field.
    fileprivate func date(_ field: RecordLayout.Field) -> Date? {
        let bits = base.load(fromByteOffset: RecordLayout.headerSize + field.nilBit / 8, as: UInt8.self)
        if bits >> UInt8(field.nilBit & 7) & 1 == 1 { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(littleEndian: base.loadUnaligned(fromByteOffset: field.place, as: UInt64.self))))
    }
}

extension RecordBuffer {
    /// Puts dates into the finished record where it has places for them.
    mutating func set(_ dates: RecordDates, at places: SavedDates) {
        if let place = places.creation { record.set(dates.creation, at: place) }
        if let place = places.modification { record.set(dates.modification, at: place) }
        record.sign(key: recordKey.bytes.span.bytes)
    }
}

extension RecordEncoder {
    /// Puts a date into an optional field of the finished record, whose checksum is then another.
    fileprivate func set(_ date: Date?, at field: RecordLayout.Field) {
        let place = RecordLayout.headerSize + field.nilBit / 8
        let bit = UInt8(1) << UInt8(field.nilBit & 7)
        let bits = bytes.base.load(fromByteOffset: place, as: UInt8.self)
        bytes.base.storeBytes(of: date == nil ? bits | bit : bits & ~bit, toByteOffset: place, as: UInt8.self)
        bytes.base.storeBytes(of: (date?.timeIntervalSinceReferenceDate.bitPattern ?? 0).littleEndian, toByteOffset: field.place, as: UInt64.self)
    }
}

/// The same of records by the names of their fields.
extension ModelBinding {
    /// Whether saves give its objects dates.
    var hasSavedDates: Bool { savedDates != nil || documentDates != nil }

    /// The names of those of its fields that a change of a stored record sets, which keeps the creation date; none of a collection.
    var savedDateFields: [String] { [savedDates?.modification?.name].compactMap(\.self) }

    /// Gives a record the dates of its save.
    ///
    /// - Parameter stored: the record that it replaces; nil when it is new.
    func noteSave(of record: inout StoredRecord, over stored: StoredRecord?, at now: @autoclosure () -> Date) throws {
        guard hasSavedDates, hasPlaceForDates(record) else { return }
        let isChanged = try stored.map { try differ(record, $0) } ?? true
        let dates = dates(of: record).saved(over: stored.map { self.dates(of: $0) }, isChanged: isChanged, at: now())
        try set(dates, in: &record)
    }

    /// Whether a record has a place for dates: a document that is no more than a text or a list has none.
    private func hasPlaceForDates(_ record: StoredRecord) -> Bool {
        guard documentDates != nil else { return true }
        if case .object = record[DocumentField.root] { return true }
        return false
    }

    /// Whether two records differ in anything but the dates of their saves.
    func differ(_ left: StoredRecord, _ right: StoredRecord) throws -> Bool {
        guard hasPlaceForDates(right), left.fieldNames == right.fieldNames else { return true }
        var (left, right) = (left, right)
        try set(RecordDates(), in: &left)
        try set(RecordDates(), in: &right)
        return left.fieldNames.contains { left.differs(from: right, in: $0) }
    }

    private func dates(of record: StoredRecord) -> RecordDates {
        func date(_ value: StoredValue?) -> Date? { if case .date(let date)? = value { date } else { nil } }
        if let names = documentDates {
            let root = record[DocumentField.root]
            return RecordDates(
                creation: names.creation.flatMap { date(root?.value(at: DocumentPath([.name($0)]))) },
                modification: names.modification.flatMap { date(root?.value(at: DocumentPath([.name($0)]))) })
        }
        return RecordDates(
            creation: savedDates?.creation.flatMap { date(record[$0.name]) }, modification: savedDates?.modification.flatMap { date(record[$0.name]) })
    }

    private func set(_ dates: RecordDates, in record: inout StoredRecord) throws {
        guard let names = documentDates else {
            // A record of an earlier layout may lack a field.
            for (field, date) in [(savedDates?.creation, dates.creation), (savedDates?.modification, dates.modification)] {
                guard let field, record.type(of: field.name) == field.type else { continue }
                try record.set(field.name, to: date.map { .date($0) } ?? .null)
            }
            return
        }
        guard var root = record[DocumentField.root] else { return }
        for (name, date) in [(names.creation, dates.creation), (names.modification, dates.modification)] {
            guard let path = name.map({ DocumentPath([.name($0)]) }) else { continue }
            if let date { try root.set(path, to: .date(date)) } else { root.remove(at: path) }
        }
        try record.set(DocumentField.root, to: root)
    }
}
