/// The selection of values for a collection's index of all paths.
///
/// ```swift
/// try store.documents("notes").setIndexing(.all.excluding("log", "raw.headers"))
/// ```
///
/// It changes how fast conditions are answered, never the answer.
public struct DocumentIndexing: Sendable, Hashable {
    /// The paths that are indexed, each with all paths below it; empty for all.
    public internal(set) var included: [DocumentPath] = []
    /// The paths that are not indexed, each with all paths below it.
    public internal(set) var excluded: [DocumentPath] = []
    /// Whether only texts are indexed.
    public internal(set) var isTextOnly = false

    /// All values.
    public static let all = DocumentIndexing()
    /// All texts.
    public static let textOnly: DocumentIndexing = {
        var indexing = DocumentIndexing()
        indexing.isTextOnly = true
        return indexing
    }()

    /// The values at these paths and below them.
    public static func only(_ paths: DocumentPath...) -> DocumentIndexing {
        var indexing = DocumentIndexing()
        indexing.included = paths
        return indexing
    }

    /// The same selection without the values at these paths and below them.
    public func excluding(_ paths: DocumentPath...) -> DocumentIndexing {
        var indexing = self
        indexing.excluded += paths
        return indexing
    }
}

extension DocumentIndexing {
    /// What the catalogue keeps of it.
    var stored: StoredValue {
        .object([
            "included": .array(included.map { .string("\($0)") }), "excluded": .array(excluded.map { .string("\($0)") }), "text": .bool(isTextOnly),
        ])
    }

    /// Whether all paths are indexed.
    var hasAllPaths: Bool { included.isEmpty && excluded.isEmpty }

    /// What the index has of a path.
    enum Coverage {
        /// Its values.
        case covered
        /// Nothing of the path itself, but perhaps of some below it.
        case passedThrough
        /// Nothing of it and of those below it.
        case none
    }

    /// - Parameter names: the path's names, as UTF-8; the elements of arrays go by the path of the array.
    func coverage(of names: [[UInt8]]) -> Coverage {
        if excluded.contains(where: { names.starts(with: $0.utf8Names) }) { return .none }
        if included.isEmpty || included.contains(where: { names.starts(with: $0.utf8Names) }) { return .covered }
        return included.contains { $0.utf8Names.starts(with: names) } ? .passedThrough : .none
    }
}

extension DocumentPath {
    fileprivate var utf8Names: [[UInt8]] {
        steps.compactMap { step in if case .name(let name) = step { Array(name.utf8) } else { nil } }
    }
}
