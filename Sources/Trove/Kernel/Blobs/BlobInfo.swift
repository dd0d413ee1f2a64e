import Foundation

/// What a store tells of a blob without giving its bytes.
///
/// ```swift
/// if let film = try store.blobInfo(named: "film.mp4") { print(film.size, film.sha256Text) }
/// ```
public struct BlobInfo: Sendable, Hashable {
    /// The blob's name.
    public let name: String

    /// How many bytes it has.
    public let size: Int

    /// The SHA-256 of its bytes, 32 bytes.
    public let sha256: Data

    /// ``sha256`` as programs print it: 64 hexadecimal digits, lowercase.
    public var sha256Text: String { sha256.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined() }
}
