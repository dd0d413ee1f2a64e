/// The texts of a collection's documents that searches for words look into, with the weight of each in ranking.
///
/// ```swift
/// try notes.setFullText(["title": 3, "author.name": 1, "tags": 1])
/// try notes.setFullText(.everyText(FullTextOptions(stemming: .english)))
/// ```
///
/// A path stands for the text there and for all texts below it. It goes through arrays: `lines.comment` are the comments of all lines. Numbers, dates and
/// other values have no words, nor have names, and values in dictionaries whose keys are not text.
public struct DocumentFullText: Sendable, Hashable {
    /// The texts at one path and below it.
    public struct Field: Sendable, Hashable {
        /// The path by which queries name the texts: `title:fjord`, ``DocumentPath/document`` for the whole document.
        public var path: DocumentPath
        /// The weight of a hit in ranking; finite and at least 0. With 0 the texts are searched and do not rank.
        public var weight: Double

        /// The texts at a path, with the weight of a hit.
        public init(_ path: DocumentPath, weight: Double = 1) {
            self.path = path
            self.weight = weight
        }
    }

    /// The paths, at most ``FullTextFields/limit``, and at most 4 with the same texts: one and those above it. None for no full text.
    public var fields: [Field]
    /// The rules by which texts are split into words.
    public var options: FullTextOptions

    /// The texts at some paths. What is wrong with them is told by the call that is given them.
    public init(_ fields: [Field], options: FullTextOptions = FullTextOptions()) {
        self.fields = fields
        self.options = options
    }

    /// The texts at some paths, each with the weight of a hit.
    public init(_ weights: KeyValuePairs<DocumentPath, Double>, options: FullTextOptions = FullTextOptions()) {
        self.init(weights.map { Field($0.key, weight: $0.value) }, options: options)
    }

    /// No full text.
    public static let none = DocumentFullText([Field]())

    /// Every text of a document, as one field.
    public static let everyText = DocumentFullText([Field(.document)])

    /// Every text of a document, as one field, split into words by these rules.
    public static func everyText(_ options: FullTextOptions) -> DocumentFullText { DocumentFullText([Field(.document)], options: options) }

    /// The texts at these paths, which all have the weight 1.
    public static func only(_ paths: DocumentPath..., options: FullTextOptions = FullTextOptions()) -> DocumentFullText {
        DocumentFullText(paths.map { Field($0) }, options: options)
    }
}

extension DocumentFullText: ExpressibleByDictionaryLiteral {
    /// The texts at some paths, each with the weight of a hit.
    public init(dictionaryLiteral elements: (DocumentPath, Double)...) {
        self.init(elements.map { Field($0.0, weight: $0.1) })
    }
}

extension DocumentPath {
    /// The path to the whole document.
    public static let document = DocumentPath([])
}

extension DocumentFullText {
    /// The index that keeps the words; nil when there are none to keep.
    var schema: IndexSchema? {
        if fields.isEmpty { return nil }
        return IndexSchema(
            TroveError.indexOfDocumentWords, kind: .fullText(options, weights: fields.map(\.weight)),
            parts: fields.map { IndexPart($0.path.fieldPath(from: nil)) })
    }

    /// What the index of a collection keeps; a name of up to nine digits comes back as a position, which means the same here.
    init(_ schema: IndexSchema) {
        guard case .fullText(let options, let weights) = schema.kind else {
            self = .none
            return
        }
        self.init(zip(schema.parts, weights).map { Field(DocumentPath($0.path.insideDocument), weight: $1) }, options: options)
    }
}

extension IndexSchema {
    /// How many paths of a collection's full text may have the same texts: a bound on what a document takes when its words are gathered.
    private static let maxOverlap = 4

    /// What is wrong with the paths of a collection's full text; nil when nothing is.
    var overlapProblem: String? {
        let paths = parts.map(\.path.namesInDocument)
        // Of all paths that have a text, the longest one meets the others.
        let crowded = paths.indices.first { place in
            paths.count { $0.count <= paths[place].count && Self.mayMeet($0, paths[place]) } > Self.maxOverlap
        }
        return crowded.map { "more than \(Self.maxOverlap) of its paths have the texts at \(parts[$0].path); leave out some of them" }
    }

    /// Whether two paths may have the same texts: neither tells where they part.
    private static func mayMeet(_ left: [String], _ right: [String]) -> Bool {
        guard let (left, right) = zip(left, right).first(where: { !$0.hasBytes(of: $1) }) else { return true }
        // Two names lead apart, and so do two positions. A name leads through arrays.
        return (left.position == nil) != (right.position == nil)
    }
}

extension FieldPath {
    /// The names from the whole document on.
    fileprivate var namesInDocument: [String] { field == DocumentField.root ? names : [field] + names }

    /// The steps from the whole document on.
    fileprivate var insideDocument: [DocumentPath.Step] {
        namesInDocument.map { name in name.position.map { .position($0) } ?? .name(name) }
    }
}

extension String {
    /// The position of an element that the name may be, to those who read values; nil when it is a name alone.
    fileprivate var position: Int? { FieldContainer.position(named: Array(utf8)) }
}
