import Foundation

/// The description of a blob, without its bytes.
///
/// ```swift
/// if let film = try store.blobInfo(named: "film.mp4") { print(film.size, film.sha256Text) }
/// ```
public struct BlobInfo: Sendable, Hashable {
    /// The blob's name.
    public let name: String

    /// The number of bytes.
    public let size: Int

    /// The SHA-256 of its bytes, 32 bytes.
    public let sha256: Data

    /// The ``sha256`` as text: 64 hexadecimal digits, lowercase.
    public var sha256Text: String { sha256.hexadecimal }
}
