import Foundation

@testable import Trove

/// Continuation tokens, used by queries of a small store.
enum TokenCheck {
    private static let store = Result { () -> ObjectStore in
        let store = try ObjectStore(MemoryBackend(), durability: .relaxed, models: FuzzedModel.self)
        try store.save((0..<12).map(FuzzedModel.init(sample:)))
        return store
    }

    /// An input is a byte that says whether it is a token's text or its bytes, whose fingerprint and checksum are then made to fit.
    static func run(_ input: inout FuzzInput) throws {
        let store = try store.get()
        let selector = input.byte()
        let fetches = [
            store.fetch(FuzzedModel.self).sorted(by: \.number), store.fetch(FuzzedModel.self).sorted(by: \.text).sorted(by: \.decimal, .descending),
            store.fetch(FuzzedModel.self),
        ]
        let fetch = fetches[Int(selector >> 1) % fetches.count]
        let token: ContinuationToken
        if selector & 1 == 0 {
            token = ContinuationToken(input.text())
        } else {
            let (_, next) = try fetch.page(2)
            guard let next else { throw FuzzFailure("a page of two of twelve has no next one") }
            token = ContinuationToken(try forged(next, with: input.rest()))
        }
        _ = try valueOrTypedError("a page after a token") { try fetch.page(2, after: token) }
    }

    /// A token with the fingerprint of another one, and a checksum that fits.
    private static func forged(_ token: ContinuationToken, with place: [UInt8]) throws -> String {
        let standard = token.text.replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)) else {
            throw FuzzFailure("a token that is not base 64")
        }
        let bytes = [UInt8](data.prefix(9)) + place
        let checksum = UInt32(truncatingIfNeeded: Checksum.hash(bytes))
        return Data(bytes + withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) }).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
