import Trove
import TroveStoreTools

/// The columns of groups: the values that the records of one share, and what is computed over them.
struct GroupColumns {
    /// What is computed, by the name that its columns begin with.
    enum Function: String, CaseIterable {
        case sum, average, minimum, maximum, distinct

        /// What it is called too, as databases and spreadsheets do.
        fileprivate static let others = ["avg": average, "mean": average, "min": minimum, "max": maximum]

        fileprivate init?(called word: String) {
            guard let function = Function(rawValue: word) ?? Self.others[word] else { return nil }
            self = function
        }

        fileprivate func aggregate(_ path: FieldPath) -> RecordAggregate {
            switch self {
            case .sum: .sum(path)
            case .average: .average(path)
            case .minimum: .minimum(path)
            case .maximum: .maximum(path)
            case .distinct: .countDistinct(path)
            }
        }
    }

    /// The column of the number of records.
    private static let count = "count"

    /// The paths of the values that the records of a group share.
    let keys: [FieldPath]
    let aggregates: [RecordAggregate]
    /// The paths of the values that are computed on.
    let paths: [FieldPath]
    /// The names of all columns, those of the keys first.
    let names: [String]
    private let functions: [Function?]

    /// - Parameters:
    ///   - keys: the lists of paths that were written, each with commas between.
    ///   - values: the lists of paths that each function is for.
    /// - Throws: ``TroveError/invalidCriteria(text:position:expected:)`` for what is no path.
    init(by keys: [String], counts: Bool, _ values: [(function: Function, paths: [String])]) throws {
        self.keys = try keys.flatMap(Self.paths)
        var seen: Set<String> = []
        // What is asked for twice is answered once.
        let computed = try values.flatMap { function, lists in
            try lists.flatMap(Self.paths).filter { seen.insert("\(function.rawValue)(\(Self.text($0)))").inserted }.map { (function: function, path: $0) }
        }
        // Without anything to compute it is the number, which every group has.
        let counts = counts || computed.isEmpty
        aggregates = (counts ? [.count] : []) + computed.map { $0.function.aggregate($0.path) }
        paths = computed.map(\.path)
        functions = self.keys.map { _ in nil } + (counts ? [nil] : []) + computed.map(\.function)
        names = self.keys.map(Self.text) + (counts ? [Self.count] : []) + computed.map { "\($0.function.rawValue)(\(Self.text($0.path)))" }
    }

    /// A name that two columns have; nil when each has its own.
    var repeatedName: String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }

    /// The columns for an answer, with the types of properties of a model.
    func columns(of model: StoredModel) -> [Column] {
        let fields = model.fields
        return names.enumerated().map { place, name in
            guard place < keys.count else { return Column(name) }
            if name == StoredModel.idName { return Column(name, type: model.idType) }
            return Column(name, type: model.isCollection ? nil : fields.first { $0.name == name }.map { "\($0.type)" }, isData: true)
        }
    }

    /// The number of the column that a path of a condition or an order names: by its name, or by its function where one column alone has that.
    ///
    /// - Throws: ``CommandError/noSuchColumn(name:known:)``.
    func column(at path: FieldPath) throws -> Int {
        if let place = keys.firstIndex(of: path) { return place }
        let name = path.names.isEmpty && path.aggregate == nil ? path.field : Self.text(path)
        if let place = names.firstIndex(of: name) { return place }
        let places = functions.indices.filter { functions[$0] != nil && functions[$0] == Function(called: name) }
        guard places.count == 1 else { throw CommandError.noSuchColumn(name: name, known: names) }
        return places[0]
    }

    // MARK: - Text

    /// The paths of a list with commas between.
    private static func paths(_ text: String) throws -> [FieldPath] { try QueryText.paths(text) }

    /// A path as criteria text has it.
    private static func text(_ path: FieldPath) -> String { String(Query("", sort: [SortKey(path)]).description.dropFirst("order by ".count)) }

    /// Criteria text in which columns as `average(rating)` stand in double quotes, as names with such signs do.
    static func criteria(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            if first == "'" || first == "\"" {
                let quoted = rest.dropFirst().prefix { $0 != first }
                result += String(first) + quoted + (quoted.endIndex < rest.endIndex ? String(first) : "")
                rest = rest[quoted.endIndex...].dropFirst()
            } else if isNamePart(first) {
                let word = rest.prefix(while: isNamePart)
                rest = rest[word.endIndex...]
                let inside = rest.drop { $0 == " " }
                guard let function = Function(called: word.lowercased()), inside.first == "(", let end = closing(inside) else { result += word; continue }
                let written = String(inside[..<end].dropFirst())
                // As the columns have it.
                let path = (try? paths(written))?.first.map(Self.text) ?? written
                result += "\"\(function.rawValue)(\(path.replacing("\"", with: "\"\"")))\""
                rest = inside[end...].dropFirst()
            } else {
                result.append(first)
                rest.removeFirst()
            }
        }
        return result
    }

    /// The place of the parenthesis that closes the first one: in `(count(tags))` the last.
    private static func closing(_ text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$" || character == "."
    }
}
