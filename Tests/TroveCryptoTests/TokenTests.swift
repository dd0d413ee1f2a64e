import Foundation
import ProbeKit
import TestSupport
import Testing
import Trove
import TroveCrypto

/// Tokens of pages of sealed stores.
@Suite struct TokenTests {
    private func open(_ backend: any StorageBackend, access: StoreAccess = .readWrite) throws -> ObjectStore {
        try ObjectStore(backend, access: access, models: ZqNote.self, ZqMemo.self)
    }

    private func fill(_ store: ObjectStore) throws {
        try store.save((0..<40).map { ZqNote(zqNumber: $0, zqTitle: "Zqtitle \($0 / 10)") })
        try store.save((0..<5).map { ZqMemo(zqNumber: 100 + $0, zqTitle: "Zqtitle \($0)") })
    }

    private func first(_ store: ObjectStore) throws -> ContinuationToken {
        try #require(try store.fetch(ZqNote.self).sorted(by: \.zqTitle).page(7).next)
    }

    private func refusal(_ store: ObjectStore, _ token: ContinuationToken) throws -> String? {
        do {
            _ = try store.fetch(ZqNote.self).sorted(by: \.zqTitle).page(7, after: token)
            return nil
        } catch TroveError.invalidToken(let reason) { return reason }
    }

    private func bytes(_ token: ContinuationToken) throws -> [UInt8] {
        let text = token.text.replacing("-", with: "+").replacing("_", with: "/")
        return [UInt8](try #require(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))))
    }

    private func token(_ bytes: [UInt8]) -> ContinuationToken {
        ContinuationToken(Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    }

    @Test(arguments: TestShare.engines(2)) func aTokenTellsNothingAndStaysValid(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let anchor = try engine.open(directory.file())
        var store = try open(engine.openSealed(directory.file()))
        try fill(store)
        var (numbers, next) = ([Int](), nil as ContinuationToken?)
        repeat {
            let page = try store.fetch(ZqNote.self).sorted(by: \.zqTitle).page(7, after: next)
            numbers += page.objects.map(\.zqNumber)
            next = page.next
            if let next { #expect(try Data(bytes(next)).range(of: Data("Zqtitle".utf8)) == nil) }
            // It outlives the store that made it.
            try store.close()
            store = try open(engine.openSealed(directory.file()), access: numbers.count > 20 ? .readOnly : .readWrite)
        } while next != nil
        #expect(numbers.sorted() == Array(0..<40))
        // That of a plain store tells it.
        let plain = try open(MemoryBackend())
        try fill(plain)
        #expect(try Data(bytes(first(plain))).range(of: Data("Zqtitle".utf8)) != nil)
        for store in [store, plain] { try store.close() }
        try anchor.close()
    }

    @Test func aForgedOrForeignTokenIsRefused() throws {
        let (memory, other) = (SealedMemory(), SealedMemory())
        let stores = try [memory, other].map { try open($0.open()) } + [open(MemoryBackend())]
        for store in stores { try fill(store) }
        let tokens = try stores.map(first)
        for (place, store) in stores.enumerated() {
            for (number, token) in tokens.enumerated() { #expect(try (refusal(store, token) == nil) == (place == number)) }
        }
        let sealed = try bytes(tokens[0])
        for position in sealed.indices {
            var changed = sealed
            changed[position] ^= 1 << UInt8(position % 8)
            #expect(try refusal(stores[0], token(changed)) != nil, "byte \(position)")
        }
        for size in 0..<sealed.count { #expect(try refusal(stores[0], token(Array(sealed.prefix(size)))) != nil) }
        #expect(try refusal(stores[2], tokens[0])?.contains("encrypted") == true)
        // One of another query of the same store.
        let reversed = try #require(try stores[0].fetch(ZqNote.self).sorted(by: \.zqTitle, .descending).page(7).next)
        #expect(try refusal(stores[0], reversed)?.contains("another") == true)
        // Two of one place differ.
        #expect(try first(stores[0]) != tokens[0])
    }

    /// With a new store key, as `changeKey` makes one, earlier tokens end; new data keys leave them valid.
    @Test func tokensEndWithTheKey() throws {
        let memory = SealedMemory()
        let backend = try memory.open()
        let store = try open(backend)
        try fill(store)
        let token = try first(store)
        try backend.rotateDataKey()
        #expect(try refusal(store, token) == nil)
        try backend.changeKey(to: .raw([UInt8](repeating: 8, count: 32)))
        #expect(try refusal(store, token) != nil && refusal(store, first(store)) == nil)
    }
}

/// What has pages. Values that begin with `Zq` are secrets.
@Model struct ZqNote {
    @Attribute(.unique) var zqNumber: Int
    @Attribute(.indexed) var zqTitle: String
}

@Model struct ZqMemo {
    @Attribute(.unique) var zqNumber: Int
    var zqTitle: String
}
