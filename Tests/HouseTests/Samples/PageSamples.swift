import Foundation

/// The samples of a page of the documentation, as a source that the compiler can read.
///
/// Each sample is a type of its own, nested in the page's type. So it knows what the page's surroundings declare and nothing of another sample. Its types
/// become members of it, its functions static ones, and its statements the body of a function.
struct PageSamples {
    struct Sample {
        /// The number of the page's line that is its first.
        let line: Int
        let lines: [Substring]
    }

    /// The comment above a sample, unseen by readers, that says why it is not compiled.
    static let mark = "<!-- not compiled: "

    /// The path of the page in the package, which errors name.
    let path: String
    private(set) var samples: [Sample] = []
    /// Why samples that the page marks are not compiled, a reason each.
    private(set) var reasons: [String] = []
    /// The numbers of the lines where samples begin that are not read, because spaces stand before them.
    private(set) var indented: [Int] = []

    init(_ text: String, path: String) {
        self.path = path
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var place = 0
        while place < lines.count {
            defer { place += 1 }
            guard lines[place] == "```swift" else {
                if lines[place].first == " ", lines[place].trimmingCharacters(in: .whitespaces) == "```swift" { indented.append(place + 1) }
                continue
            }
            let start = place + 1
            place = lines[start...].firstIndex(of: "```") ?? lines.count
            if start > 1, lines[start - 2].hasPrefix(Self.mark) {
                reasons.append(String(lines[start - 2].dropFirst(Self.mark.count).prefix { $0 != ">" }))
            } else {
                samples.append(Sample(line: start + 1, lines: Array(lines[start..<place])))
            }
        }
    }

    /// The name of the page's type, `LazyValuesPage` of `docs/lazy-values.md`.
    var typeName: String { Self.typeName(ofPage: URL(filePath: path).deletingPathExtension().lastPathComponent) }

    static func typeName(ofPage name: String) -> String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Page"
    }

    /// The source, with the lines of the page as the places of errors.
    ///
    /// - Parameter imports: what the page's surroundings import.
    func source(importing imports: Set<Substring>) -> String {
        var imports = imports
        var text = ""
        for (number, sample) in samples.enumerated() {
            let pieces = Self.pieces(of: sample)
            imports.formUnion(pieces.lazy.filter { $0.kind == .imports }.map(\.text).map { $0.prefix { $0 != "/" } })
            text += "extension \(typeName) { enum Sample\(number + 1) {\n"
            for piece in pieces where piece.kind == .declaration { text += place(piece.line) + piece.text + "\n" }
            text += body(pieces.filter { $0.kind == .statement || $0.kind == .gap })
            text += "#sourceLocation()\n} }\n"
        }
        return imports.sorted().joined(separator: "\n") + "\n" + text
    }

    private func place(_ line: Int) -> String { "#sourceLocation(file: \"\(path)\", line: \(line))\n" }

    /// The functions that have the statements, a new one behind each line that leaves something out.
    private func body(_ pieces: [Piece]) -> String {
        var text = ""
        for (number, part) in pieces.split(whereSeparator: { $0.kind == .gap }).enumerated() {
            // Where both forms of calls are shown, the synchronous ones are those of a function that is not asynchronous.
            let isAsync = part.contains { $0.waits } && !part.contains { $0.throwsAtOnce }
            let hasBoth = !isAsync && part.contains { $0.waits }
            text += "static func run\(number)() \(isAsync ? "async throws" : "throws") {\n"
            for (number, piece) in part.enumerated() {
                let needsFunction = hasBoth && piece.waits
                if needsFunction { text += "func step\(number)() async throws {\n" }
                text += place(piece.line) + piece.text + "\n"
                if needsFunction { text += "}\n" }
            }
            text += "}\n"
        }
        return text
    }
}

// MARK: - Pieces

extension PageSamples {
    /// A declaration or statement of a sample that is in no other.
    private struct Piece {
        enum Kind { case imports, declaration, statement, gap }

        let kind: Kind
        let line: Int
        let text: String

        /// Whether it waits for something asynchronous.
        var waits: Bool { text.contains("await ") }
        /// Whether it can throw without having waited.
        var throwsAtOnce: Bool { text.contains("try ") && !waits }
    }

    private static func pieces(of sample: Sample) -> [Piece] {
        var pieces: [Piece] = []
        var (start, depth) = (0, 0)
        for (place, line) in sample.lines.enumerated() {
            depth += self.depth(of: line)
            let next = sample.lines[(place + 1)...].first?.trimmingCharacters(in: .whitespaces) ?? ""
            let goesOn = depth > 0 || [".", "}", "else", "&&", "||", "?", ":", ")"].contains { next.hasPrefix($0) }
            let text = sample.lines[start...place].joined(separator: "\n")
            guard !goesOn || place == sample.lines.count - 1, let kind = kind(of: text) else { continue }
            pieces.append(Piece(kind: kind, line: sample.line + start, text: compilable(text)))
            start = place + 1
        }
        return pieces
    }

    /// How many brackets a line opens that it does not close.
    private static func depth(of line: Substring) -> Int {
        var (depth, isText, last) = (0, false, Character(" "))
        for character in line {
            if character == "\"", last != "\\" { isText.toggle() }
            if !isText {
                if character == "/", last == "/" { break }
                if "([{".contains(character) { depth += 1 } else if ")]}".contains(character) { depth -= 1 }
            }
            last = character
        }
        return depth
    }

    /// What a piece is; nil while only comments and attributes of it are there.
    private static func kind(of text: String) -> Piece.Kind? {
        let code = text.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }.joined(separator: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        if code == "…" { return .gap }
        let words = code.split { $0.isWhitespace }.drop { word in
            word.hasPrefix("@") || word.hasSuffix(")") && code.hasPrefix("@") && !word.contains("{")
                || ["final", "private", "public", "nonisolated", "indirect"].contains(word)
        }
        switch words.first {
        case nil: return nil
        case "import": return .imports
        case "struct", "class", "enum", "protocol", "actor", "typealias", "func": return .declaration
        default: return .statement
        }
    }

    /// The text without what the page leaves out for its readers, and with functions as those of a type.
    private static func compilable(_ text: String) -> String {
        var lines = text.replacing("{ … }", with: "{ fatalError() }").replacing("throw … ", with: "throw CancellationError() ")
            .replacing("@main ", with: "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for place in lines.indices {
            if lines[place].hasPrefix("func ") { lines[place] = "static " + lines[place] }
            if lines[place].trimmingCharacters(in: .whitespaces) == "…" { lines[place] = "" }
        }
        return lines.joined(separator: "\n")
    }
}
