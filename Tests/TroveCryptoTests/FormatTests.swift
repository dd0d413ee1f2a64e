import Crypto
import Foundation
import ProbeKit
import Testing
import TestSupport
import TroveCrypto

/// A small store opened as `docs/encryption.md` describes its bytes, with nothing of `TroveCrypto`.
@Suite struct FormatTests {
    /// Takes parts from the front of bytes.
    private struct Parts {
        var bytes: [UInt8]

        mutating func take(_ count: Int) -> [UInt8] {
            defer { bytes.removeFirst(count) }
            return Array(bytes.prefix(count))
        }

        mutating func number(_ count: Int) -> Int { take(count).reversed().reduce(0) { $0 << 8 | Int($1) } }
    }

    private let rootKey = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

    private func derive(_ key: SymmetricKey, _ salt: [UInt8], _ purpose: String, _ more: [UInt8] = []) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8) + more, outputByteCount: 32)
    }

    private func open(_ value: [UInt8], _ store: [UInt8], _ dataKey: SymmetricKey, kind: UInt8, number: [UInt8]) throws -> [UInt8] {
        var parts = Parts(bytes: value)
        let (version, keyNumber, salt, counter) = (parts.take(1), parts.take(4), parts.take(24), parts.take(4))
        let sealed = parts.take(parts.bytes.count - 16)
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 8) + counter), ciphertext: sealed, tag: parts.bytes)
        let key = derive(dataKey, salt, "trove sealed values", store)
        return [UInt8](try AES.GCM.open(box, using: key, authenticating: store + version + [kind] + number + keyNumber))
    }

    /// The node to which a pointer leads, as a list of entries.
    private func entries(_ pointer: [UInt8], _ values: [[UInt8]: [UInt8]], _ store: [UInt8], _ dataKey: SymmetricKey) throws -> [[UInt8]: [UInt8]] {
        let number = Array(pointer.prefix(8))
        let value = try #require(values[number.reversed()])
        #expect(Array(value.suffix(16)) == Array(pointer[8..<24]))
        var parts = Parts(bytes: try open(value, store, dataKey, kind: 1, number: number))
        #expect(parts.bytes.popLast() == 0)
        var entries: [[UInt8]: [UInt8]] = [:]
        while !parts.bytes.isEmpty {
            let (keySize, payloadSize) = (parts.number(2), parts.number(4))
            entries[parts.take(keySize)] = parts.take(payloadSize)
        }
        return entries
    }

    @Test func theBytesAreThoseOfTheDocument() throws {
        let memory = SealedMemory()
        let backend = try memory.open()
        try backend.fill(0..<5)
        let values = Dictionary(uniqueKeysWithValues: try memory.values().map { ($0.key, $0.value) })
        #expect(values.count == 4)

        var record = Parts(bytes: try #require(values[[0]]))
        let all = record.bytes
        #expect(record.take(8) == Array("TroveSea".utf8) && record.number(2) == 1)
        let store = record.take(16)
        #expect(record.number(8) == 1 && record.number(1) == 1 && record.number(1) == 1)
        let (salt, commitment) = (record.take(16), record.take(32))
        #expect(derive(rootKey, salt, "trove commitment", store).withUnsafeBytes { [UInt8]($0) } == commitment)
        let storeKey = try AES.KeyWrap.unwrap(record.take(40), using: derive(rootKey, salt, "trove wrap", store))
        #expect(record.number(2) == 1 && record.number(4) == 1)
        let dataKey = try AES.KeyWrap.unwrap(record.take(40), using: derive(storeKey, store, "trove data keys"))
        let code = HMAC<SHA256>.authenticationCode(for: all.dropLast(32), using: derive(storeKey, store, "trove record of keys"))
        #expect(record.bytes == Array(code))

        var root = Parts(bytes: try open(#require(values[[0, 0]]), store, dataKey, kind: 4, number: [UInt8](repeating: 0, count: 8)))
        #expect(root.number(1) == 1 && root.number(8) == 1 && root.number(8) == 3)
        #expect(root.take(32) == Array(SHA256.hash(data: all)))
        _ = root.take(32)
        #expect(root.take(2) == [1, 0])
        let catalogue = try entries(root.take(36), values, store, dataKey)
        #expect(root.number(2) == 1 && root.number(4) == 1 && root.number(8) == 2 && root.bytes.isEmpty)
        #expect(catalogue.keys.map { $0 } == [Array("data".utf8)])
        let tree = try #require(catalogue.values.first)
        #expect(tree.prefix(2) == [1, 0])
        #expect(try entries(Array(tree.dropFirst(2)), values, store, dataKey) == backend.contents()["data"])
    }

    /// A value of several chunks: under its own number is the list of their tags, and they have the numbers behind it.
    @Test func chunksLieBehindTheirList() throws {
        let memory = SealedMemory()
        try memory.open().fill(0..<1, valueSize: 2_100_000, mark: 3)
        let forger = try Forger(memory)
        var leaf: [Forger.Entry] = []
        try forger.changeNode { leaf = $0 }
        let pointer = try #require(leaf.first)
        #expect(leaf.count == 1 && pointer.isLarge && pointer.payload.count == 36)
        #expect(Forger.number(pointer.payload[24..<32]) == 2_100_000 && Forger.number(pointer.payload[32..<36]) == 1)
        let values = Dictionary(uniqueKeysWithValues: try memory.values().map { ($0.key, $0.value) })
        let number = Forger.number(pointer.payload[0..<8])
        #expect(values[forger.key(number)]?.suffix(16) == pointer.payload[8..<24])
        let list = try forger.open(number, kind: 3)
        #expect(list.count == 3 * 16)
        var value: [UInt8] = []
        for chunk in 0..<3 {
            let number = number + 1 + UInt64(chunk)
            #expect(values[forger.key(number)]?.suffix(16) == list[chunk * 16..<chunk * 16 + 16])
            value += try forger.open(number, kind: 2)
            #expect(value.count == min((chunk + 1) << 20, 2_100_000))
        }
        #expect(value == [UInt8](repeating: 3, count: 2_100_000))
    }

    /// A node above leaves: pointers to them with their tags, the entries below, the lowest data key.
    @Test func nodesPointToTheirChildren() throws {
        let memory = SealedMemory()
        var options = EncryptedBackend.Options()
        options.nodeSize = 1_024
        try memory.open(options: options).fill(0..<60)
        let forger = try Forger(memory)
        var children: [Forger.Entry] = []
        try forger.changeNode { children = $0 }
        #expect(children.count > 2)
        let values = Dictionary(uniqueKeysWithValues: try memory.values().map { ($0.key, $0.value) })
        var count: UInt64 = 0
        for child in children {
            #expect(child.payload.count == 36 && !child.isLarge)
            let number = Forger.number(child.payload[0..<8])
            #expect(values[forger.key(number)]?.suffix(16) == child.payload[8..<24])
            #expect(try forger.open(number, kind: 1).last == 0)
            count += Forger.number(child.payload[24..<32])
            #expect(Forger.number(child.payload[32..<36]) == 1)
        }
        #expect(count == 60)
    }
}
