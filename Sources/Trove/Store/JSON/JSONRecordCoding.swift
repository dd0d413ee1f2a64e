/// Reads records of one layout from JSON: the values of its fields, in the nested encoding, and the id.
struct JSONRecordReader: ~Copyable {
    /// What becomes of a name that the layout does not have.
    let unknown: UnknownProperties
    let layout: RecordLayout
    private let names: [[UInt8]]
    private let id: IDCoding
    /// The values read, one after the other, and where that of each field is; nil when it is missing.
    private var values = ByteWriter()
    private var places: [Range<Int>?]
    /// The names that were passed over.
    private var ignored: Set<String> = []
    /// The whole key; nil when no id was read.
    private(set) var key: [UInt8]?
    /// The number of the object in an array, from 1; nil of one by itself.
    var element: Int?

    init(_ layout: RecordLayout, id: IDCoding, unknown: UnknownProperties) {
        self.layout = layout
        self.id = id
        self.unknown = unknown
        names = layout.fields.map { Array($0.name.utf8) }
        places = Array(repeating: nil, count: names.count)
    }

    /// Whether a field was read.
    func hasField(_ position: Int) -> Bool { places[position] != nil }

    /// Whether every field was read.
    var isWhole: Bool { !places.contains(nil) }

    mutating func begin() {
        values.count = 0
        key = nil
        ignored.removeAll(keepingCapacity: true)
        for position in places.indices { places[position] = nil }
    }

    /// Reads the value of a name that is neither a tag nor `$id`.
    ///
    /// - Parameter next: the position of the field that is likely the next; the one behind the field that was read after the call.
    mutating func readField(_ name: UnsafeRawBufferPointer, at place: Int, next: inout Int, _ parser: inout JSONParser) throws {
        let position: Int
        if next < names.count, names[next].withUnsafeBytes({ $0.hasBytes(of: name) }) {
            position = next
        } else if let found = names.firstIndex(where: { known in known.withUnsafeBytes { $0.hasBytes(of: name) } }) {
            position = found
        } else {
            let name = String(storedUTF8: name)
            guard unknown == .ignored else { throw TroveError.unknownField(model: layout.modelName, field: name, known: layout.fields.map(\.name)) }
            guard ignored.insert(name).inserted else { throw parser.fault("the name '\(name)' is there twice", at: place) }
            let start = values.count
            try parser.value(into: &values)
            values.count = start
            return
        }
        guard places[position] == nil else { throw parser.fault("the name '\(String(storedUTF8: name))' is there twice", at: place) }
        let start = values.count
        try parser.value(into: &values)
        places[position] = start..<values.count
        next = position + 1
    }

    /// Reads the value of `$id`.
    mutating func readID(at place: Int, _ parser: inout JSONParser) throws {
        guard key == nil else { throw parser.fault("the id is there twice", at: place) }
        let start = values.count
        try parser.value(into: &values)
        let value = try values.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: UnsafeRawBufferPointer(rebasing: $0[start...])).storedValue() } }
        values.count = start
        guard let key = id.keyBytes(of: value) else {
            throw TroveError.decodingFailed(model: layout.modelName, field: "id", id: value.shownInErrors, reason: "the id is not \(id.expected)")
        }
        self.key = key
    }

    /// The object for a message: by its number in an array, or its id, as far as there is one.
    var shown: String {
        if let element { return "element \(element)" }
        guard let key, let id = try? id.value(of: key) else { return "JSON" }
        return id.shownInErrors
    }

    private func failure(_ field: String, _ reason: String) -> TroveError {
        .decodingFailed(model: layout.modelName, field: field, id: shown, reason: reason)
    }

    /// Leaves the record in the buffer, under the key in it.
    ///
    /// - Parameter layout: the reader's own, or one with those of its fields that were read.
    /// - Throws: ``TroveError/decodingFailed(model:field:id:reason:)`` when a value does not fit its field.
    mutating func encode(as layout: RecordLayout, into buffer: inout RecordBuffer) throws {
        for isWide in [false, true] {
            buffer.begin(layout, isWide: isWide)
            var position = 0
            for field in layout.fields {
                if layout !== self.layout { while !names[position].elementsEqual(field.name.utf8) { position += 1 } }
                do {
                    try encode(position, field.type, into: &buffer.record)
                } catch DecodingFault.unfit(let reason) {
                    throw failure(field.name, reason + (hasField(position) ? field.type.formInJSON.map { "; \($0)" } ?? "" : ""))
                } catch TroveError.corruptValue(let reason) {
                    throw failure(field.name, reason)
                }
                position += 1
            }
            if try buffer.finish() { return }
        }
    }

    private func encode(_ position: Int, _ type: FieldType, into record: inout RecordEncoder) throws {
        guard let place = places[position] else {
            guard case .optional = type else { throw DecodingFault.unfit(reason: "it is missing, and it has no default value") }
            return try record.encode(.null, nested: UnsafeRawBufferPointer(start: nil, count: 0), as: type)
        }
        try values.withBytes { try $0.withUnsafeBytes { bytes in
            let nested = UnsafeRawBufferPointer(rebasing: bytes[place])
            try record.encode(FieldValue(nested: nested), nested: nested, as: type)
        } }
    }
}

extension FieldType {
    /// How values of the type, or its elements, are written in JSON, where another form is the likelier; nil of other types.
    fileprivate var formInJSON: String? {
        switch self {
        case .optional(let type), .lazy(let type), .array(let type), .set(let type), .dictionary(_, let type): type.formInJSON
        case .decimal: "a decimal is written as a text, \"12.99\", since a number with a point is a Double"
        case .data: "data is written as {\"$data\":\"AP8=\"}, in base 64"
        case .duration: "a duration is written as {\"$duration\":\"90.5\"}, in seconds"
        default: nil
        }
    }
}

/// The treatment of JSON properties that a model does not have.
public enum UnknownProperties: Sendable, Hashable {
    /// They are an error.
    case refused
    /// They are skipped.
    case ignored
}

/// Writes the records of one layout as JSON, their values where they lie in the record.
struct JSONRecordWriter {
    let layout: RecordLayout
    private let id: IDCoding
    private let fields: [(name: [UInt8], access: FieldAccess)]

    init(_ layout: RecordLayout, id: IDCoding) {
        self.layout = layout
        self.id = id
        fields = layout.fields.map { (Array($0.name.utf8), FieldAccess($0, of: layout, names: [])) }
    }

    /// Appends `{"$model": …, "$id": …, …}` with the fields in the layout's order.
    ///
    /// - Parameter number: the layout's number in a transfer where the model has several; nil where it needs none.
    /// - Throws: `DecodingFault`, ``TroveError/corruptValue(reason:)`` and ``TroveError/corruptKey(reason:)`` for damaged bytes.
    func write(_ record: RecordView, number: Int? = nil, to writer: inout JSONWriter) throws {
        writer.beginObject()
        writer.name(raw: "$model")
        writer.text(layout.modelName)
        if let number {
            writer.name(raw: "$layout")
            writer.digits(Int64(number))
        }
        writer.name(raw: "$id")
        try id.write(record.wholeKey, to: &writer)
        for (name, access) in fields {
            name.withUnsafeBytes { writer.name($0) }
            try access.withValue(in: record) { try writer.value($0) }
        }
        writer.endObject()
    }
}
