import Trove

/// The model that programs change from version to version. All of them read and write an ``ItemValue``.
protocol ProgramItem: Model where ID == Int {
    /// What a stored object of this version says; what the version does not have is as the value's defaults.
    var value: ItemValue { get }
    init(_ value: ItemValue)

    /// The name of the property that is called `group` at first.
    static var sectionName: String { get }
    /// The criteria for titles with a word, as the index of this version answers it.
    static var wordTest: String { get }
    /// The number of items and the sum of their amounts in each section, and the least and largest amount.
    static func figures(in transaction: ReadTransaction) throws -> String
}

@Model("Item") struct ProgramItemFirst: ProgramItem {
    #Index<ProgramItemFirst>([\.group], aggregates: [.count, .sum(\.amount)])
    var id: Int
    @Attribute(.unique) var code: String
    @Attribute(.fullText) var title: String
    var group: Int
    var amount: Int32
    var note: String?
    @Attribute(.indexed) var tags: [String] = []
    @Attribute(.writeOnce) var born: Int
    var home: Reference<ProgramBox>?

    init(_ value: ItemValue) {
        (id, code, title, group, amount) = (value.id, value.code, value.title, value.section, Int32(value.amount))
        (note, tags, born, home) = (value.note, value.tags, value.born, value.home.map { Reference(id: $0) })
    }

    var value: ItemValue {
        ItemValue(
            id: id, code: code, title: title, section: group, amount: Int(amount), note: note, tags: tags, born: born, home: home?.id)
    }

    static let sectionName = "\"group\""
    static let wordTest = "title has words ?"

    static func figures(in transaction: ReadTransaction) throws -> String {
        let items = transaction.fetch(Self.self)
        let groups = try items.grouped(by: \.group).aggregate(.count, .sum(\.amount))
        return try groups.map { "\($0.key): \($0.values.0), \($0.values.1)" }.joined(separator: "; ")
            + " from \(items.minimum(\.amount).map(Int.init) ?? 0) to \(items.maximum(\.amount).map(Int.init) ?? 0)"
    }
}

/// A field renamed, one widened, one added with an index, one removed, one without its index, without a new version.
@Model("Item") struct ProgramItemSecond: ProgramItem {
    #Index<ProgramItemSecond>([\.section, \.amount], [\.rank])
    var id: Int
    @Attribute(.unique) var code: String
    @Attribute(.fullText) var title: String
    @Attribute(originalName: "group") var section: Int
    @Attribute(.indexed) var amount: Int64
    var tags: [String] = []
    @Attribute(.writeOnce) var born: Int
    var home: Reference<ProgramBox>?
    var rank: Int = 7

    init(_ value: ItemValue) {
        (id, code, title, section, amount) = (value.id, value.code, value.title, value.section, Int64(value.amount))
        (tags, born, home, rank) = (value.tags, value.born, value.home.map { Reference(id: $0) }, value.rank)
    }

    var value: ItemValue {
        ItemValue(
            id: id, code: code, title: title, section: section, amount: Int(amount), tags: tags, born: born, home: home?.id, rank: rank)
    }

    static let sectionName = "section"
    static let wordTest = "title has words ?"

    static func figures(in transaction: ReadTransaction) throws -> String {
        let items = transaction.fetch(Self.self)
        let groups = try items.grouped(by: \.section).aggregate(.count, .sum(\.amount))
        return try groups.map { "\($0.key): \($0.values.0), \($0.values.1)" }.joined(separator: "; ")
            + " from \(items.minimum(\.amount).map(Int.init) ?? 0) to \(items.maximum(\.amount).map(Int.init) ?? 0)"
    }
}

/// A version of its own, which converts a field; parts of words in place of words, and an index of the code ignoring case.
@Model("Item", version: 2) struct ProgramItemThird: ProgramItem {
    #Unique<ProgramItemThird>([\.code])
    #Index<ProgramItemThird>([\.home, \.amount])
    var id: Int
    @Attribute(.indexed(ignoringCase: true)) var code: String
    @Attribute(.substring) var title: String
    @Attribute(originalName: "group") var section: Int
    /// A whole number before, which a `Double` does not always hold.
    var amount: Double = 0
    @Attribute(.indexed) var tags: [String] = []
    @Attribute(.writeOnce) var born: Int
    var home: Reference<ProgramBox>?
    @Attribute(.indexed) var level: String = ""

    init(_ value: ItemValue) {
        (id, code, title, section, amount) = (value.id, value.code, value.title, value.section, Double(value.amount))
        (tags, born, home, level) = (value.tags, value.born, value.home.map { Reference(id: $0) }, value.level)
    }

    var value: ItemValue {
        ItemValue(
            id: id, code: code, title: title, section: section, amount: Int(amount), tags: tags, born: born, home: home?.id, level: level)
    }

    mutating func upgrade(from old: StoredRecord) throws {
        level = "level \(old.fieldNames.contains("rank") ? try old.value(of: "rank", as: Int.self) : 7)"
        amount = Double(try old.value(of: "amount", as: Int64.self))
        // The first version called it otherwise, and the second may have written the record.
        section = try old.value(of: old.fieldNames.contains("section") ? "section" : "group", as: Int.self)
    }

    static let sectionName = "section"
    static let wordTest = "title contains ?"

    static func figures(in transaction: ReadTransaction) throws -> String {
        let items = transaction.fetch(Self.self)
        let groups = try items.grouped(by: \.section).aggregate(.count, .sum(\.amount))
        return try groups.map { "\($0.key): \($0.values.0), \(Int($0.values.1))" }.joined(separator: "; ")
            + " from \(items.minimum(\.amount).map { Int($0) } ?? 0) to \(items.maximum(\.amount).map { Int($0) } ?? 0)"
    }
}
