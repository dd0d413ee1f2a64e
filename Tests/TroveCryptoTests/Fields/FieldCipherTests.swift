import Foundation
import Synchronization
import Testing
import Trove

@testable import TroveCrypto

/// Sealed values of encrypted properties: what opens, and what does not.
@Suite struct FieldCipherTests {
    private let value = Array("Jane Doe, 1970".utf8)

    @Test(arguments: [0, 1, 15, 16, 17, 90, 4_096, 100_000]) func whatWasSealedOpens(size: Int) throws {
        let scene = try FieldScene()
        let (sealer, other) = (try scene.sealer(), try scene.sealer())
        let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for place in [[], [9], [UInt8](repeating: 5, count: 600)] {
            var bytes: [UInt8] = [42]
            try sealer.seal(value.span.bytes, in: place.span.bytes, appendingTo: &bytes)
            // What is in front stays, and nothing is added but what the format says.
            #expect(bytes[0] == 42 && bytes.count == 1 + 45 + size)
            let sealed = Array(bytes.dropFirst())
            #expect(sealer.keyNumber(sealed) == 1)
            for opener in [sealer, other] {
                var opened: [UInt8] = [7]
                try opener.open(sealed.span.bytes, in: place.span.bytes, appendingTo: &opened)
                #expect(opened == [7] + value)
            }
        }
    }

    @Test func equalValuesAreSealedDifferently() throws {
        let sealer = try FieldScene().sealer()
        #expect(Set(try (0..<500).map { _ in try sealer.sealed(value) }).count == 500)
    }

