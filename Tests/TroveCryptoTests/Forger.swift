import Crypto
import Foundation

/// Somebody who has a store and its key, and changes what `TroveCrypto` itself never would, as `docs/encryption.md` describes the bytes.
///
/// For a store with one raw key, one data key and, unless it is empty, one keyspace.
struct Forger {
    /// An entry of a node.
    struct Entry {
        var key: [UInt8]
        var payload: [UInt8]
        var isLarge: Bool
    }

    enum Failure: Error { case missing(number: UInt64) }

    private let memory: SealedMemory
    private let rootKey = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
    private let store: [UInt8]
    private let storeKey: SymmetricKey
    private let dataKey: SymmetricKey

    init(_ memory: SealedMemory) throws {
        self.memory = memory
        let record = try Self.value([0], memory)
        store = Array(record[10..<26])
        let salt = Array(record[36..<52])
        storeKey = try AES.KeyWrap.unwrap(record[84..<124], using: Self.derive(rootKey, salt, "trove wrap", store))
        dataKey = try AES.KeyWrap.unwrap(record[130..<170], using: Self.derive(storeKey, store, "trove data keys"))
    }

    private static func value(_ key: [UInt8], _ memory: SealedMemory) throws -> [UInt8] {
        guard let found = try memory.values().first(where: { $0.key == key }) else { throw Failure.missing(number: 0) }
        return found.value
    }

    private static func derive(_ key: SymmetricKey, _ salt: [UInt8], _ purpose: String, _ more: [UInt8] = []) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8) + more, outputByteCount: 32)
    }

    // MARK: Numbers

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    // MARK: Sealed values

    /// Where a value lies in the engine.
    func key(_ number: UInt64) -> [UInt8] { number == 0 ? [0, 0] : Self.bytes(number).reversed() }

    func open(_ number: UInt64, kind: UInt8) throws -> [UInt8] {
        let value = try Self.value(key(number), memory)
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 8) + value[29..<33]), ciphertext: value[33..<value.count - 16],
            tag: value.suffix(16))
        let key = Self.derive(dataKey, Array(value[5..<29]), "trove sealed values", store)
        return [UInt8](try AES.GCM.open(box, using: key, authenticating: store + [1, kind] + Self.bytes(number) + value[1..<5]))
    }

    /// Seals a value, puts it in its place, and returns its tag.
    private func seal(_ bytes: [UInt8], _ number: UInt64, kind: UInt8, keyNumber: UInt32 = 1) throws -> [UInt8] {
        let salt = (0..<24).map { _ in UInt8.random(in: 0 ... .max) }
        let box = try AES.GCM.seal(
            bytes, using: Self.derive(dataKey, salt, "trove sealed values", store), nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)),
            authenticating: store + [1, kind] + Self.bytes(number) + Self.bytes(keyNumber))
        let header = [1] + Self.bytes(keyNumber) + salt + [0, 0, 0, 0]
        try memory.change([(key(number), header + box.ciphertext + box.tag)])
        return Array(box.tag)
    }

    // MARK: Changes

    /// Changes the root record: commits at 1, the next number at 9, the catalogue's tree at 81, the counts of values by key from 119.
    func changeRoot(keyNumber: UInt32 = 1, _ change: (inout [UInt8]) -> Void) throws {
        var root = try open(0, kind: 4)
        change(&root)
        _ = try seal(root, 0, kind: 4, keyNumber: keyNumber)
    }

    /// Changes where the keyspace's tree is: its level at 1, its root's number at 2, tag at 10, count at 26, oldest key at 34.
    func changeTree(_ change: (inout [UInt8]) throws -> Void) throws {
        let number = Self.number(try open(0, kind: 4)[83..<91])
        var catalogue = try open(number, kind: 1)
        let range = catalogue.count - 39..<catalogue.count - 1
        var tree = Array(catalogue[range])
        try change(&tree)
        catalogue.replaceSubrange(range, with: tree)
        let tag = try seal(catalogue, number, kind: 1)
        try changeRoot { $0.replaceSubrange(91..<107, with: tag) }
    }

    /// Changes the root node of the keyspace's tree.
    func changeNode(_ change: (inout [Entry]) -> Void) throws {
        try changeTree { tree in
            let number = Self.number(tree[2..<10])
            var node = try open(number, kind: 1)
            let level = node.removeLast()
            var entries: [Entry] = []
            while !node.isEmpty {
                let (keySize, size) = (Int(Self.number(node[0..<2])), Int(Self.number(node[2..<6]) & 0x7FFF_FFFF))
                entries.append(
                    Entry(key: Array(node[6..<6 + keySize]), payload: Array(node[6 + keySize..<6 + keySize + size]), isLarge: node[5] & 0x80 != 0))
                node.removeFirst(6 + keySize + size)
            }
            change(&entries)
            for entry in entries {
                let size = UInt32(entry.payload.count) | (entry.isLarge ? 1 << 31 : 0)
                node += Self.bytes(UInt16(entry.key.count)) + Self.bytes(size) + entry.key + entry.payload
            }
            tree.replaceSubrange(10..<26, with: try seal(node + [level], number, kind: 1))
        }
    }

    /// Changes the record of keys of an empty store: how often it was changed at 26, the data key's number at 126.
    func changeRecord(keyNumber: UInt32 = 1, _ change: (inout [UInt8]) -> Void) throws {
        var record = Array(try Self.value([0], memory).dropLast(32))
        change(&record)
        record += Array(HMAC<SHA256>.authenticationCode(for: record, using: Self.derive(storeKey, store, "trove record of keys")))
        try memory.change([([0], record)])
        try changeRoot(keyNumber: keyNumber) { $0.replaceSubrange(17..<49, with: Array(SHA256.hash(data: record))) }
    }
}
