/// The parser's messages for people: what they came for stands first.
enum HelpText {
    /// The options of keys, which nearly every command has and few people need, and what stands for them in a usage line.
    private static let groups: [(options: [String], word: String)] = [
        (["key-file", "passphrase-file", "passphrase-env", "field-key-file", "field-passphrase-file", "field-passphrase-env"], "[<keys>]"),
        (["new-key-file", "new-passphrase-file", "new-passphrase-env"], "[<new key>]"),
    ]

    /// The section of help that stands last.
    private static let last = KeyOptions.title.uppercased() + ":"

    /// The message with a word at the end of its usage line in place of each group of options, and the keys behind all other options.
    static func arranged(_ message: String) -> String {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { $0.lowercased().hasPrefix("usage: ") ? shortened(String($0)) : String($0) }
        var sections = lines.split(separator: "", omittingEmptySubsequences: false).map(Array.init)
        guard let place = sections.firstIndex(where: { $0.first == last }) else { return lines.joined(separator: "\n") }
        let section = sections.remove(at: place)
        // Help ends with an empty line.
        sections.insert(section, at: sections.last == [] ? sections.count - 1 : sections.count)
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// What every command that shows something has.
    private static let outputOptions = " [--output <output>] [--spreadsheet]"

    /// What stands in a line that has room for it.
    private static let changeOptions = " [--dry-run] [--values]"
    private static let longestUsage = 150

    private static func shortened(_ usage: String) -> String {
        let line = groups.reduce(usage.replacing(outputOptions, with: " [<output>]")) { line, group in
            let options = group.options.map { " [--\($0) <\($0)>]" }.joined()
            return line.contains(options) ? line.replacing(options, with: "") + " " + group.word : line
        }
        return line.count > longestUsage ? line.replacing(changeOptions, with: "") : line
    }
}
