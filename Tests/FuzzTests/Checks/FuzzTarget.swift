@testable import Trove

/// What is fuzzed: each case reads arbitrary bytes by one of the ways in which Trove reads a disk or a user.
///
/// Every byte string ends in a value or a typed error, and a value that was read is one that writing and reading again leaves as it is.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Nested values: `Codable` values, arrays, sets, dictionaries.
    case nested
    /// Order-preserving keys of every type, tuples of them and references.
    case keys
    /// Records in the model's own layout, with their checksum as found or repaired.
    case records
    /// Records in layouts that the input makes up, read without the model and, where it can read them, as objects of it.
    case layouts
    /// Entries of the catalogue: header, layouts, index definitions, the directory of indexes.
    case catalogue
    /// Entries of ordered and unique indexes, those of references among them, their groups, and blobs.
    case indexEntries
    /// Blocks of full-text and substring indexes.
    case postings
    /// JSON of values.
    case json
    /// Criteria text.
    case criteria
    /// Texts of full-text queries, and what analysis makes of texts.
    case words
    /// Continuation tokens.
    case tokens
    /// A whole store in memory of which one entry of any keyspace is replaced.
    case stores
    /// The same of which fields are changed to extremes, with checksums that fit.
    case forgeries

    /// Reads an input.
    ///
    /// - Throws: ``FuzzFailure`` when what came of it is neither a typed error nor a value that stays what it is.
    public func check(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        switch self {
        case .nested: try NestedCheck.run(input.rest())
        case .keys: try KeyCheck.run(&input)
        case .records: try RecordCheck.run(&input)
        case .layouts: try LayoutCheck.run(&input)
        case .catalogue: try CatalogueCheck.run(&input)
        case .indexEntries: try IndexEntryCheck.run(&input)
        case .postings: try PostingCheck.run(&input)
        case .json: try JSONCheck.run(input.rest())
        case .criteria: try CriteriaCheck.run(&input)
        case .words: try WordCheck.run(&input)
        case .tokens: try TokenCheck.run(&input)
        case .stores: try StoreCheck.run(&input)
        case .forgeries: try ForgeryCheck.run(&input)
        }
    }
}
