import Trove

/// A line that a person gives a shell.
enum ShellLine: Equatable {
    /// A setting, as `.timing on`.
    case setting(name: String, argument: String?)
    /// A model's name, and what is true of the records that are sought.
    case query(model: String, criteria: String?)
    /// A command of the program with its arguments, without the store.
    case command([String])

    /// - Parameters:
    ///   - commands: the names of the program's commands.
    ///   - models: the names of the store's models and collections.
    /// - Throws: ``CommandError/notALine(reason:)``.
    init?(_ text: String, commands: Set<String>, models: Set<String>) throws {
        let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        if first.hasPrefix(".") || ["quit", "exit"].contains(first) && words.count == 1 {
            self = .setting(name: String(first.drop { $0 == "." }), argument: words.dropFirst().first.map { Self.trimmed($0) })
        } else if commands.contains(first) {
            self = .command(try Self.words(text))
        } else if models.contains(first) {
            self = .query(model: first, criteria: words.dropFirst().first.map { Self.trimmed($0) })
        } else {
            let near = CommandWords.meant(by: first).map { [$0] } ?? NearName.nearest(to: first, in: (commands.union(models)).sorted())
            let advice = near.isEmpty ? ".help lists the commands, .models the models" : "did you mean \(near.map { "'\($0)'" }.formattedAsChoice)?"
            throw CommandError.notALine(reason: "'\(first)' is no command and no model of the store; \(advice)")
        }
    }

    /// Whether a line goes on in the next one: it ends in a backslash, or within quotes.
    static func goesOn(_ text: String) -> Bool { text.hasSuffix("\\") || openQuote(of: text) != nil }

    /// The quotation mark that has no second one; nil when all have. A backslash takes the next character for itself, as in ``words(_:)``; one at the end,
    /// behind which the line goes on, takes none.
    private static func openQuote(of text: String) -> Character? {
        var open: Character?
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch (character, open) {
            case ("\\", nil), ("\\", "\""): _ = rest.popFirst()
            case (_, let mark?) where character == mark: open = nil
            case ("'", nil), ("\"", nil): open = character
            default: break
            }
        }
        return open
    }

    /// The words of a line: what stands in quotes is one, and a backslash takes the next character for itself, but within single quotes.
    static func words(_ text: String) throws -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = Substring(text)
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", nil), ("\"", nil):
                quote = character
                word = word ?? ""
            case (_, let open?) where character == open: quote = nil
            case ("\\", nil), ("\\", "\""): if let next = rest.popFirst() { word = (word ?? "") + String(next) }
            case (_, nil) where character.isWhitespace:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { throw CommandError.notALine(reason: "a quotation mark has no second one") }
        return words + (word.map { [$0] } ?? [])
    }

    private static func trimmed(_ text: String) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
