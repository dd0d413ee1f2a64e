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

/// The attributes in which the documents of a collection have the dates of their saves.
///
/// ```swift
/// try store.documents("notes").setDates(DocumentDates())                             // "created" and "modified"
/// try store.documents("logs").setDates(DocumentDates(creation: "at", modification: nil))
/// ```
///
/// The creation date is that of the first save, and later saves leave it as it is; the modification date is that of the last save that changed something. See
/// ``AttributeOption/creationDate``. A document that is no more than a text, a number or a list has no dates.
public struct DocumentDates: Sendable, Hashable {
    /// The name of the attribute with the date of the first save; nil for none.
    public var creation: String?
    /// The name of the attribute with the date of the last save that changed something; nil for none.
    public var modification: String?

    /// Dates in attributes of these names; nil for no such date.
    public init(creation: String? = "created", modification: String? = "modified") {
        self.creation = creation
        self.modification = modification
    }

    /// No dates.
    public static let none = DocumentDates(creation: nil, modification: nil)
}

extension DocumentDates {
    /// What the catalogue keeps of it.
    var stored: StoredValue {
        var values: [String: StoredValue] = [:]
        if let creation { values["creation"] = .string(creation) }
        if let modification { values["modification"] = .string(modification) }
        return .object(values)
    }

    /// nil when a part is not what it should be.
    init?(stored value: StoredValue) {
        guard case .object = value else { return nil }
        self = .none
        for (name, part) in [("creation", \DocumentDates.creation), ("modification", \.modification)] {
            switch value.value(at: DocumentPath([.name(name)])) {
            case nil: break
            case .string(let attribute)?: self[keyPath: part] = attribute
            default: return nil
            }
        }
    }
}
