import Foundation

/// The place in a query's order where a page ended. The next page begins there, also in another process or after a restart.
///
/// ```swift
/// let (songs, next) = try fetch.page(20)
/// let more = try fetch.page(20, after: next)
/// ```
///
/// A token stays valid whatever is saved and deleted meanwhile: the page after it begins with the first object that is, when it is read, strictly behind the
/// place of the token. It belongs to one model, filter and sort; limit and offset may differ. Its text is of the characters `A-Z a-z 0-9 - _`, opaque, and
/// holds the sort's values of one object: it is neither secret nor signed, unless the store is encrypted or was opened with the keys of encrypted properties.
/// Then nobody but the store can read or make one.
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
