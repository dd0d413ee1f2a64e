@testable import Trove

/// What stores hold whose entries a forger replaces: words, parts of words and members, each with an index.
struct ForgedNote: Model {
    var id: Int
    var text: String
    var numbers: [Int?]

    static let schema = ModelSchema(
        "ForgedNote", fields: [FieldSchema("text", \ForgedNote.text, hasDefault: true), FieldSchema("numbers", \ForgedNote.numbers, hasDefault: true)])
    static let indexes: [Index<ForgedNote>] = [.fullText([\.text], keepsPositions: false), .substring(\.text), Index(\.numbers)]

    init(id: Int, text: String = "", numbers: [Int?] = []) {
        (self.id, self.text, self.numbers) = (id, text, numbers)
    }

    init(from record: inout RecordDecoder) throws {
        text = try record.decode(default: "")
        numbers = try record.decode(default: [])
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(text)
        try record.encode(numbers)
    }
}
