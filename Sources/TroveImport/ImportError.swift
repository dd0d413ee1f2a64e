/// Why a source cannot be imported.
public enum ImportError: Error, Sendable {
    /// The file or directory cannot be opened or read.
    case unreadable(path: String, reason: String)
    /// Nothing in the file tells which format it has, or several formats would do; name the kind.
    case unknownKind(path: String, reason: String)
    /// The file is not what its kind has to be, from this place on.
    case damaged(path: String, place: String, reason: String)
    /// An option names what the source does not have.
    case invalidOption(reason: String)
    /// An object of the source has the id of one that is stored, and ``ImportOptions/existing`` is ``ImportOptions/ExistingObjects/refuse``.
    /// Nothing was stored.
    case alreadyThere(collection: String, key: String, place: String)
    /// An object of the source cannot be stored, and the import is to be whole. Nothing was stored.
    case refused(ImportFault)
}

extension ImportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "'\(path)' cannot be read: \(reason)"
        case .unknownKind(let path, let reason): "what '\(path)' is cannot be told: \(reason)"
        case .damaged(let path, let place, let reason): "'\(path)' is damaged at \(place): \(reason)"
        case .invalidOption(let reason): reason
        case .alreadyThere(let collection, let key, let place):
            "\(place): \(collection) has an object with the key \(key) already; import with 'skip' or 'replace', or into another store. Nothing was stored"
        case .refused(let fault): "\(fault). Nothing was stored; import in batches to pass over what cannot be taken"
        }
    }
}

/// What could not be taken from a source, or not as it is there.
public struct ImportFault: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The collection; empty where the source does not tell.
    public let collection: String
    /// Where it is: the file, and the line, the row or the path in it.
    public let place: String
    /// Why, in words.
    public let reason: String

    public var description: String { collection.isEmpty ? "\(place): \(reason)" : "\(collection), \(place): \(reason)" }
}

/// Faults, of which the first are kept and all are counted.
struct FaultList {
    static let maxKept = 100
    private(set) var first: [ImportFault] = []
    private(set) var count = 0

    mutating func note(_ fault: ImportFault) {
        count += 1
        if first.count < Self.maxKept { first.append(fault) }
    }
}
