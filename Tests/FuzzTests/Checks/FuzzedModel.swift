import Foundation

@testable import Trove

/// A model with fields of every kind, made without macros.
struct FuzzedModel: Model {
    var id: String
    var flag: Bool
    var small: Int16?
    var number: Int64
    var unsigned: UInt64
    var float: Float
    var double: Double?
    var decimal: Decimal
    var text: String
    var data: Data?
    var url: URL?
    var date: Date
    var uuid: UUID
    var other: ObjectID??
    var list: [Int]
    var tags: Set<String>
    var names: [String: Decimal]
    var counts: [Int: Data]?
    var codable: FuzzedCodable
    var friend: Reference<FuzzedModel>?
    var friends: [AnyReference]

    static let schema = ModelSchema(
        "Fuzzed", version: 3,
        fields: [
            FieldSchema("flag", \FuzzedModel.flag, hasDefault: true), FieldSchema("small", \FuzzedModel.small),
            FieldSchema("number", \FuzzedModel.number, originalName: "amount", hasDefault: true),
            FieldSchema("unsigned", \FuzzedModel.unsigned, hasDefault: true), FieldSchema("float", \FuzzedModel.float, hasDefault: true),
            FieldSchema("double", \FuzzedModel.double), FieldSchema("decimal", \FuzzedModel.decimal, hasDefault: true),
            FieldSchema("text", \FuzzedModel.text, hasDefault: true), FieldSchema("data", \FuzzedModel.data),
            FieldSchema("url", \FuzzedModel.url), FieldSchema("date", \FuzzedModel.date, hasDefault: true),
            FieldSchema("uuid", \FuzzedModel.uuid, hasDefault: true), FieldSchema("other", \FuzzedModel.other),
            FieldSchema("list", \FuzzedModel.list, hasDefault: true), FieldSchema("tags", \FuzzedModel.tags, hasDefault: true),
            FieldSchema("names", \FuzzedModel.names, hasDefault: true), FieldSchema("counts", \FuzzedModel.counts),
            FieldSchema("codable", \FuzzedModel.codable, hasDefault: true),
            FieldSchema("friend", \FuzzedModel.friend), FieldSchema("friends", \FuzzedModel.friends, hasDefault: true),
        ])

    static let indexes: [Index<FuzzedModel>] = [
        Index(\.number, covering: [\.text], aggregates: []),
        Index([.descending(\.decimal), .ascending(\.text, ignoringCase: true)]),
        Index(\.tags),
        Index(\.flag, name: "kept sums", aggregates: [.count, .sum(\.number)]),
        Index(unique: [\.text, \.number]),
        .fullText([\.text, \.tags], stemming: .english),
        .substring(\.text),
    ]

    init(from record: inout RecordDecoder) throws {
        flag = try record.decode(default: true)
        small = try record.decode()
        number = try record.decode(default: 7)
        unsigned = try record.decode(default: 8)
        float = try record.decode(default: 1.5)
        double = try record.decode()
        decimal = try record.decode(default: 0)
        text = try record.decode(default: "")
        data = try record.decode()
        url = try record.decode()
        date = try record.decode(default: Date(timeIntervalSinceReferenceDate: 0))
        uuid = try record.decode(default: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        other = try record.decode()
        list = try record.decode(default: [])
        tags = try record.decode(default: [])
        names = try record.decode(default: [:])
        counts = try record.decode()
        codable = try record.decode(default: FuzzedCodable())
        friend = try record.decode()
        friends = try record.decode(default: [])
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(flag)
        try record.encode(small)
        try record.encode(number)
        try record.encode(unsigned)
        try record.encode(float)
        try record.encode(double)
        try record.encode(decimal)
        try record.encode(text)
        try record.encode(data)
        try record.encode(url)
        try record.encode(date)
        try record.encode(uuid)
        try record.encode(other)
        try record.encode(list)
        try record.encode(tags)
        try record.encode(names)
        try record.encode(counts)
        try record.encode(codable)
        try record.encode(friend)
        try record.encode(friends)
    }
}

extension FuzzedModel {
    /// One of some objects that have little in common.
    init(sample number: Int) {
        id = number.isMultiple(of: 5) ? String(repeating: "long \(number) ", count: 80) : "object \(number)"
        flag = number.isMultiple(of: 2)
        small = number.isMultiple(of: 3) ? nil : Int16(number)
        self.number = Int64(number) * 1_000_003 - 5
        unsigned = number.isMultiple(of: 4) ? .max : UInt64(number)
        float = Float(number) / 3
        double = number.isMultiple(of: 7) ? nil : -Double(number) / 7
        decimal = Decimal(sign: number.isMultiple(of: 2) ? .minus : .plus, exponent: number - 5, significand: 123_456_789)
        text = ["", "Autumn leaves, the running of rivers", "Der Fluß, das Café and the naïve", "déjà vu 日本語 running ran"][number % 4]
        data = number.isMultiple(of: 3) ? Data([0, 1, 2, 255]) : nil
        url = number.isMultiple(of: 2) ? URL(string: "https://example.org/a%20b?q=\(number)#f") : nil
        date = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5)
        uuid = UUID(uuid: (UInt8(number), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        other = [.some(.some(ObjectID(high: 1, low: UInt64(number)))), .some(nil), nil][number % 3]
        list = Array(-number..<number)
        tags = Set((0..<number).map { "tag \($0)" })
        names = number.isMultiple(of: 2) ? [:] : ["": 1, "pi": Decimal(string: "3.14159") ?? 3, "é": -2]
        counts = number.isMultiple(of: 3) ? nil : [number: Data([9]), -1: Data()]
        codable = FuzzedCodable(name: "name \(number)", size: number.isMultiple(of: 2) ? Double(number) : nil, parts: number < 4 ? [] : [FuzzedCodable()])
        friend = number < 2 ? nil : Reference(id: "object \(number - 1)")
        friends = [AnyReference(modelName: "Fuzzed", keyBytes: "object 1".keyBytes), AnyReference(modelName: "Else", keyBytes: [1, 2])]
    }
}

/// A `Codable` value with a part of its own kind.
struct FuzzedCodable: Codable, Hashable, Sendable {
    var name = ""
    var size: Double?
    var parts: [FuzzedCodable] = []
}
