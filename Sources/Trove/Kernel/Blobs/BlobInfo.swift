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
    public var sha256Text: String { Self.text(sha256) }

    private static func text(_ digest: some Sequence<UInt8>) -> String {
        digest.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    /// The ``sha256Text`` of a file's bytes.
    package static func sha256Text(ofFileAt path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        var hash = SHA256()
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty { data.withUnsafeBytes { hash.update($0) } }
        return text(hash.finish())
    }
}
