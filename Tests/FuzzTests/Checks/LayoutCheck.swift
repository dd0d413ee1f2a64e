import Foundation

@testable import Trove

/// Records in layouts of an older program, or of another one.
enum LayoutCheck {
    // The corpus tells a type by its place, so that new ones are behind those that it knows.
    private static let types: [FieldType] = known + ScalarTypes.all.map { $0.fieldType }.filter { !known.contains($0) }

    private static let known: [FieldType] = [
        .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal, .string, .data, .url, .date, .uuid,
        .objectID, .array(.int64), .set(.string), .dictionary(.string, .decimal), .dictionary(.int64, .data), .codable("FuzzedCodable"),
        .array(.data), .int128, .uint128, .duration, .geoPoint,
    ]

    /// An input is the number of fields, for each its name, type and optional layers, then as for ``RecordCheck``.
    static func run(_ input: inout FuzzInput) throws {
        let names = FuzzedModel.schema.fields.map(\.name) + ["amount", "gone", "lost"]
        let version = 1 + input.choice(4)
        let fields = (0..<input.choice(40)).map { _ in
            let name = names[input.choice(names.count)]
            let shape = input.byte()
            var type = types[Int(shape & 0x1F) % types.count]
            for _ in 0..<shape >> 5 { type = .optional(type) }
            return (name, type)
        }
        let layout = RecordLayout(number: 2, modelName: FuzzedModel.schema.name, version: version, fields: fields)
        let plan = try valueOrTypedError("a layout") { () -> DecodingPlan in
            try SchemaRegistration.check(FuzzedModel.schema, canRead: layout)
            return DecodingPlan(from: layout, to: FuzzedModel.schema)
        }
        let isRepaired = input.byte() & 1 == 1
        let key = input.chunk()
        var record = input.rest()
        if isRepaired { RecordCheck.repair(&record, key: key) }
        try RecordCheck.check(record, key: key, layout: layout, plan: plan)
    }

    /// An input with the model's own fields, the first `count` of them.
    static func seed(_ object: FuzzedModel, fields count: Int) throws -> [UInt8] {
        let fields = FuzzedModel.schema.fields.prefix(count)
        var input: [UInt8] = [1, UInt8(fields.count)]
        for (number, field) in fields.enumerated() {
            guard let type = types.firstIndex(of: field.type.unwrapped) else { throw FuzzFailure("no type for \(field.name)") }
            input += [UInt8(number), UInt8(field.type.optionalDepth << 5 | type)]
        }
        return try input + RecordCheck.seed(object)
    }
}
