import Foundation
import Trove

/// An object with a field of every type. It is written by hand, so that its bytes do not depend on the macros of the day.
struct GoldenThing: Model, Equatable {
    var id: GoldenKey
    var flag: Bool
    var tiny: Int8
    var short: UInt16
    var medium: Int32
    var number: Int64
    var unsigned: UInt64
    var float: Float
    var double: Double
    var decimal: Decimal
    var text: String
    var data: Data
    var date: Date
    var uuid: UUID
    var url: URL
    var kind: GoldenKind
    var size: GoldenSize
    var maybe: Int?
    var absent: Decimal?
    var deep: String??
    var list: [Int?]
    var grid: [[Double]]
    var tags: Set<String>
    var counts: [String: Int]
    var names: [Int: String]

    static let schema = ModelSchema(
        "Thing",
        fields: [
            FieldSchema("flag", \GoldenThing.flag), FieldSchema("tiny", \GoldenThing.tiny), FieldSchema("short", \GoldenThing.short),
            FieldSchema("medium", \GoldenThing.medium), FieldSchema("number", \GoldenThing.number), FieldSchema("unsigned", \GoldenThing.unsigned),
            FieldSchema("float", \GoldenThing.float), FieldSchema("double", \GoldenThing.double), FieldSchema("decimal", \GoldenThing.decimal),
            FieldSchema("text", \GoldenThing.text), FieldSchema("data", \GoldenThing.data), FieldSchema("date", \GoldenThing.date),
            FieldSchema("uuid", \GoldenThing.uuid), FieldSchema("url", \GoldenThing.url), FieldSchema("kind", \GoldenThing.kind),
            FieldSchema("size", \GoldenThing.size), FieldSchema("maybe", \GoldenThing.maybe), FieldSchema("absent", \GoldenThing.absent),
            FieldSchema("deep", \GoldenThing.deep), FieldSchema("list", \GoldenThing.list), FieldSchema("grid", \GoldenThing.grid),
            FieldSchema("tags", \GoldenThing.tags), FieldSchema("counts", \GoldenThing.counts), FieldSchema("names", \GoldenThing.names),
        ])
}

extension GoldenThing {
    init(from record: inout RecordDecoder) throws {
        flag = try record.decode()
        tiny = try record.decode()
        short = try record.decode()
        medium = try record.decode()
        number = try record.decode()
        unsigned = try record.decode()
        float = try record.decode()
        double = try record.decode()
        decimal = try record.decode()
        text = try record.decode()
        data = try record.decode()
        date = try record.decode()
        uuid = try record.decode()
        url = try record.decode()
        kind = try record.decode()
        size = try record.decode()
        maybe = try record.decode()
        absent = try record.decode()
        deep = try record.decode()
        list = try record.decode()
        grid = try record.decode()
        tags = try record.decode()
        counts = try record.decode()
        names = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(flag)
        try record.encode(tiny)
        try record.encode(short)
        try record.encode(medium)
        try record.encode(number)
        try record.encode(unsigned)
        try record.encode(float)
        try record.encode(double)
        try record.encode(decimal)
        try record.encode(text)
        try record.encode(data)
        try record.encode(date)
        try record.encode(uuid)
        try record.encode(url)
        try record.encode(kind)
        try record.encode(size)
        try record.encode(maybe)
        try record.encode(absent)
        try record.encode(deep)
        try record.encode(list)
        try record.encode(grid)
        try record.encode(tags)
        try record.encode(counts)
        try record.encode(names)
    }
}

enum GoldenKind: String, Codable, Sendable { case disc, tape }

struct GoldenSize: Codable, Hashable, Sendable {
    var width: Double
    var unit: String?
    var marks: [Int]
}

/// An id of two values.
struct GoldenKey: StorableKey {
    var shelf: String
    var number: Int

    init(shelf: String, number: Int) {
        self.shelf = shelf
        self.number = number
    }

    func encode(into key: inout KeyEncoder) {
        shelf.encode(into: &key)
        number.encode(into: &key)
    }

    init(from key: inout KeyDecoder) throws {
        shelf = try String(from: &key)
        number = try Int(from: &key)
    }

    static var keyParts: [(name: String, type: any StorableKey.Type)] { [("shelf", String.self), ("number", Int.self)] }
}
