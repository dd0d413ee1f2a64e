import Foundation

@testable import Trove

/// Records in the layout of ``FuzzedModel``: read as objects, as values by name, and where they lie.
enum RecordCheck {
    static let layout = RecordLayout(
        number: 1, modelName: FuzzedModel.schema.name, version: FuzzedModel.schema.version,
        fields: FuzzedModel.schema.fields.map { ($0.name, $0.type) })

    private static let binding = Result { try ModelBinding(FuzzedModel.self, layout: layout) }

    /// An input is a byte that says whether the checksum is repaired, a key with its size, and a record.
    static func run(_ input: inout FuzzInput) throws {
        let isRepaired = input.byte() & 1 == 1
        let key = input.chunk()
        var record = input.rest()
        if isRepaired { repair(&record, key: key) }
        try check(record, key: key, layout: layout, plan: nil)
        try checkView(record, key: key)
    }

    /// An input of a real record.
    static func seed(_ object: FuzzedModel) throws -> [UInt8] {
        var buffer = RecordBuffer()
        buffer.key.append(whole: object.id.keyBytes)
        try buffer.encode(object, layout)
        return buffer.withBytes { key, record in [1, UInt8(min(255, key.byteCount))] + [UInt8](copying: key).prefix(255) + [UInt8](copying: record) }
    }

    /// Gives a record the checksum of its bytes.
    static func repair(_ record: inout [UInt8], key: [UInt8]) {
        guard record.count >= RecordLayout.headerSize else { return }
        let checksum = record.withUnsafeBytes { record in key.withUnsafeBytes { RecordFormat.checksum(of: record, key: $0) } }
        withUnsafeBytes(of: checksum.littleEndian) { record.replaceSubrange(4..<8, with: $0) }
    }

    /// Reads a record in any layout as values and, in one that the model can read, as an object.
    static func check(_ record: [UInt8], key: [UInt8], layout: RecordLayout, plan: DecodingPlan?) throws {
        if let stored = try valueOrTypedError("a record's values", { try storedRecord(record, key, layout) }) {
            try checkAgain(stored, layout)
        }
        guard layout === Self.layout || plan != nil else { return }
        let object = try valueOrTypedError("an object") {
            try with(record, key, layout, plan) { decoder in try FuzzedModel(from: &decoder) }
        }
        if let object { try checkAgain(object) }
    }

    private static func with<Result>(
        _ record: [UInt8], _ key: [UInt8], _ layout: RecordLayout, _ plan: DecodingPlan?, _ body: (inout RecordDecoder) throws -> Result
    ) throws -> Result {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                var decoder = try RecordDecoder(record, key: key, layout: layout, plan: plan)
                return try body(&decoder)
            }
        }
    }

    private static func storedRecord(_ record: [UInt8], _ key: [UInt8], _ layout: RecordLayout) throws -> StoredRecord {
        try with(record, key, layout, nil) { decoder in
            let values = try decoder.storedValues(layout)
            return StoredRecord(key: try decoder.wholeKey(), layout: layout, values: values)
        }
    }

    private static func checkAgain(_ stored: StoredRecord, _ layout: RecordLayout) throws {
        func bytes(_ stored: StoredRecord) throws -> (key: [UInt8], record: [UInt8]) {
            var buffer = RecordBuffer()
            try buffer.encode(stored, layout)
            return buffer.withBytes { ([UInt8](copying: $0), [UInt8](copying: $1)) }
        }
        // A record with a key that is none cannot be saved; no store gives it out.
        guard !stored.key.isEmpty else { return }
        let first = try mustSucceed("writing values that were read") { try bytes(stored) }
        let again = try mustSucceed("reading values that were written") { try storedRecord(first.record, first.key, layout) }
        try require(try bytes(again).record == first.record, "written again, the values are others: \(hexadecimal(first.record))")
    }

    private static func checkAgain(_ object: FuzzedModel) throws {
        func bytes(_ object: FuzzedModel) throws -> (key: [UInt8], record: [UInt8]) {
            var buffer = RecordBuffer()
            buffer.key.append(whole: object.id.keyBytes)
            try buffer.encode(object, layout)
            return buffer.withBytes { ([UInt8](copying: $0), [UInt8](copying: $1)) }
        }
        let first = try mustSucceed("writing an object that was read") { try bytes(object) }
        let again = try mustSucceed("reading an object that was written") {
            try with(first.record, first.key, layout, nil) { decoder in try FuzzedModel(from: &decoder) }
        }
        try require(try bytes(again).record == first.record, "written again, the object is another: \(hexadecimal(first.record))")
    }

    /// Reads every field, the id and some paths where they lie, as filters and indexes do.
    private static func checkView(_ record: [UInt8], key: [UInt8]) throws {
        let binding = try binding.get()
        let paths = FuzzedModel.schema.fields.map { FieldPath(field: $0.name, names: []) } + [
            .id, FieldPath(field: "codable", names: ["parts"]), FieldPath(field: "codable", names: ["name"]), FieldPath(field: "names", names: ["pi"]),
        ]
        for path in paths {
            let reader = try FieldReader(path, in: binding)
            _ = try valueOrTypedError("the field \(path)") {
                try record.withUnsafeBytes { record in
                    try key.withUnsafeBytes { key in
                        let view = try RecordView(checking: record, key: key, layout: layout)
                        _ = try reader.isNil(view)
                        _ = try reader.value(view)
                        var part = ByteWriter()
                        try reader.appendKeyPart(view, ignoring: .case, direction: .ascending, to: &part)
                        for members in [reader.members, reader.dictionaryValues].compactMap({ $0 }) {
                            try reader.forEachMember(view, members.part, ignoring: [], direction: .descending) { _ in }
                        }
                    }
                }
            }
        }
    }
}
