import Foundation

/// A Markdown file that holds the results, alone or in a place of their own within other text.
struct MarkdownFile {
    static let begin = "<!-- trove-bench: begin -->"
    static let end = "<!-- trove-bench: end -->"

    let path: String

    /// Writes the results between the file's marks, or the whole file when it has none.
    func write(_ results: String) throws {
        let url = URL(fileURLWithPath: path)
        var text = results
        if FileManager.default.fileExists(atPath: path) {
            let old = try String(contentsOf: url, encoding: .utf8)
            if let begin = old.range(of: Self.begin), let end = old.range(of: Self.end, range: begin.upperBound..<old.endIndex) {
                text = "\(old[..<begin.upperBound])\n\(results)\(old[end.lowerBound...])"
            }
        }
        try Data(text.utf8).write(to: url)
    }
}
