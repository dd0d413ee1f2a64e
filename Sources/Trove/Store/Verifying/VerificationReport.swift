/// The result of ``ObjectStore/verify(progress:)``.
public struct VerificationReport: Sendable {
    /// How many dangling references of a relationship are told one by one.
    static let maxDanglingReferences = 100
    /// How many unreadable entries of a model are told one by one, as all of a damaged store would not fit into memory.
    static let maxUnreadableEntries = 1_000

    /// An entry that cannot be read, or an index that disagrees with a record.
    public struct Problem: Sendable, CustomStringConvertible {
        /// The model's name; `$blobs` or `$largeBlobs` for a blob, `$catalogue` for an entry of the catalogue; `$engine` for the
        /// structure of the engine's file.
        public let modelName: String
        /// The key of the entry; of the record, when an index disagrees with it. Empty where no single entry is the matter.
        public let key: [UInt8]
        /// The reason why it cannot be read.
        public let error: any Error
        /// What tells how the id of a record is shown; nil of other entries.
        let model: ModelBinding?

        /// The model, the id and the reason; the bytes of a key that is no id.
        public var description: String {
            key.isEmpty ? "\(modelName): \(error)" : "\(modelName) \(model?.shownID(key) ?? StoredRecord.text(of: key)): \(error)"
        }
    }

    /// Whether something could not be read, which is then not among the numbers either: a part of a damaged file, or all of it where
    /// ``StorageCapabilities/readsDamagedFiles`` is false. What is the matter is among the ``problems``.
    ///
    /// Where the structure is damaged (`$engine`), entries may be lost that nothing leads to any more; these are in no number, and not told here.
    public internal(set) var isPartial = false
    /// The number of records read, of all types.
    public internal(set) var records = 0
    /// The number of blobs read.
    public internal(set) var blobs = 0
    /// The indexes that disagree with the records, with the numbers of wrong entries; the first hundred of each are among the ``problems``.
    public internal(set) var indexDamage: [IndexDamage] = []
    /// The references to objects that are not stored: the first hundred of each relationship. There may be such, so the store is sound with them.
    public internal(set) var danglingReferences: [DanglingReference] = []
    /// The number of references to objects that are not stored.
    public internal(set) var danglingReferenceCount = 0
    /// The first problems found: up to a thousand unreadable entries of each model, and a hundred of each index; empty when the store is sound.
    public internal(set) var problems: [Problem] = []
    /// The number of problems, also of those that are not among ``problems``.
    public internal(set) var problemCount = 0

    /// Adds an entry that cannot be read, or is not where it belongs.
    ///
    /// - Parameters:
    ///   - model: the model, when the entry is a record.
    ///   - number: how many of the model's entries were told before.
    mutating func add(_ error: any Error, of key: [UInt8], in modelName: String, _ model: ModelBinding? = nil, after number: inout Int) {
        if number < Self.maxUnreadableEntries { problems.append(Problem(modelName: modelName, key: key, error: error, model: model)) }
        number += 1
        problemCount += 1
    }

    /// Adds damage that is of no single entry: that of the engine's file, or of a part of it.
    mutating func addDamage(_ error: any Error, in name: String = "$engine") {
        var told = 0
        add(error, of: [], in: name, after: &told)
    }

    /// Counts an entry that was read.
    mutating func count(_ content: KeyspaceContent) {
        switch content {
        case .records: records += 1
        case .blobs, .blobHeaders: blobs += 1
        default: break
        }
    }

    /// Whether everything could be read and all indexes agree with the records.
    public var isSound: Bool { problems.isEmpty }
}

extension VerificationReport: CustomStringConvertible {
    /// The report as text, a line for each thing: `1000 records and 2 blobs, sound`.
    public var description: String {
        let read = "\(records) \(records == 1 ? "record" : "records") and \(blobs) \(blobs == 1 ? "blob" : "blobs")"
        let partly = isPartial ? ", not everything could be read" : ""
        var lines = ["\(read)\(partly), \(isSound ? "sound" : "\(problemCount) \(problemCount == 1 ? "problem" : "problems")")"]
        if danglingReferenceCount > 0 { lines.append("references to what is not stored: \(danglingReferenceCount)") }
        if problemCount > problems.count { lines.append("the first \(problems.count) problems:") }
        return (lines + indexDamage.map(\.description) + problems.map(\.description)).joined(separator: "\n")
    }
}
