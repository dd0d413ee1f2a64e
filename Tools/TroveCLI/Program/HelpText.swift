/// The parser's messages for people: what they came for stands first.
enum HelpText {
    /// The options of keys, which nearly every command has and few people need, and what stands for them in a usage line.
    private static let groups: [(options: [String], word: String)] = [
        (["key-file", "passphrase-file", "passphrase-env", "field-key-file", "field-passphrase-file", "field-passphrase-env"], "[<keys>]"),
        (["new-key-file", "new-passphrase-file", "new-passphrase-env"], "[<new key>]"),
    ]

    /// The section of a store's keys, which stands last.
    private static let keysTitle = "KEYS OF ENCRYPTED STORES AND PROPERTIES:"

    /// The message with a word at the end of its usage line in place of each group of options, and the keys in a section behind all other options.
    static func arranged(_ message: String) -> String {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.lowercased().hasPrefix("usage: ") ? shortened(String($0)) : String($0)
        }
        var sections = lines.split(separator: "", omittingEmptySubsequences: false).map(Array.init)
        guard let place = sections.firstIndex(where: { $0.first == "OPTIONS:" }) else { return lines.joined(separator: "\n") }
        let keys = takeKeys(from: &sections[place])
        // Help ends with an empty line.
        if !keys.isEmpty { sections.insert([keysTitle] + keys, at: sections.last == [] ? sections.count - 1 : sections.count) }
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// Takes the options of a store's keys out of a section, each with the lines of its help.
    private static func takeKeys(from section: inout [String]) -> [String] {
        let starts = groups[0].options.map { "  --\($0) " }
        var isKey = false
        let marked = section.map { line in
            // A line that is further in goes on with the option above it.
            if !line.hasPrefix("   ") { isKey = starts.contains { line.hasPrefix($0) } }
            return (line, isKey)
        }
        section = marked.filter { !$0.1 }.map(\.0)
        return marked.filter(\.1).map(\.0)
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
