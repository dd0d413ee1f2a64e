/// Finds the words of a full-text query in a text, and marks them.
///
/// ```swift
/// let highlighter = try FullTextHighlighter("autumn lea*", fields: FullTextFields("title"))
/// highlighter.highlighted("Autumn Leaves", before: "<b>", after: "</b>")   // "<b>Autumn</b> <b>Leaves</b>"
/// ```
///
/// It works on plain texts, and needs no store. What is marked is what the query looks for: words and phrases under a `not` are
/// left alone, words of a phrase are marked where they form it. Those of a word that splits are marked wherever they stand when the options keep no positions,
/// since the index finds them so.
public struct FullTextHighlighter: Sendable {
    let fields: FullTextFields
    private let options: FullTextOptions
    /// What the query looks for, and in which fields.
    private let wanted: [(elements: [AnalyzedQuery.Element], fields: UInt64)]

    /// A highlighter for a query of an index with these fields and options.
    ///
    /// - Throws: ``TroveError/unsupportedFullTextQuery(index:reason:)`` for fields there are not;
    ///   ``TroveError/invalidFullTextFields(reason:)``.
    public init(_ query: FullTextQuery, fields: FullTextFields, options: FullTextOptions = FullTextOptions()) throws {
        self.fields = fields
        self.options = options
        let index = try FullTextIndex(name: fields.fields.map(\.name).joined(separator: ", "), fields: fields, options: options)
        // A text shows where phrases stand even if the index cannot tell.
        wanted = Self.wanted(try AnalyzedQuery(query, index, isOfIndex: false))
    }

    /// A highlighter for a query that is written as text.
    ///
    /// - Throws: ``TroveError/invalidFullTextQuery(text:position:reason:)`` too.
    public init(_ query: String, fields: FullTextFields, options: FullTextOptions = FullTextOptions()) throws {
        try self.init(FullTextQuery(query), fields: fields, options: options)
    }

    /// The ranges of the query's words and phrases in the text of a field, ascending and without overlap.
    ///
    /// `field` is the name of the field the text is of; nil for the first one. For a field there is not, nothing is found.
    public func ranges(in text: String, field: String? = nil) -> [Range<String.Index>] {
        let analyzed = AnalyzedText(text, options)
        return Self.marks(hits(analyzed, field)).map { Self.range(Self.source(analyzed, $0), in: text) }
    }

    /// The text with `before` and `after` around each word and phrase of the query. Nothing else is changed; escape the text before, or the
    /// marks after, where they go into HTML.
    public func highlighted(_ text: String, field: String? = nil, before: String, after: String) -> String {
        let analyzed = AnalyzedText(text, options)
        return marked(text, analyzed, Self.marks(hits(analyzed, field)), within: 0..<text.utf8.count, before, after)
    }

    /// The part of the text with the most different words of the query, marked like ``highlighted(_:field:before:after:)``.
    ///
    /// - Parameters:
    ///   - words: how many words the part has, at least 1.
    ///   - ellipsis: what stands where text is left out.
    public func snippet(
        of text: String, field: String? = nil, words: Int = 16, before: String, after: String, ellipsis: String = "…"
    ) -> String {
        let analyzed = AnalyzedText(text, options)
        let hits = hits(analyzed, field)
        let marks = Self.marks(hits)
        let window = window(analyzed, hits, max(1, min(words, analyzed.words.count)))
        guard let first = window.first, let last = window.last else { return text }
        let lower = first == 0 ? 0 : analyzed.words[first].source.lowerBound
        let upper = last == analyzed.words.count - 1 ? text.utf8.count : analyzed.words[last].source.upperBound
        let part = marked(text, analyzed, marks, within: lower..<upper, before, after)
        return (first == 0 ? "" : ellipsis) + part + (last == analyzed.words.count - 1 ? "" : ellipsis)
    }

    // MARK: Finding

    private static func wanted(_ query: AnalyzedQuery) -> [(elements: [AnalyzedQuery.Element], fields: UInt64)] {
        switch query {
        case .words(let elements, let fields): [(elements, fields)]
        case .all(let parts), .any(let parts): parts.flatMap(wanted)
        case .not, .nothing: []
        }
    }

