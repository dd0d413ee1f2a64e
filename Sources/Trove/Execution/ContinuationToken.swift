import Foundation

/// The place in a query's order where a page ended. The next page begins there, also in another process or after a restart.
///
/// ```swift
/// let (songs, next) = try fetch.page(20)
/// let more = try fetch.page(20, after: next)
/// ```
///
/// A token stays valid whatever is saved and deleted meanwhile: the page after it begins with the first object that is, when it is read, strictly behind the
/// place of the token. It belongs to one model, filter and sort; limit and offset may differ. Its text is of the characters `A-Z a-z 0-9 - _`, opaque, and holds the sort's values of
/// one object: it is neither secret nor signed, unless the store is encrypted or was opened with the keys of encrypted properties. Then nobody but the store can read or make one.
public struct ContinuationToken: Sendable, Hashable, Codable {
    /// The token as text, which ``init(_:)`` reads back.
    public let text: String

    /// A token from its text, which is checked when the query runs.
    public init(_ text: String) {
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension ContinuationToken: CustomStringConvertible {
    public var description: String { text }
}

extension ContinuationToken {
    private static let version: UInt8 = 1
    /// The first byte of a token that is sealed; the rest is what the store's backend makes of a plain one.
    private static let sealedVersion: UInt8 = 2
    /// Version, fingerprint, size of the sort's bytes.
    private static let headerSize = 1 + 8 + 4
    private static let checksumSize = 4

    /// - Parameter sealer: what seals the store's tokens; nil where they are plain.
    init(_ place: QueryPlace, of fingerprint: UInt64, sealer: (any TokenSealer)?) throws {
        var bytes = ByteWriter(capacity: Self.headerSize + place.bytes.count + Self.checksumSize)
        bytes.append(Self.version)
        bytes.append(fingerprint.littleEndian)
        bytes.append(UInt32(truncatingIfNeeded: place.sortSize).littleEndian)
        place.bytes.withUnsafeBytes { bytes.append($0) }
        bytes.append(UInt32(truncatingIfNeeded: bytes.withBytes { Checksum.hash($0) }).littleEndian)
        let plain = bytes.bytes()
        text = Data(try sealer.map { [Self.sealedVersion] + (try $0.seal(plain)) } ?? plain).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The place in the query with this fingerprint.
    ///
    /// - Throws: ``TroveError/invalidToken(reason:)`` when the text is damaged, of another query, or not of an encrypted store that has `sealer`.
    func place(in fingerprint: UInt64, sealer: (any TokenSealer)?) throws -> QueryPlace {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: standard) else {
            throw TroveError.invalidToken(reason: "'\(text.prefix(60))' is not the text of a token")
        }
        let bytes = try Self.opened([UInt8](data), sealer)
        guard bytes.count > Self.headerSize + Self.checksumSize else { throw TroveError.invalidToken(reason: "it is cut short") }
        let body = Array(bytes.dropLast(Self.checksumSize))
        let (stored, sortSize, owner) = bytes.withUnsafeBytes { buffer in
            (
                UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: body.count, as: UInt32.self)),
                Int(UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: 9, as: UInt32.self))),
                UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            )
        }
        guard stored == UInt32(truncatingIfNeeded: Checksum.hash(body)) else { throw TroveError.invalidToken(reason: "it is damaged") }
        guard bytes[0] == Self.version else {
            throw TroveError.invalidToken(reason: "it is of version \(bytes[0]), this version of Trove reads \(Self.version)")
        }
        guard owner == fingerprint else { throw TroveError.invalidToken(reason: "it belongs to a query with another model, filter or sort") }
        let place = Array(body[Self.headerSize...])
        guard sortSize < place.count else { throw TroveError.invalidToken(reason: "it has no key") }
        return QueryPlace(place, sortSize: sortSize)
    }

    /// The bytes of a plain token.
    private static func opened(_ bytes: [UInt8], _ sealer: (any TokenSealer)?) throws -> [UInt8] {
        guard let sealer else {
            if bytes.first == sealedVersion { throw TroveError.invalidToken(reason: "it is of an encrypted store, or damaged") }
            return bytes
        }
        guard bytes.first == sealedVersion, let opened = try sealer.open(Array(bytes.dropFirst())) else {
            throw TroveError.invalidToken(reason: "this encrypted store has not made it with the key that it has now, or it is damaged")
        }
        return opened
    }
}

/// Tells queries apart that have other results or another order, the same in every process: by model, filter and sort.
enum QueryFingerprint {
    /// - Throws: when a value of the filter nests too deeply to be written.
    static func of(_ query: Query, in schema: ModelSchema) throws -> UInt64 {
        var bytes = ByteWriter()
        bytes.append(nested: query.model)
        try append(query.filter, to: &bytes)
        for key in query.sort {
            append(key.path, to: &bytes)
            bytes.append(nested: key.direction.rawValue)
            bytes.append(UInt8(key.ignoringCase ? 1 : 0))
            // The bytes of a place depend on the field's type.
            bytes.append(nested: schema.fields.first { $0.name == key.path.field }.map { "\($0.type)" } ?? "")
        }
        return bytes.withBytes { Checksum.hash($0) }
    }

