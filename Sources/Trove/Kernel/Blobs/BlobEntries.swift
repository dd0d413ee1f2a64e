import Foundation

/// Named blobs: bytes beside the objects, from a cursor of a synchronization to a film.
///
/// One of at most ``chunkSize`` bytes lies in one entry. A larger one has a header under its name, and its bytes in chunks under a number that the header
/// tells, so that each can be read, checked and written for itself. `docs/format.md` has the bytes.
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

/// The header of a blob that lies in chunks.
struct BlobHeader: Sendable, Equatable {
    /// What the keys of its chunks begin with.
    let number: UInt64
    let size: Int
    /// The bytes of every chunk but the last.
    let chunkSize: Int
    let sha256: Data

    /// Which chunk has the last byte.
    var lastChunk: UInt32 { UInt32((size - 1) / chunkSize) }

    /// How many bytes a chunk has.
    func size(ofChunk index: UInt32) -> Int { index == lastChunk ? size - Int(index) * chunkSize : chunkSize }

    func encode(name: String) throws -> [UInt8] {
        try BlobEntry.encode(
            ["number": .int(Int64(bitPattern: number)), "size": .int(Int64(size)), "chunk": .int(Int64(chunkSize)), "sha256": .data(sha256)],
            seed: BlobSpace.seed(name))
    }

    /// - Throws: ``TroveError/corruptBlob(name:)``.
    static func decode(_ value: RawSpan, name: String) throws -> BlobHeader {
        let values = try BlobEntry.decode(value, seed: BlobSpace.seed(name), name: name)
        guard case .int(let number)? = values["number"], case .int(let size)? = values["size"], size > 0, size <= Int64(Int.max),
            case .int(let chunkSize)? = values["chunk"],
            (1...Int64(StorageLimits.maxValueSize)).contains(chunkSize), (size - 1) / chunkSize <= Int64(UInt32.max),
            case .data(let sha256)? = values["sha256"],
            sha256.count == SHA256.size
        else { throw TroveError.corruptBlob(name: name) }
        return BlobHeader(number: UInt64(bitPattern: number), size: Int(size), chunkSize: Int(chunkSize), sha256: sha256)
    }
}

/// What has come of a blob that is stored over several transactions.
struct BlobUpload: Sendable, Equatable {
    /// Whose chunks they are that nobody sees yet.
    enum Source: String, Sendable {
        case stream, transfer
    }

    let number: UInt64
    let name: String
    let source: Source
    /// The bytes in whole chunks that are stored.
    var size = 0
    /// When the last of them came.
    var date: Date

    func encode() throws -> [UInt8] {
        try BlobEntry.encode(
            ["name": .string(name), "source": .string(source.rawValue), "size": .int(Int64(size)), "date": .date(date)], seed: number)
    }

    /// - Throws: ``TroveError/corruptBlob(name:)``.
    static func decode(_ value: RawSpan, number: UInt64) throws -> BlobUpload {
        let values = try BlobEntry.decode(value, seed: number, name: "upload \(number)")
        guard case .string(let name)? = values["name"], case .string(let text)? = values["source"], let source = Source(rawValue: text),
            case .int(let size)? = values["size"], (0...BlobSpace.maxSize).contains(size), case .date(let date)? = values["date"]
        else { throw TroveError.corruptBlob(name: "upload \(number)") }
        return BlobUpload(number: number, name: name, source: source, size: Int(size), date: date)
    }
}

/// Keys of chunks and uploads.
enum BlobKey {
    static let size = 12

    /// The number, then which of its chunks it is, both with the highest byte first.
    static func chunk(_ index: UInt32, of number: UInt64) -> [UInt8] {
        upload(number) + withUnsafeBytes(of: index.bigEndian) { [UInt8]($0) }
    }

    static func upload(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }

    /// All chunks of a number.
    static func chunks(of number: UInt64) -> KeyRange { .prefix(upload(number)) }

    /// The number that a key begins with, and the chunk that it names, if any; nil for a key of another length.
    static func parts(_ key: RawSpan) -> (number: UInt64, chunk: UInt32?)? {
        key.withUnsafeBytes { bytes in
            guard bytes.count == 8 || bytes.count == size else { return nil }
            return (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                bytes.count == 8 ? nil : UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        }
    }
}

/// The entries about blobs: a checksum, then a nested object.
private enum BlobEntry {
    static func encode(_ values: [String: StoredValue], seed: UInt64) throws -> [UInt8] {
        var nested = ByteWriter()
        try StoredValue.object(values).encodeNested(into: &nested)
        return nested.withBytes { $0.withUnsafeBytes { Checksum.sealed($0, seed: seed) } }
    }

    static func decode(_ value: RawSpan, seed: UInt64, name: String) throws -> StoredFields {
        try BlobSpace.withBody(of: value, seed: seed, name: name) { body in
            var reader = ByteReader(body)
            do {
                guard case .object(let values) = try StoredValue.decodeNested(from: &reader) else { throw TroveError.corruptBlob(name: name) }
                return values
            } catch TroveError.corruptValue {
                throw TroveError.corruptBlob(name: name)
            }
        }
    }
}
