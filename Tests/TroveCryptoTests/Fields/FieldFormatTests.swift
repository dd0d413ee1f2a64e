import Crypto
import Foundation
import Testing
import Trove
import TroveCrypto

/// Record of keys, sealed value and tag, read and written as `docs/encryption.md` describes the bytes, with nothing of `TroveCrypto`.
@Suite struct FieldFormatTests {
    private let rootKey = SymmetricKey(data: FieldScene.rootKey)

    private func derive(_ key: SymmetricKey, _ salt: some DataProtocol, _ purpose: String, _ more: [UInt8] = []) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: Array(salt), info: Array(purpose.utf8) + more, outputByteCount: 32)
    }

    /// A record, a value and a tag that the first version made.
    @Test func whatWasMadeBeforeOpens() throws {
        let record = """
            VHJvdmVGbGQBAEhrdCR74abCHMLCZBm1DdgBAAAAAAAAAAEBgrhGWjm91eVI0gZJoV/4MQN5bEhpe+XvDbsWN0FbNnKiQnNC9RiX4H7SzMkjcKf7m15CPoBjalsGlrV0vqDAxYYbUkGTJ8aemv1GmCPZ\
            2G819g/SKPuoJwEAAQAAAF7KF1dcbGonA2AXmq40a0A/zmMPzxrNBTIDUY4S12S0v5CQbRXI+UQV/vToLSnbV7fSa/hruorIQOP2sjLGIjsqlvzkn1I/UVFKEcW4VLqvAACym9MOWSf+x6rxnNNXkuNT\
            Sg3vh62nz1pKf/4RHMXfBQ==
            """
        let sealed = try #require(Data(base64Encoded: "AQEAAADPdrognXs3fsTXyFPJ8DIi922dmF/xQXfF5EcCj97pc9qle/4uoTOMARIZzPA="))
        let sealer = try FieldKeys(.raw(FieldScene.rootKey)).unlock([UInt8](#require(Data(base64Encoded: record))), path: "")
        #expect(try sealer.opened([UInt8](sealed), in: Array("place".utf8)) == Array("value".utf8))
        #expect(sealer.tag(Array("value".utf8), Array("index".utf8)) == 33_923_234_924_405_895_474_960_473_542_462_546_617)
    }

    @Test func theBytesAreThoseOfTheDocument() throws {
        let keyring = FieldKeys(.raw(FieldScene.rootKey))
        let record = try keyring.makeKeyRecord()
        #expect(record.count == 10 + 24 + 1 + 89 + 2 + 44 + 42 + 32)
        #expect(Array(record[..<10]) == Array("TroveFld".utf8) + [1, 0])
        let store = Array(record[10..<26])
        #expect(Array(record[26..<36]) == [1, 0, 0, 0, 0, 0, 0, 0, 1, 1])
        let salt = record[36..<52]
        #expect(derive(rootKey, salt, "trove commitment", store).withUnsafeBytes { [UInt8]($0) } == Array(record[52..<84]))
        let storeKey = try AES.KeyWrap.unwrap(record[84..<124], using: derive(rootKey, salt, "trove wrap", store))
        #expect(Array(record[124..<130]) == [1, 0, 1, 0, 0, 0])
        let wrapping = derive(storeKey, store, "trove data keys")
        let dataKey = try AES.KeyWrap.unwrap(record[130..<170], using: wrapping)
        let indexKey = try AES.KeyWrap.unwrap(record[170..<210], using: wrapping)
        #expect(Array(record[210..<212]) == [0, 0])
        let code = HMAC<SHA256>.authenticationCode(for: record[..<212], using: derive(storeKey, store, "trove record of keys"))
        #expect(Array(code) == Array(record[212...]))

        let sealer = try keyring.unlock(record, path: "")
        #expect(sealer.activeKey == 1 && sealer.keyRecord == record && sealer.closedFields.isEmpty)
        let (value, place) = (Array("value".utf8), Array("place".utf8))
        let sealed = try sealer.sealed(value, in: place)
        #expect(Array(sealed[..<5]) == [1, 1, 0, 0, 0])
        let key = derive(dataKey, sealed[5..<17], "trove sealed fields", store)
        let binding = store + sealed[..<5] + place
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed[17...]), using: key, authenticating: binding) == Data(value))

        // And back: a value that was sealed by the document's words opens.
        let random = (0..<12).map { UInt8($0) }
        let box = try AES.GCM.seal(value, using: derive(dataKey, random, "trove sealed fields", store), authenticating: binding)
        #expect(try sealer.opened(sealed[..<5] + random + Array(box.nonce) + box.ciphertext + box.tag, in: place) == value)

        let message: [UInt8] = [5, 0, 0, 0, 0, 0, 0, 0] + place + value
        let hash = Array(HMAC<SHA256>.authenticationCode(for: message, using: derive(indexKey, store, "trove blind index")))
        #expect(sealer.tag(value, place) == hash[..<16].reversed().reduce(0) { $0 << 8 | UInt128($1) })
    }
}
