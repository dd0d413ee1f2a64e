import Foundation

/// The place in a query's order at which a page ended, to go on from later, also in another process or after a restart.
///
/// ```swift
/// let (songs, next) = try fetch.page(20)
/// let more = try fetch.page(20, after: next)
/// ```
///
/// A token stays valid whatever is saved and deleted meanwhile: the page after it begins with the first object that is, when it is read, strictly behind the
/// place of the token. It belongs to one model, filter and sort; limit and offset may differ. Its text is of the characters `A-Z a-z 0-9 - _`, opaque, and holds the sort's values of
/// one object: it is neither secret nor signed.
public struct ContinuationToken: Sendable, Hashable, Codable {
    /// The token as text, which ``init(_:)`` takes back.
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
    /// Version, fingerprint, size of the sort's bytes.
    private static let headerSize = 1 + 8 + 4
    private static let checksumSize = 4

    init(_ place: QueryPlace, of fingerprint: UInt64) {
        var bytes = ByteWriter(capacity: Self.headerSize + place.bytes.count + Self.checksumSize)
        bytes.append(Self.version)
        bytes.append(fingerprint.littleEndian)
        bytes.append(UInt32(truncatingIfNeeded: place.sortSize).littleEndian)
        place.bytes.withUnsafeBytes { bytes.append($0) }
        bytes.append(UInt32(truncatingIfNeeded: bytes.withBytes { Checksum.hash($0) }).littleEndian)
        text = Data(bytes.bytes()).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The place in the query with this fingerprint.
    ///
    /// - Throws: ``TroveError/invalidToken(reason:)`` when the text is damaged or of another query.
    func place(in fingerprint: UInt64) throws -> QueryPlace {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: standard) else {
            throw TroveError.invalidToken(reason: "'\(text.prefix(60))' is not the text of a token")
        }
        let bytes = [UInt8](data)
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
        guard owner == fingerprint else { throw TroveError.invalidToken(reason: "it is of a query with another model, filter or sort") }
        let place = Array(body[Self.headerSize...])
        guard sortSize < place.count else { throw TroveError.invalidToken(reason: "it has no key") }
        return QueryPlace(place, sortSize: sortSize)
    }
}
