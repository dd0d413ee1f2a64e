import Foundation

/// The pages of a module's reference, the folder `Module.docc` beside its sources, and the public names that these sources declare; both read as text.
struct ReferencePages {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let module: String
    /// The path of the first page in the package.
    let firstPage: String
    /// The text of each page by its file's name.
    let pages: [String: String]
    /// All sources of the module, one after the other.
    let sources: String

    init(module: String) throws {
        self.module = module
        let path = ["Sources/\(module)", "Backends/\(module)"].first { FileManager.default.fileExists(atPath: Self.package.appending(path: $0).path) }
        guard let path else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: module]) }
        let folder = Self.package.appending(path: path)
        firstPage = "\(path)/\(module).docc/\(module).md"
        let pages = folder.appending(path: "\(module).docc")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: pages.path)) ?? []
        self.pages = try Dictionary(uniqueKeysWithValues: names.filter { $0.hasSuffix(".md") }.map {
            ($0, try String(contentsOf: pages.appending(path: $0), encoding: .utf8))
        })
        var sources = ""
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)! where file.pathExtension == "swift" {
            sources += try String(contentsOf: file, encoding: .utf8) + "\n"
        }
        self.sources = sources
    }

    /// The library products of the manifest, and the memory engine, which `import Trove` brings along.
    static func modules() throws -> Set<String> {
        let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
        return Set(manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) } + ["TroveMemory"])
    }

    // MARK: - What there is

    /// The public types, functions and macros of a module, as DocC names them: `Fetch`, and `Model(_:version:)` of a macro. Those with an underscore in front
    /// are not for readers.
    static func topLevelNames(in sources: String) -> Set<String> {
        let attributes = #"(?!@_spi)(?:@\w+(?:\([^)]*\))? )*"#
        let kinds = "struct|class|enum|protocol|actor|typealias|func|macro|let|var"
        return Set(matches(of: "(?m)^\(attributes)public (?:final |indirect |nonisolated )*(\(kinds)) (\\w+)", in: sources).compactMap { groups in
            let name = sources[groups[2]]
            if name.hasPrefix("_") { return nil }
            return String(name) + (["func", "macro"].contains(sources[groups[1]]) ? labels(sources[groups[2].upperBound...]) : "")
        })
    }

    /// The names of all members that sources declare, of whatever type.
    static func memberNames(in sources: String) -> Set<Substring> {
        let names = matches(of: #"\b(?:func|var|let|case|struct|enum|class|typealias) (\w+)"#, in: sources).map { sources[$0[1]] }
        return Set(names).union(["init", "subscript"])
    }

    /// The links to symbols in comments that say what is found out without them: a module in front, which the script puts there, and what tells a function
    /// from its asynchronous twin, which is on the same page.
    static func wordyLinks(in sources: String, modules: Set<String>) -> [String] {
        let pattern = "``(?:(?:\(modules.sorted().joined(separator: "|")))/[^`\\n]*|[^`\\n]*-swift\\.[^`\\n]*)``"
        return matches(of: pattern, in: sources).map { String(sources[$0[0]]) }
    }

    /// The places of a pattern and its groups. The regular expressions of Swift take seconds for the library's sources in a debug build.
    private static func matches(of pattern: String, in text: String) -> [[Range<String.Index>]] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).compactMap { Range(match.range(at: $0), in: text) }
        }
    }

    /// The labels of a declaration's parameters, `(_:version:)`, from its text behind the name.
    private static func labels(_ text: Substring) -> String {
        var labels = ""
        var (depth, takesLabel) = (0, false)
        for place in text.indices {
            let character = text[place]
            // The one of an arrow closes nothing.
            let closes = ")]}>".contains(character) && !text[...place].hasSuffix("->")
            depth += "([<{".contains(character) ? 1 : closes ? -1 : 0
            if depth == 0, character == ")" { break }
            // Generic parameters stand before the bracket.
            if depth == 1, character == "(" || (character == "," && takesLabel) {
                let label = text[text.index(after: place)...].drop { $0.isWhitespace }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                if !label.isEmpty { labels += label + ":" }
                takesLabel = true
            }
        }
        return "(\(labels))"
    }

    // MARK: - What the pages name

    /// The names in the topics of a page, without what tells overloads apart.
    static func topics(of page: String) -> [String] {
        page.matches(of: /^- ``([^`]+?)(?:-(?:enum\.case|swift\.\w+|type\.\w+))?``$/.anchorsMatchLineEndings()).map { String($0.1) }
    }

    /// The name in a page's title, `ObjectStore` of `# ``Trove/ObjectStore```.
    static func title(of page: String) -> String? {
        page.firstMatch(of: /^# ``(?:\w+\/)?(\w+)``/).map { String($0.1) }
    }
}
