import TestSupport

@testable import Trove

/// Ids of which several are one and the same to Swift's `==`, and each an id of its own to a store.
enum NormalForms {
    static let ids = [
        "é", "e\u{301}", "Å", "\u{212B}", "A\u{30A}", "가", "\u{1100}\u{1161}", "q\u{323}\u{307}", "q\u{307}\u{323}", "K", "\u{212A}", "x",
    ]

    /// An id as what it is: its bytes.
    typealias Key = [UInt8]

    static func key(_ id: String) -> Key { Array(id.utf8) }

    static func text(_ key: Key) -> String { String(decoding: key, as: UTF8.self) }

    static func random(_ random: inout SeededGenerator) -> Key { key(ids.randomElement(using: &random) ?? "x") }

    static func someKeys(_ random: inout SeededGenerator) -> [Key] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.random(&random) }
    }
}

/// A model whose references are of every shape.
@Model("form song") struct FormSong {
    var id: String
    var plays: Int
    var cover: Reference<FormSong>?
    var order: [Reference<FormSong>]
    var parts: Set<Reference<FormSong>>
    var named: [String: Reference<FormSong>]
}

/// An id of two parts, which tell nothing of how its bytes compare.
struct FormEdition: StorableKey {
    var work: String
    var year: Int

    init(work: String, year: Int) {
        (self.work, self.year) = (work, year)
    }

    func encode(into key: inout KeyEncoder) {
        work.encode(into: &key)
        year.encode(into: &key)
    }

    init(from key: inout KeyDecoder) throws {
        work = try String(from: &key)
        year = try Int(from: &key)
    }

    static var keyParts: [(name: String, type: any StorableKey.Type)] { [("work", String.self), ("year", Int.self)] }
}

@Model("form edition") struct FormPrint {
    var id: FormEdition
    var others: Set<Reference<FormPrint>> = []
}

@Model("form room")
final class FormRoom {
    let id: String
    @Relationship(inverse: \FormChair.room) var chairs: [FormChair] = []

    init(id: String) {
        self.id = id
    }
}

@Model("form chair")
final class FormChair {
    let id: String
    @Relationship var room: FormRoom?
    @Relationship var tags: Set<FormTag> = []
    @Relationship var list: ObjectList<FormTag> = []

    init(id: String) {
        self.id = id
    }
}

@Model("form tag")
final class FormTag {
    let id: String

    init(id: String) {
        self.id = id
    }
}
