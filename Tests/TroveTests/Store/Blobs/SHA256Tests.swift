import Foundation
import TestSupport
import Testing

@testable import Trove

/// The hash against the examples of FIPS 180-4 and against the system's program.
@Suite struct SHA256Tests {
    private func text(_ data: Data) -> String { BlobInfo(name: "", size: 0, sha256: Data(data.withUnsafeBytes { SHA256.digest($0) })).sha256Text }

    @Test func examplesOfTheStandard() {
        #expect(text(Data()) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(text(Data("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(text(Data("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(text(Data(repeating: UInt8(ascii: "a"), count: 1_000_000)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Every length around the ends of blocks, in pieces, is what it is in one.
    @Test func piecesMakeNoDifference() {
        let bytes = BlobFixture.bytes(400)
        for count in 0...260 {
            let data = Data(bytes.prefix(count))
            for size in [1, 3, 63, 64, 65, 128] {
                var hash = SHA256()
                for piece in BlobFixture.pieces(data, [size]) { piece.withUnsafeBytes { hash.update($0) } }
                #expect(hash.finish() == data.withUnsafeBytes { SHA256.digest($0) }, "\(count) bytes by \(size)")
            }
        }
    }

    @Test func theSystemsProgramAgrees() throws {
        let directory = try TemporaryDirectory()
        for count in [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 65_512, 200_001] {
            let data = BlobFixture.bytes(count, seed: UInt64(count) + 1)
            try data.write(to: URL(filePath: directory.file("bytes")))
            let (status, output) = try Tool.run("sha256sum", [directory.file("bytes")])
            #expect(status == 0 && output.prefix(64) == text(data), "\(count) bytes")
        }
    }
}
