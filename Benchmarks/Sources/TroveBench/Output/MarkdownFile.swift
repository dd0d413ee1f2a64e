import Foundation

/// A Markdown file that has a place for results between two lines, alone or within other text.
struct MarkdownFile {
    static let begin = "<!-- trove-bench: begin -->"
    static let end = "<!-- trove-bench: end -->"

    let path: String

    /// Throws when there is a file without a place for results, which writing them would destroy.
    func check() throws {
        _ = try parts()
    }

    /// Writes results in their place, or a new file that has nothing else.
    func write(_ results: String) throws {
        let (before, after) = try parts()
        let text = results.hasSuffix("\n") ? results : results + "\n"
        try Data("\(before)\(Self.begin)\n\(text)\(Self.end)\(after)".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// What stands before and after the place.
    private func parts() throws -> (before: Substring, after: Substring) {
        guard FileManager.default.fileExists(atPath: path) else { return ("", "\n") }
        let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        guard let begin = text.range(of: Self.begin), let end = text.range(of: Self.end, range: begin.upperBound..<text.endIndex) else {
            throw BenchmarkError("\(path) has no place for the results; add the lines '\(Self.begin)' and '\(Self.end)' to it, or name a new file")
        }
        return (text[..<begin.lowerBound], text[end.upperBound...])
    }
}