    /// The words of the text that are to be marked, as ranges of their numbers, for each part of the query.
    private func hits(_ text: AnalyzedText, _ field: String?) -> [[ClosedRange<Int>]] {
        guard let position = field.map(fields.position(of:)) ?? 0 else { return [] }
        return text.matches(ofEach: wanted.filter { $0.fields & 1 << UInt64(position) != 0 }.map(\.elements))
    }

    /// The same for all parts together, ascending, those that overlap joined.
    private static func marks(_ hits: [[ClosedRange<Int>]]) -> [ClosedRange<Int>] {
        var marks: [ClosedRange<Int>] = []
        for hit in hits.joined().sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = marks.last, hit.lowerBound <= last.upperBound {
                marks[marks.count - 1] = last.lowerBound...max(last.upperBound, hit.upperBound)
            } else {
                marks.append(hit)
            }
        }
        return marks
    }

    /// The words of the snippet: those with hits of the most parts, then with the most hits, then those nearest to each other.
    private func window(_ text: AnalyzedText, _ hits: [[ClosedRange<Int>]], _ size: Int) -> Range<Int> {
        // A hit that is longer than the window begins it.
        let all = hits.enumerated().flatMap { part, hits in hits.map { (part: part, start: $0.lowerBound, end: min($0.upperBound, $0.lowerBound + size - 1)) } }
        let (leaving, entering) = (all.sorted { $0.start < $1.start }, all.sorted { $0.end < $1.end })
        var window = HitWindow(partCount: hits.count)
        var best = (start: 0, end: 0, parts: 0, hits: 0)
        var (left, entered) = (0, 0)
        while left < leaving.count {
            // As each hit has its turn as the first, it is inside before it leaves.
            let start = leaving[left].start
            while entered < entering.count, entering[entered].end < start + size {
                if entering[entered].start >= start { window.enter(entering[entered]) }
                entered += 1
            }
            let end = window.end(from: start)
            if (window.parts, window.hits, best.end - best.start) > (best.parts, best.hits, end - start) { best = (start, end, window.parts, window.hits) }
            while left < leaving.count, leaving[left].start == start {
                window.leave(leaving[left])
                left += 1
            }
        }
        // The hits stand in the middle of their context.
        let spare = max(0, size - (best.end - best.start + 1))
        let start = max(0, min(best.start - spare / 2, text.words.count - size))
        return start..<min(text.words.count, start + size)
    }

    // MARK: Marking

    private static func source(_ text: AnalyzedText, _ mark: ClosedRange<Int>) -> Range<Int> {
        text.words[mark.lowerBound].source.lowerBound..<text.words[mark.upperBound].source.upperBound
    }

    private static func range(_ bytes: Range<Int>, in text: String) -> Range<String.Index> {
        text.utf8.index(text.startIndex, offsetBy: bytes.lowerBound)..<text.utf8.index(text.startIndex, offsetBy: bytes.upperBound)
    }

    private func marked(
        _ text: String, _ analyzed: AnalyzedText, _ marks: [ClosedRange<Int>], within bounds: Range<Int>, _ before: String, _ after: String
    ) -> String {
        var marked = ""
        var position = bounds.lowerBound
        for mark in marks {
            let source = Self.source(analyzed, mark).clamped(to: bounds)
            if source.isEmpty { continue }
            marked += text[Self.range(position..<source.lowerBound, in: text)]
            marked += before
            marked += text[Self.range(source, in: text)]
            marked += after
            position = source.upperBound
        }
        return marked + text[Self.range(position..<bounds.upperBound, in: text)]
    }
}

/// The hits in a part of a text that moves towards its end.
private struct HitWindow {
    typealias Hit = (part: Int, start: Int, end: Int)

    /// How many there are of each part of the query.
    private var counts: [Int]
    /// Their ends, ascending, among those of hits that have left.
    private var ends: [Hit] = []
    private(set) var parts = 0
    private(set) var hits = 0

    init(partCount: Int) { counts = Array(repeating: 0, count: partCount) }

    mutating func enter(_ hit: Hit) {
        ends.append(hit)
        hits += 1
        counts[hit.part] += 1
        if counts[hit.part] == 1 { parts += 1 }
    }

    mutating func leave(_ hit: Hit) {
        hits -= 1
        counts[hit.part] -= 1
        if counts[hit.part] == 0 { parts -= 1 }
    }

    /// The last word of those that begin at `start` or behind it.
    mutating func end(from start: Int) -> Int {
        while let last = ends.last, last.start < start { ends.removeLast() }
        return ends.last?.end ?? start
    }
}
