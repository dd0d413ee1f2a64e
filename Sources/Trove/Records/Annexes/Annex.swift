/// What the annex of a record is known by: a hash of its bytes, and how many there are.
///
/// An annex is the value of a lazy property that is kept apart from its record, under the record's key. It never changes: another value is another annex.
struct AnnexID: Hashable, Sendable {
    let high: UInt64
    let low: UInt64
    /// The number of bytes.
    let count: UInt64

    /// The id of an annex with these bytes.
    init(of bytes: UnsafeRawBufferPointer) {
        high = Checksum.hash(bytes, seed: Self.highSeed)
        low = Checksum.hash(bytes)
        count = UInt64(bytes.count)
    }

    fileprivate init(high: UInt64, low: UInt64, count: UInt64) {
        self.high = high
        self.low = low
        self.count = count
    }

    /// With another seed the function is another one: both together guard against accidents as one of twice the length does.
    private static let highSeed: UInt64 = 0x416E_6E65_7800_0001

    /// How many bytes of hashes keys of annexes end with.
    static let keySize = 16

    /// The hashes.
    var key: [UInt8] {
        var key: [UInt8] = []
        append(to: &key)
        return key
    }

    /// Appends the hashes.
    func append(to key: inout [UInt8]) {
        for word in [high, low] { withUnsafeBytes(of: word.bigEndian) { key.append(contentsOf: $0) } }
    }
}

/// A lazy property's value as its record has it: small ones whole, of others the id of the annex.
///
/// A whole value is a zero and the nested encoding. The id of an annex is a one and three little-endian integers of eight bytes: the two hashes and the count.
enum LazyForm: Hashable, Sendable {
    case whole([UInt8])
    case annex(AnnexID)

    /// The most bytes of the nested encoding that a record takes in whole.
    static let maxWholeSize = 128

    private static let annexSize = 25

    /// The form of a value whose nested encoding this is.
    init(ofNested bytes: UnsafeRawBufferPointer) {
        self = bytes.count > Self.maxWholeSize ? .annex(AnnexID(of: bytes)) : .whole([UInt8](bytes))
    }

    /// - Throws: `DecodingFault.damaged` when these are not the bytes of a lazy value.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        if let id = try Self.annexID(in: bytes) {
            self = .annex(id)
        } else {
            self = .whole([UInt8](bytes.dropFirst()))
        }
    }

    /// The id in a lazy value's bytes; nil when the record has it whole.
    ///
    /// - Throws: `DecodingFault.damaged` when these are not the bytes of a lazy value.
    static func annexID(in bytes: UnsafeRawBufferPointer) throws -> AnnexID? {
        switch bytes.first {
        case 0: return nil
        case 1 where bytes.count == annexSize:
            func word(_ number: Int) -> UInt64 { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1 + 8 * number, as: UInt64.self)) }
            return AnnexID(high: word(0), low: word(1), count: word(2))
        default: throw DecodingFault.damaged("a lazy value is neither whole nor the id of an annex")
        }
    }

    /// Appends the value as the record has it.
    func append(to bytes: inout ByteWriter) {
        switch self {
        case .whole(let nested):
            bytes.append(0 as UInt8)
            nested.withUnsafeBytes { bytes.append($0) }
        case .annex(let id):
            bytes.append(1 as UInt8)
            for word in [id.high, id.low, id.count] { bytes.append(word.littleEndian) }
        }
    }
}

/// What has the bytes of an annex that is to be stored.
protocol AnnexProvider: AnyObject, Sendable {
    /// The annex of another record that they have to be read from; nil when they are in memory.
    var stored: StoredAnnex? { get }

    /// The bytes.
    ///
    /// - Throws: what reading or encoding the value throws.
    func annexBytes() throws -> [UInt8]

    /// Takes note that the annex is stored already, so that nobody asks for bytes that were kept for it.
    func annexIsStored()
}

extension AnnexProvider {
    func annexIsStored() {}

    /// Whether nothing has to be read for the bytes.
    var isInMemory: Bool { stored == nil }
}

/// The bytes of an annex themselves.
final class AnnexBytes: AnnexProvider {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var stored: StoredAnnex? { nil }

    func annexBytes() -> [UInt8] { bytes }
}

/// An annex of a record that is being written, and what has its bytes.
struct AnnexOffer: Sendable {
    let id: AnnexID
    let provider: any AnnexProvider
}

/// Where annexes are read from.
protocol AnnexSource: AnyObject, Sendable {
    /// The store that they are read from; nil when they are in memory alone.
    var store: AnyObject? { get }

    /// What is known to have an annex; nil when it has to be read.
    func provider(of id: AnnexID) -> (any AnnexProvider)?

    /// Calls `body` with the bytes of an annex, which have been checked and are valid during the call.
    ///
    /// - Throws: ``TroveError/lazyValueGone(model:id:property:)``, ``TroveError/corruptRecord(model:id:reason:)``; what reading and `body` throw.
    func withAnnex(_ annex: StoredAnnex, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

    /// Runs `body`, which reads an annex, on a thread that may wait for the disk.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before a thread is free.
    func onReader<Result: Sendable>(for annex: StoredAnnex, _ body: @escaping @Sendable () throws -> Result) async throws -> Result
}

/// An annex of a record that was read, and the way to it.
final class StoredAnnex: AnnexProvider {
    let id: AnnexID
    let modelName: String
    /// The name of the field.
    let field: String
    /// The engine's key of the record.
    let recordKey: [UInt8]
    private let source: (any AnnexSource)?

    init(_ id: AnnexID, modelName: String, field: String, recordKey: [UInt8], _ source: (any AnnexSource)?) {
        self.id = id
        self.modelName = modelName
        self.field = field
        self.recordKey = recordKey
        self.source = source
    }

    /// Calls `body` with the bytes, which are valid during the call.
    func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let source else { throw gone }
        try source.withAnnex(self, body)
    }

    /// Runs `body`, which reads the annex, on a thread that may wait for the disk.
    func onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let source else { throw gone }
        return try await source.onReader(for: self, body)
    }

    var stored: StoredAnnex? { self }

    /// Whether it is read from this store.
    func isOf(_ store: AnyObject) -> Bool { source?.store === store }

    /// Whether it is read from another place than one that is read from a store.
    func isElsewhere(than other: StoredAnnex, of store: AnyObject) -> Bool {
        isOfOther(than: store) || recordKey != other.recordKey || modelName != other.modelName
    }

    /// Whether it is read from another store than this one.
    func isOfOther(than store: AnyObject) -> Bool { source?.store.map { $0 !== store } ?? false }

    func annexBytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try withBytes { bytes = [UInt8]($0) }
        return bytes
    }

    /// The error for an annex that is not there any more.
    var gone: TroveError { .lazyValueGone(model: modelName, id: StoredRecord.text(of: recordKey), property: field) }

    /// The error for an annex that is not as it was stored.
    func corrupt(_ reason: String) -> TroveError {
        .corruptRecord(model: modelName, id: StoredRecord.text(of: recordKey), reason: "the value of the lazy property '\(field)' \(reason)")
    }
}
