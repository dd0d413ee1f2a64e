import Foundation
import Trove
import TroveStoreTools

/// What the documents of a collection have at paths, told by its index of all paths in a few look-ups.
struct CollectionProbe {
    /// A kind of value that people tell apart.
    enum Kind: CaseIterable {
        case text, number, bool, date, list

        /// What a value is; nil for other kinds.
        init?(_ value: StoredValue) {
            switch value {
            case .string: self = .text
            case .bool: self = .bool
            case .date: self = .date
            case .array: self = .list
            default:
                guard CellText.isNumber(value) else { return nil }
                self = .number
            }
        }

        var name: String {
            switch self {
            case .text: "text"
            case .number: "number"
            case .bool: "Bool"
            case .date: "date"
            case .list: "list"
            }
        }

        /// True of documents that have such a value at a path; a list with elements.
        fileprivate func condition(at path: FieldPath) -> Filter {
            switch self {
            case .text: .comparison(.path(path), .greaterOrEqual, .value(.string("")))
            case .number: .comparison(.path(path), .greaterOrEqual, .value(.double(-.infinity)))
            case .bool: .membership(.path(path), [.bool(true), .bool(false)])
            case .date: .comparison(.path(path), .greaterOrEqual, .value(.date(Date(timeIntervalSinceReferenceDate: -.greatestFiniteMagnitude))))
            case .list: .quantified(.any, path, .elements, .not(.isNil(.element)))
            }
        }
    }

    let model: StoredModel
    private let documents: Documents<ReadTransaction>

    /// - Returns: nil for a model, whose names are checked, and where the index does not tell, so that it would take a look at each document.
    init?(_ model: StoredModel, in transaction: ReadTransaction) throws {
        guard model.isCollection else { return nil }
        documents = transaction.documents(model.name)
        guard try documents.isFullyIndexed() else { return nil }
        self.model = model
    }

    /// Whether a document has a value at a path. What is behind a position is not looked at: lists have different lengths.
    func has(_ path: FieldPath) throws -> Bool {
        let path = Self.upToPosition(path)
        return try path.field.isEmpty || path.field.hasPrefix("$") || exists(.not(.isNil(path)))
    }

    func has(_ kind: Kind, at path: FieldPath) throws -> Bool { try exists(kind.condition(at: path)) }

    /// The kinds of values that documents have at a path.
    func kinds(at path: FieldPath) throws -> [Kind] { try Kind.allCases.filter { try has($0, at: path) } }

    private func exists(_ filter: Filter) throws -> Bool { try documents.fetch().where(filter).exists() }

    /// All paths that documents have, with `[]` for the elements of lists; none where the index does not tell them.
    func paths() throws -> [String] {
        do {
            return try documents.attributes().map(\.path)
        } catch TroveError.invalidCollection {
            // The index is not ready.
            return []
        }
    }

    /// The path up to the first position of an element, and to the list where it counts one.
    static func upToPosition(_ path: FieldPath) -> FieldPath {
        FieldPath(field: path.field, names: Array(path.names.prefix { name in !name.allSatisfy { ("0"..."9").contains($0) } }))
    }

    /// Paths that documents have which may be meant by one that none has: beside it, or all at the top where nothing is known of it.
    func candidates(for path: FieldPath, in paths: [String]) -> [String] {
        let parent = path.names.isEmpty ? "" : ([path.field] + path.names.dropLast()).joined(separator: ".") + "."
        var names: [String] = []
        for known in paths where known.hasPrefix(parent) {
            // The elements of a list are told as `tags[]`, which is no path.
            guard case .name(let name)? = DocumentPath(String(known.dropFirst(parent.count)).replacing("[]", with: "")).steps.first else { continue }
            if !names.contains(parent + name) { names.append(parent + name) }
        }
        return names
    }
}
