import Foundation
import Trove

/// What a row is known by in its source.
enum SourceKey: Hashable {
    case int(Int64)
    case text(String)
    /// A key of several values, or of another type.
    case values([StoredValue])

    /// The key that a text is, whatever type its column has: a number where it is written just as one is.
    init(written bytes: UnsafeRawBufferPointer) { self = WrittenNumber.integer(bytes).map { .int($0) } ?? .text(String(decoding: bytes, as: UTF8.self)) }

    /// The key of one value.
    init(_ value: StoredValue) {
        switch value {
        case .int(let number): self = .int(number)
        case .string(let text): self = .text(text)
        default: self = .values([value])
        }
    }

    /// The key as messages show it.
    var description: String {
        switch self {
        case .int(let number): "\(number)"
        case .text(let text): text
        case .values(let values): values.map(\.shownInErrors).joined(separator: ", ")
        }
    }
}

/// A row by the name of what numbers it, mostly its table, and its key there.
struct SourceReference: Hashable {
    let space: String
    let key: SourceKey
}

/// A value of a row.
enum SourceValue {
    case plain(StoredValue)
    case reference(SourceReference)
    /// Several, in their order.
    case references([SourceReference])
    /// By name.
    case named([String: SourceReference])
    /// Values and references together.
    case list([SourceValue])
    case members([String: SourceValue])
}

/// What a row has.
enum SourceContent {
    /// Values alone, as they are stored. Most rows have nothing else.
    case values(StoredFields)
    /// Values and references.
    case attributes([String: SourceValue])
}

/// Where something is in a source. It is written only when somebody is told.
enum SourcePlace: CustomStringConvertible {
    case line(Int)
    case object(Int)
    case row(SourceKey)
    case text(String)

    var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .object(let number): "the object \(number)"
        case .row(let key): "the row \(key.description)"
        case .text(let text): text
        }
    }
}

/// One object of a source.
struct SourceRow {
    /// The collection that it is to be in.
    let collection: String
    let id: SourceReference
    /// What an object of a model is known by, where that is not the key of the id.
    var modelKey: SourceKey?
    /// The attribute that is the key; nil where it is none, or several.
    var keyAttribute: String?
    let content: SourceContent
    /// The name of its class, where the source has one.
    var className: String?
    /// Where it is in the source.
    let place: SourcePlace
    /// About how many bytes it takes, once it was read ahead.
    var size = 0

    init(collection: String, id: SourceReference, content: SourceContent, className: String? = nil, place: SourcePlace) {
        self.collection = collection
        self.id = id
        self.content = content
        self.className = className
        self.place = place
    }

    init(collection: String, id: SourceReference, attributes: [String: SourceValue], className: String? = nil, place: String) {
        self.init(collection: collection, id: id, content: .attributes(attributes), className: className, place: .text(place))
    }
}

enum SourceEvent {
    case row(SourceRow)
    case bag(SourceBag)
    /// A row that cannot be taken.
    case fault(ImportFault)
    /// What is lost of rows that can.
    case loss(ImportFault)
}

/// What a source declares of a collection, whether it has rows or not.
struct SourceDeclaration {
    /// What numbers its objects.
    let space: String
    var attributes: [String: ImportDescription.Declaration] = [:]
    var key: ImportDescription.Key?
    var indexes: [ImportDescription.Index] = []
    /// Whether other collections are special cases of it.
    var hasSubcollections = false
}

/// Reads one format.
protocol SourceReader: AnyObject {
    /// The number of rows, where the source tells it quickly.
    var rowCount: Int? { get throws }

    /// What the source declares, by the collection; what it does not tell is left out.
    var declarations: [String: SourceDeclaration] { get }

    /// The collections that rows can be of, as far as the source tells them before any is read; nil where only the rows tell.
    var collectionNames: Set<String>? { get }

    /// The classes whose objects are bags, and so become no collection.
    var bagClasses: Set<String> { get }

    /// Calls `body` with everything there is, each time in the same order.
    ///
    /// - Throws: ``ImportError`` where the source cannot be read on.
    func forEach(_ body: (SourceEvent) throws -> Void) throws
}

extension SourceReader {
    var declarations: [String: SourceDeclaration] { [:] }
    var collectionNames: Set<String>? { nil }
    var bagClasses: Set<String> { [] }
}

extension SourceReference {
    /// The id of the document that the row becomes: the same in each import, and ascending with keys that are numbers,
    /// so that rows in their order are appended.
    ///
    /// It is a UUID of version 8 (RFC 9562) of 48 bits of the space's name and 74 of the key; a key that is a UUID in a space of UUIDs is itself the id.
    var objectID: ObjectID {
        if case .text(let text) = key, text.utf8.count == 36, let uuid = UUID(uuidString: text) { return ObjectID(uuid) }
        let name = StableHash.hash(space)
        let (middle, low): (UInt64, UInt64)
        switch key {
        case .int(let number) where (-(1 << 60)..<1 << 60).contains(number): (middle, low) = (0, UInt64(bitPattern: number &+ 1 << 60))
        default:
            let bytes = Array(keyBytes)
            (middle, low) = (StableHash.hash(bytes, seed: 2) | 1, StableHash.hash(bytes, seed: 3))
        }
        let high = (name << 16) | 0x8000 | (middle & 0xFFF)
        let last = 1 << 63 | (low & (1 << 62 - 1))
        var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: last.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return ObjectID(UUID(uuid: bytes))
    }

    private var keyBytes: [UInt8] {
        switch key {
        case .int(let number): Array("i\(number)".utf8)
        case .text(let text): Array("t\(text)".utf8)
        case .values(let values): Array(values.map { "v" + Self.text($0) }.joined(separator: "\u{0}").utf8)
        }
    }

    private static func text(_ value: StoredValue) -> String {
        switch value {
        // Their descriptions do not tell all of them: of data only the size, of dates no parts of seconds.
        case .data, .date: (try? value.json()) ?? "\(value)"
        default: "\(value)"
        }
    }
}

/// FNV-1a with a last mix: ids have to be the same in each process, which Swift's hashes are not.
enum StableHash {
    static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { hash($0) }
    }

    static func hash(_ bytes: some Sequence<UInt8>, seed: UInt64 = 1) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return hash ^ hash >> 33
    }
}
