/// What an item says, whatever the version of its model.
struct ItemValue: Codable, Hashable, Sendable {
    var id: Int
    var code: String
    var title: String
    var section: Int
    var amount: Int
    /// Of the first version only.
    var note: String?
    var tags: [String] = []
    /// The first value that was stored stays.
    var born: Int
    var home: Int?
    /// Of the second version only.
    var rank = 7
    /// Of the third version only.
    var level = ""

    /// What an object of a version says of it.
    func seen(by version: Int) -> ItemValue {
        var value = self
        if version != 1 { value.note = nil }
        if version != 2 { value.rank = 7 }
        if version != 3 { value.level = "" }
        return value
    }

    /// One line.
    var text: String {
        "item \(id): \(code), '\(title)', section \(section), amount \(amount), note \(note ?? "-"), \(tags), born \(born), "
            + "home \(home.map(String.init) ?? "-"), rank \(rank), \(level)"
    }
}
