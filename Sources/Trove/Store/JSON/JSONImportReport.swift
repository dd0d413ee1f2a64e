/// The result of an import of JSON lines.
public struct JSONImportReport: Sendable {
    /// A line that was not stored.
    public struct Rejection: Sendable, CustomStringConvertible {
        /// The number of the line, counted from 1.
        public let line: Int
        /// The reason.
        public let error: any Error

        public var description: String { "line \(line): \(error)" }
    }

    /// A place between two lines where an interrupted import can continue.
    public struct Position: Sendable, Hashable {
        /// The number of lines done.
        public let lines: Int
        /// The number of bytes of these lines.
        public let offset: Int

        /// A place behind so many lines of so many bytes, which an earlier report told.
        public init(lines: Int, offset: Int) {
            self.lines = lines
            self.offset = offset
        }
    }

    /// The report of an import that begins at the first line behind the header, or goes on.
    ///
    /// A line that tells the end is done again, since whether the export is whole is seen by it.
    ///
    /// - Throws: ``TroveError/invalidToken(reason:)`` when no line begins at `start`; ``StorageError/inputOutput(_:)``.
    init(_ lines: JSONLines, from headerEnd: Position, to start: Position?) throws {
        position = headerEnd
        guard let start, start != Position(lines: 0, offset: 0), start != headerEnd else { return }
        // Before the line of the end, when it is the last.
        var end: JSONImportReport?
        try lines.seek(to: headerEnd.offset)
        while position.offset < start.offset, case let piece = try lines.next(), !piece.isEmpty {
            piece.withUnsafeBytes { bytes in
                JSONLines.forEachLine(of: bytes) { line, size in
                    guard position.offset < start.offset else { return }
                    if !JSONLines.isBlank(line) {
                        end = line.lazy.filter { $0 > 0x20 }.starts(with: #"{"$end""#.utf8) ? self : nil
                        lineCount += 1
                    }
                    position = Position(lines: position.lines + 1, offset: position.offset + size)
                }
            }
        }
        guard position == start else {
            throw TroveError.invalidToken(
                reason: "no line begins at the position of \(start.lines) lines and \(start.offset) bytes; use a position that a report of the same file has")
        }
        if let end { self = end }
    }

    /// How many rejected lines are told one by one.
    static let maxRejections = 100

    /// The number of objects and other values that were stored.
    public internal(set) var contents = StoreContents()
    /// The models of stored objects that the program does not have.
    public internal(set) var unknownModels: Set<String> = []
    /// The number of objects that were skipped because the program does not have their models.
    public internal(set) var skipped = 0
    /// The number of lines that were not stored, because they could not be read or the store refused them.
    public internal(set) var rejectedLines = 0
    /// The first hundred of these lines.
    public internal(set) var rejections: [Rejection] = []
    /// The place after the last line that is done.
    public internal(set) var position = Position(lines: 0, offset: 0)
    /// Whether the last line ended a whole export, and its count of lines is right.
    public internal(set) var isComplete = false
    /// How many lines are done that are not blank, without the header.
    var lineCount = 0
    /// Whether one of them was that of the end.
    var hasEnd = false

    mutating func reject(_ line: Int, _ error: any Error) {
        rejectedLines += 1
        if rejections.count < Self.maxRejections { rejections.append(Rejection(line: line, error: error)) }
    }
}

extension JSONImportReport: CustomStringConvertible {
    /// The report as text, a line for each thing stored or not stored.
    public var description: String {
        var lines = ["\(contents)"]
        if !unknownModels.isEmpty { lines.append("models that the program does not have: \(unknownModels.sorted().joined(separator: ", "))") }
        if skipped > 0 { lines.append("\(skipped) objects of such models skipped") }
        if rejectedLines > 0 { lines.append("\(rejectedLines) \(rejectedLines == 1 ? "line" : "lines") refused") }
        lines += rejections.map(\.description)
        if !isComplete { lines.append("the file does not end as a whole export does") }
        return lines.joined(separator: "\n")
    }
}

/// The division of an import into transactions.
public enum JSONImportMode: Sendable, Hashable {
    /// All lines in one transaction: when one of them is refused, or the file is no whole export, nothing is stored.
    case allOrNothing
    /// Some megabytes of lines in each transaction. Lines that cannot be stored are passed over and told; what broke off goes on from the last
    /// ``JSONImportReport/position``.
    case inBatches
}