    @Test func everyBitCounts() throws {
        let sealer = try FieldScene().sealer()
        let sealed = try sealer.sealed(value)
        for position in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[position] ^= 1 << UInt8(bit)
                let fault = try sealer.fault(changed)
                #expect((1..<5).contains(position) ? fault == sealer.keyNumber(changed).map { .unknownKey($0) } : fault == .damaged, "bit \(bit) of \(position)")
            }
        }
        for changed in sealed.indices.map({ Array(sealed.prefix($0)) }) + [sealed + [0], [0] + sealed, sealed + sealed] {
            #expect(try sealer.fault(changed) != nil)
        }
        #expect(sealer.keyNumber([]) == nil && sealer.keyNumber(Array(sealed.prefix(44))) == nil)
        #expect(sealer.keyNumber([0] + sealed.dropFirst()) == nil)
        #expect(try sealer.fault(sealed) == nil)
    }

    @Test func nothingIsAppendedThatWasNotSealed() throws {
        let sealer = try FieldScene().sealer()
        var sealed = try sealer.sealed(value)
        sealed[30] ^= 1
        var bytes: [UInt8] = [7]
        #expect(throws: FieldSealingFault.damaged) { try sealer.open(sealed.span.bytes, in: [1, 2, 3].span.bytes, appendingTo: &bytes) }
        #expect(bytes == [7])
    }

    @Test func aValueOpensInItsPlaceAlone() throws {
        let sealer = try FieldScene().sealer()
        let places: [[UInt8]] = [[], [0], [1], [1, 0], [0, 1], [1, 2, 3], [UInt8](repeating: 1, count: 70)]
        for place in places {
            let sealed = try sealer.sealed(value, in: place)
            for other in places { #expect(try sealer.fault(sealed, in: other) == (other == place ? nil : .damaged)) }
        }
    }

    /// Another store under the same root key, and one with another.
    @Test func aValueOpensInItsStoreAlone() throws {
        let sealed = try FieldScene().sealer().sealed(value)
        for key in [FieldScene.rootKey, [UInt8](repeating: 8, count: 32)] {
            let scene = try FieldScene(.raw(key))
            #expect(try scene.sealer(.raw(key)).fault(sealed) == .damaged)
        }
    }

    /// Parts of two values of one place, put together in each way.
    @Test func valuesCannotBePutTogether() throws {
        let scene = try FieldScene()
        let (first, second) = (try scene.sealer().sealed(value), try scene.sealer().sealed(value))
        let sealer = try scene.sealer()
        let cuts = [0, 5, 17, 29, first.count - 16, first.count]
        let parts = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
        for choice in 0..<(1 << parts.count) {
            let mixed = parts.enumerated().flatMap { number, range in choice >> number & 1 == 0 ? first[range] : second[range] }
            #expect(try sealer.fault(mixed) == (mixed == first || mixed == second ? nil : .damaged))
        }
    }

    // MARK: Keys

    @Test func aNewDataKeyIsSealedWithAndTheOldOneOpens() throws {
        let scene = try FieldScene()
        let old = try scene.sealer()
        let first = try old.sealed(value)
        try scene.addDataKey()
        let new = try scene.sealer()
        #expect(old.activeKey == 1 && new.activeKey == 2 && old.keyRecord != new.keyRecord && new.keyRecord == scene.bytes)
        let second = try new.sealed(value)
        #expect(new.keyNumber(second) == 2)
        #expect(try new.opened(first) == value && new.opened(second) == value)
        // One that has the record as it was is told that it lacks a key.
        #expect(try old.fault(second) == .unknownKey(2))
        try scene.changeRecord { record, ring in
            record.dataKeys.removeFirst()
            return ring.storeKey
        }
        #expect(try scene.sealer().fault(first) == .unknownKey(1))
        #expect(try scene.sealer().opened(second) == value)
    }

    /// No key is tried but the one whose number stands in the value.
    @Test func theNumberOfTheKeyIsSealedWithIt() throws {
        let scene = try FieldScene()
        let sealed = try scene.sealer().sealed(value)
        try scene.addDataKey()
        let sealer = try scene.sealer()
        var changed = sealed
        changed[1] = 2
        #expect(try sealer.fault(changed) == .damaged)
    }

    // MARK: Nonces

    /// The random bytes of the session and the nonce: with the data key they are what key and nonce are made of.
    private func nonce(_ sealed: [UInt8]) -> [UInt8] { Array(sealed[5..<29]) }

    @Test func sealersOfOneRecordShareNoNonce() throws {
        let scene = try FieldScene()
        let nonces = try (0..<8).map { _ in
            let sealer = try scene.sealer()
            return try (0..<500).map { _ in nonce(try sealer.sealed(value)) }
        }
        #expect(Set(nonces.joined()).count == 4_000)
        #expect(Set(nonces.map { $0[0].prefix(12) }).count == 8)
        for session in nonces {
            #expect(Set(session.map { $0.prefix(12) }).count == 1)
            #expect(Set(session.map { $0.suffix(12) }).count == 500)
        }
    }

    @Test func aSessionEnds() throws {
        let scene = try FieldScene()
        let (record, ring) = try scene.keys()
        let sealer = try FieldCipher(scene.bytes, record, ring, in: scene.place, sessionLimit: 3)
        let sealed = try (0..<10).map { _ in try sealer.sealed(value) }
        #expect(Dictionary(grouping: sealed, by: { $0[5..<17] }).values.map(\.count).sorted() == [1, 3, 3, 3])
        let other = try scene.sealer()
        for one in sealed { #expect(try other.opened(one) == value) }
    }

    @Test func threadsShareASealer() throws {
        let scene = try FieldScene()
        let (record, ring) = try scene.keys()
        let sealer = try FieldCipher(scene.bytes, record, ring, in: scene.place, sessionLimit: 50)
        let expected = sealer.tag(value, [1])
        let all = Mutex<[[UInt8]]>([])
        let wrong = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let sealed = (0..<300).compactMap { number in
                let value = [UInt8(thread), UInt8(truncatingIfNeeded: number)]
                guard let sealed = try? sealer.sealed(value), let opened = try? sealer.opened(sealed), opened == value, sealer.tag(self.value, [1]) == expected
                else {
                    wrong.add(1, ordering: .relaxed)
                    return nil as [UInt8]?
                }
                return sealed
            }
            all.withLock { $0 += sealed }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(Set(all.withLock { $0 }.map(nonce)).count == 2_400)
    }

    // MARK: Tags

    @Test func tagsAreThoseOfIndexAndValue() throws {
        let scene = try FieldScene()
        let sealer = try scene.sealer()
        let cases: [(value: [UInt8], index: [UInt8])] = [
            ([], []), ([1], []), ([], [1]), ([1, 2], [3]), ([2], [3, 1]), ([1], [3, 2]), ([3, 1, 2], []), ([UInt8](repeating: 1, count: 300), [3]),
        ]
        let tags = cases.map { sealer.tag($0.value, $0.index) }
        #expect(Set(tags).count == cases.count)
        #expect(try cases.map { try scene.sealer().tag($0.value, $0.index) } == tags)
        // Another store has others under the same root key.
        #expect(try Set(cases.map { try FieldScene().sealer().tag($0.value, $0.index) }).isDisjoint(with: tags))
        // New data keys and new root keys leave them as they are.
        try scene.addDataKey()
        let next = StoreKey.raw([UInt8](repeating: 8, count: 32))
        try scene.replaceRootKeys(with: next)
        #expect(try cases.map { try scene.sealer(next).tag($0.value, $0.index) } == tags)
    }
}
