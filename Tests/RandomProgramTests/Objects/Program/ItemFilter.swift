import Trove

/// Which items a step means; of several conditions all.
struct ItemFilter: Codable, Hashable, Sendable {
    var section: Int?
    var above: Int?
    var tag: String?
    var word: String?
    var home: Int?
    var homeName: String?
    var fromID: Int?
    var upToID: Int?

    /// With a condition less.
    var simplerForms: [ItemFilter] {
        let paths: [WritableKeyPath<ItemFilter, Int?>] = [\.section, \.above, \.home, \.fromID, \.upToID]
        let texts: [WritableKeyPath<ItemFilter, String?>] = [\.tag, \.word, \.homeName]
        return paths.filter { self[keyPath: $0] != nil }.map { changed($0) } + texts.filter { self[keyPath: $0] != nil }.map { changed($0) }
    }

    private func changed<Value>(_ path: WritableKeyPath<ItemFilter, Value?>) -> ItemFilter {
        var filter = self
        filter[keyPath: path] = nil
        return filter
    }

    /// The conditions as criteria text, with its arguments.
    func criteria<Item: ProgramItem>(for type: Item.Type) -> (text: String, arguments: [Any?]) {
        var parts: [(String, Any?)] = []
        if let section { parts.append(("\(Item.sectionName) = ?", section)) }
        if let above { parts.append(("amount > ?", above)) }
        if let tag { parts.append(("any tags = ?", tag)) }
        if let word { parts.append((Item.wordTest, word)) }
        if let home { parts.append(("home = ?", Reference<ProgramBox>(id: home))) }
        if let homeName { parts.append(("home.name = ?", homeName)) }
        if let fromID { parts.append(("id >= ?", fromID)) }
        if let upToID { parts.append(("id < ?", upToID)) }
        return (parts.map(\.0).joined(separator: " and "), parts.map(\.1))
    }

    /// Whether an item passes; `homeNames` are those of the boxes that are stored. From the third version on titles are searched for parts of words.
    func passes(_ item: ItemValue, homeNames: [Int: String], version: Int) -> Bool {
        if let section, item.section != section { return false }
        if let above, item.amount <= above { return false }
        if let tag, !item.tags.contains(tag) { return false }
        if let word {
            let hasWord = version < 3 ? item.title.split(separator: " ").contains(Substring(word)) : item.title.contains(word)
            if !hasWord { return false }
        }
        if let home, item.home != home { return false }
        if let homeName, item.home.flatMap({ homeNames[$0] }) != homeName { return false }
        if let fromID, item.id < fromID { return false }
        if let upToID, item.id >= upToID { return false }
        return true
    }
}
