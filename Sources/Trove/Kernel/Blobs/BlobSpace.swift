import Foundation

/// Named blobs: bytes beside the objects, from a cursor of a synchronization to a film.
///
/// One of at most ``chunkSize`` bytes lies in one entry. A larger one has a header under its name, and its bytes in chunks under a number that the header tells,
/// so that each can be read, checked and written for itself. `docs/format.md` has the bytes.
enum BlobSpace {
    /// Whole blobs, by their names.
    static let keyspaceName = "$blobs"
    /// Headers of blobs in chunks, by their names.
    static let headersName = "$largeBlobs"
    /// Chunks, by the blob's number and their own.
    static let chunksName = "$blobChunks"
    /// What is being stored over several transactions, by the numbers.
    static let uploadsName = "$blobUploads"

    /// The bytes of every chunk but the last: with its checksum and LMDB's own header it fills sixteen pages of 4,096 bytes.
    static let chunkSize = 65_512

    /// The most that a blob can have: as many chunks as there are numbers, and as much as the machine counts.
    static let maxSize = min(Int64(chunkSize) << 32, Int64(Int.max))

    /// A value: eight bytes of checksum, which covers the name, then the bytes.
    static func encode(_ data: Data, name: String) -> [UInt8] { data.withUnsafeBytes { Checksum.sealed($0, seed: seed(name)) } }

    /// - Throws: ``TroveError/corruptBlob(name:)``.
    static func decode(_ value: RawSpan, name: String) throws -> Data {
        try withBody(of: value, seed: seed(name), name: name) { Data($0) }
    }

    /// What checksums of entries begin with that stand under a name.
    static func seed(_ name: String) -> UInt64 { Checksum.hash(Array(name.utf8)) }

    /// Calls `body` with the bytes of a value whose checksum fits.
    ///
    /// - Throws: ``TroveError/corruptBlob(name:)``; what `body` throws.
    static func withBody<Result>(of value: RawSpan, seed: UInt64, name: String, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try Checksum.withBody(of: value, seed: seed) { bytes in
            guard let bytes else { throw TroveError.corruptBlob(name: name) }
            return try body(bytes)
        }
    }
}
