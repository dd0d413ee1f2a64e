/// What an import of JSON lines has done.
public struct JSONImportReport: Sendable {
    /// A line that was not stored.
    public struct Rejection: Sendable, CustomStringConvertible {
        /// Its number, from 1.
        public let line: Int
        /// Why not.
        public let error: any Error

        public var description: String { "line \(line): \(error)" }
    }

    /// A place between two lines, from which an import that broke off goes on.
    public struct Position: Sendable, Hashable {
        /// How many lines are done.
        public let lines: Int
        /// How many bytes they have.
        public let offset: Int

        public init(lines: Int, offset: Int) {
            self.lines = lines
            self.offset = offset
        }
    }

    /// How many rejected lines are told one by one.
    static let maxRejections = 100

    /// What was stored.
    public internal(set) var contents = StoreContents()
    /// The models of which objects were stored and that the program does not have.
    public internal(set) var unknownModels: Set<String> = []
    /// How many objects were passed over because the program does not have their models.
    public internal(set) var skipped = 0
    /// How many lines were not stored, because they could not be read or the store refused them.
    public internal(set) var rejectedLines = 0
    /// The first hundred of them.
    public internal(set) var rejections: [Rejection] = []
    /// Behind the last line that is done.
    public internal(set) var position = Position(lines: 0, offset: 0)
    /// Whether the last line was that of a whole export, and told as many lines as there were.
    public internal(set) var isComplete = false

    mutating func reject(_ line: Int, _ error: any Error) {
        rejectedLines += 1
        if rejections.count < Self.maxRejections { rejections.append(Rejection(line: line, error: error)) }
    }
}

extension JSONImportReport: CustomStringConvertible {
    /// What was stored and what was not, a line each.
    public var description: String {
        var lines = ["\(contents)"]
        if !unknownModels.isEmpty { lines.append("models that the program does not have: \(unknownModels.sorted().joined(separator: ", "))") }
        if skipped > 0 { lines.append("\(skipped) objects of such models passed over") }
        if rejectedLines > 0 { lines.append("\(rejectedLines) \(rejectedLines == 1 ? "line" : "lines") refused") }
        lines += rejections.map(\.description)
        if !isComplete { lines.append("the file does not end as a whole export does") }
        return lines.joined(separator: "\n")
    }
}

/// How an import is divided into transactions.
public enum JSONImportMode: Sendable, Hashable {
    /// All lines in one: when one of them is refused, or the file is no whole export, nothing is stored.
    case allOrNothing
    /// Some megabytes of lines in each. Lines that cannot be stored are passed over and told; what broke off goes on from the last ``JSONImportReport/position-swift.property``.
    case inBatches
}
