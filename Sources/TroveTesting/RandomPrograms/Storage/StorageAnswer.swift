/// What an engine answers to one operation of a program.
enum StorageAnswer: Hashable, CustomStringConvertible {
    case flag(Bool)
    case count(Int)
    case value([UInt8]?)
    case values([[UInt8]?])
    case entry(Entry?)
    case entries([Entry])
    case names([String])
    case contents([String: [Entry]])
    /// There is no such keyspace.
    case absent
    /// An argument was refused, with the error of this name.
    case refused(String)
    /// The body's own error came through.
    case undone

    var description: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .count(let count): "\(count)"
        case .value(let value): value?.hexadecimal ?? "no value"
        case .values(let values): values.map { $0?.hexadecimal ?? "no value" }.joined(separator: ", ")
        case .entry(let entry): entry.map { "\($0)" } ?? "no entry"
        case .entries(let entries): Self.text(entries)
        case .names(let names): "the keyspaces \(names)"
        case .contents(let contents):
            contents.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \(Self.text($0.value))" }.joined(separator: "; ")
        case .absent: "no such keyspace"
        case .refused(let name): "the error \(name)"
        case .undone: "a rollback"
        }
    }

    private static func text(_ entries: [Entry]) -> String {
        "\(entries.count) entries [" + entries.prefix(20).map(\.description).joined(separator: ", ") + (entries.count > 20 ? ", …]" : "]")
    }

    /// Where this answer, which was expected, and another one differ, in words; the place of the first difference of long lists.
    func difference(to found: StorageAnswer) -> String {
        switch (self, found) {
        case (.entries(let expected), .entries(let found)): return Self.difference(expected, found)
        case (.contents(let expected), .contents(let found)):
            for name in Set(expected.keys).union(found.keys).sorted() where expected[name] != found[name] {
                guard let expected = expected[name] else { return "found a keyspace \(name.debugDescription), expected none" }
                guard let found = found[name] else { return "found no keyspace \(name.debugDescription), expected one" }
                return "in \(name.debugDescription) " + Self.difference(expected, found)
            }
            return "no difference"
        default: return "found \(found), expected \(self)"
        }
    }

    private static func difference(_ expected: [Entry], _ found: [Entry]) -> String {
        let place = zip(expected, found).prefix { $0 == $1 }.count
        let wanted = place < expected.count ? "\(expected[place])" : "the end"
        let got = place < found.count ? "\(found[place])" : "the end"
        return "found \(found.count) entries with \(got) at position \(place), expected \(expected.count) with \(wanted) there"
    }
}