    private static func append(_ filter: Filter, to bytes: inout ByteWriter) throws {
        switch filter {
        case .constant(let value): bytes.append(nested: value ? "true" : "false")
        case .comparison(let left, let comparison, let right, let ignoringCase):
            bytes.append(nested: "compare\(comparison.rawValue)\(ignoringCase)")
            try append(left, to: &bytes)
            try append(right, to: &bytes)
        case .membership(let operand, let values, let ignoringCase):
            bytes.append(nested: "in \(values.count) \(ignoringCase)")
            try append(operand, to: &bytes)
            for value in values { try value.encodeNested(into: &bytes) }
        case .text(let left, let test, let right, let ignoringCase):
            bytes.append(nested: "text \(test.rawValue) \(ignoringCase)")
            try append(left, to: &bytes)
            try append(right, to: &bytes)
        case .matches(let operand, let pattern, let ignoringCase):
            bytes.append(nested: "matches \(ignoringCase)")
            try append(operand, to: &bytes)
            bytes.append(nested: pattern)
        case .fullText(let query, let path):
            bytes.append(nested: "words \(query)")
            if let path { append(path, to: &bytes) }
        case .isWithin(let path, let region):
            let (name, numbers) = region.parts
            bytes.append(nested: "within \(name)")
            for number in numbers { bytes.append(number.bitPattern) }
            append(path, to: &bytes)
        case .isMultiple(let path, let factor):
            bytes.append(nested: "multiple \(factor)")
            append(path, to: &bytes)
        case .isNil(let path):
            bytes.append(nested: "nil")
            append(path, to: &bytes)
        case .quantified(let quantifier, let path, let part, let inner):
            bytes.append(nested: "\(quantifier.rawValue) \(part.rawValue)")
            append(path, to: &bytes)
            try append(inner.value, to: &bytes)
        case .isUnreferenced: bytes.append(nested: "unreferenced")
        case .hasDanglingReferences: bytes.append(nested: "dangling")
        case .and(let filters): try append(filters.array, "and", to: &bytes)
        case .or(let filters): try append(filters.array, "or", to: &bytes)
        case .not(let inner): try append([inner.value], "not", to: &bytes)
        }
    }

    private static func append(_ filters: [Filter], _ name: String, to bytes: inout ByteWriter) throws {
        bytes.append(nested: "\(name) \(filters.count)")
        for filter in filters { try append(filter, to: &bytes) }
    }

    private static func append(_ operand: Operand, to bytes: inout ByteWriter) throws {
        switch operand {
        case .path(let path): append(path, to: &bytes)
        case .value(let value):
            bytes.append(nested: "value")
            try value.encodeNested(into: &bytes)
        }
    }

    private static func append(_ path: FieldPath, to bytes: inout ByteWriter) {
        bytes.append(nested: (path.isCount ? "count " : "path ") + "\(path.names.count)")
        bytes.append(nested: path.field)
        for name in path.names { bytes.append(nested: name) }
    }
}

/// The place of an object in the order of a query.
///
/// It stays right whatever is written meanwhile, also when its own object is deleted.
struct QueryPlace: Sendable, Hashable {
    /// The object's values by the query's sort, as ``SortEncoder`` writes them, then the bytes of its id.
    let bytes: [UInt8]
    /// How many of the bytes are those of the sort.
    let sortSize: Int

    var sort: ArraySlice<UInt8> { bytes[..<sortSize] }
    var key: ArraySlice<UInt8> { bytes[sortSize...] }

    init(_ bytes: [UInt8], sortSize: Int) {
        self.bytes = bytes
        self.sortSize = sortSize
    }
}

/// Where a stream of results is between two of its batches.
struct StreamPlace: Sendable {
    /// The query, with what is left of its offset and limit.
    var draft: QueryDraft
    /// The last result given.
    var last: QueryPlace?
    /// The keys of all results, where the order has to be made by sorting, and how many of them have been given.
    var keys: (list: KeyList, given: Int)?
    var isAtEnd = false

    init(_ draft: QueryDraft) {
        self.draft = draft
    }
}

extension ReadTransaction {
    /// Calls `body` with up to `size` results behind a place, and returns the place behind them.
    func forEachRecord(
        of model: OpenModel, behind place: StreamPlace, size: Int, _ body: QueryRun.RecordBody
    ) throws -> StreamPlace {
        var place = place
        let limited = place.draft.limited(to: size)
        let run = try QueryRun(self, model, place.keys == nil ? limited : place.draft, .records, behind: place.last)
        guard run.plan.canGoOn, place.keys == nil else {
            let (list, given) = try place.keys ?? (QueryRun(self, model, place.draft, .keys, behind: place.last).gatherKeys(), 0)
            let next = min(list.count, given + size)
            try run.forEachRecordAnew(list, given..<next, body)
            place.keys = (list, next)
            place.isAtEnd = next == list.count
            return place
        }
        var count = 0
        let wanted = limited.query.limit ?? size
        try run.forEachRecord { key, record in
            count += 1
            if count == wanted { place.last = try run.place(key, record) }
            return try body(key, record)
        }
        place.draft.query.offset = 0
        if let limit = place.draft.query.limit { place.draft.query.limit = limit - count }
        place.isAtEnd = count < size || place.draft.query.limit == 0
        return place
    }
}

extension GeoRegion {
    /// What tells it from others.
    fileprivate var parts: (name: String, numbers: [Double]) {
        switch self {
        case .circle(let center, let meters): ("circle", [center.latitude, center.longitude, meters])
        case .box(let southWest, let northEast): ("box", [southWest.latitude, southWest.longitude, northEast.latitude, northEast.longitude])
        }
    }
}
