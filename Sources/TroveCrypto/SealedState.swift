import Crypto
import TroveStorage

/// What tells one state of a sealed store from all earlier ones: 32 bytes to be kept elsewhere.
///
///     8 bytes   the number of the commit
///     8         the beginning of the root's tag
///     16        a code, so that only the store itself can have made it
///
/// See ``EncryptedBackend/sealedState()``.
public struct SealedState: Sendable, Hashable {
    static let size = 32

    /// The 32 bytes to keep.
    public let bytes: [UInt8]

    /// Takes back bytes that were kept; nil unless they are 32.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    init(of snapshot: Snapshot) {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: snapshot.root.commit)
        bytes.append(littleEndian: snapshot.tag.low)
        self.bytes = bytes + Self.code(bytes, of: snapshot)
    }

    /// Why the store cannot have been in this state before or now; nil when it can.
    func objection(of snapshot: Snapshot) -> String? {
        let body = Array(bytes[..<16])
        guard Array(bytes[16...]) == Self.code(body, of: snapshot) else { return "the state that was expected is not one of this store" }
        let commit = body.withUnsafeBytes { $0.number(at: 0, as: UInt64.self) }
        let tag = body.withUnsafeBytes { $0.number(at: 8, as: UInt64.self) }
        if snapshot.root.commit < commit { return "the store is at commit \(snapshot.root.commit), but was at \(commit) before" }
        if snapshot.root.commit == commit, snapshot.tag.low != tag { return "the store has another commit \(commit) than it had before" }
        return nil
    }

    private static func code(_ body: [UInt8], of snapshot: Snapshot) -> [UInt8] {
        let key = SymmetricKey(data: snapshot.root.stateKey)
        return [UInt8](HMAC<SHA256>.authenticationCode(for: snapshot.ring.store + body, using: key).prefix(16))
    }
}
