import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveCrypto

@testable import Trove

/// Sealed values that somebody changed, moved or replaced below the store.
@Suite struct EncryptedDamageTests {
    private typealias Entry = (key: [UInt8], value: [UInt8])

    private func open(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedVisit.self, SealedPage.self)
    }

    private func records(_ store: ObjectStore) throws -> [Entry] {
        try store.core.backend.contents()["SealedVisit"]!.map { ($0.key, $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    /// A record with a flag of a later version is neither opened nor written over.
    @Test(arguments: Engine.allCases, [8, 64] as [UInt8]) func newerRecords(engine: Engine, flag: UInt8) throws {
        let fixture = try SealedFixture.open(engine)
        let store = fixture.store
        let patient = SealedPatient.made(1)
        try store.save(patient)
        func entry() throws -> Entry { try #require(try store.core.backend.contents()["SealedPatient"]?.first.map { ($0.key, $0.value) }) }
        var newer = try entry()
        newer.value[1] |= flag
        newer = forged(newer)
        try put(newer, in: store, "SealedPatient")
        func isNewer(_ body: () throws -> Void) {
            #expect(performing: body, throws: { if case TroveError.newerRecord(model: "SealedPatient", _) = $0 { true } else { false } })
        }
        isNewer { _ = try store.fetch(SealedPatient.self, id: 1) }
        isNewer { _ = try store.fetch(SealedPatient.self).where { $0.name == patient.name }.all() }
        isNewer { try store.save(patient) }
        isNewer { try store.rotateFieldKey() }
        let problems = try store.verify().problems
        #expect(problems.contains { if case TroveError.newerRecord = $0.error { true } else { false } })
        #expect(try entry().value == newer.value)
    }

    private func put(_ entry: Entry, in store: ObjectStore, _ name: String = "SealedVisit") throws {
        try store.core.backend.write(.relaxed) { (writer: any StorageWriter) in try writer.put(entry.key, entry.value, in: writer.createKeyspace(named: name)) }
    }

    /// The record with a checksum that fits, as somebody makes it who knows the format.
    private func forged(_ entry: Entry) -> Entry {
        var value = entry.value
        let checksum = value.withUnsafeBytes { value in entry.key.withUnsafeBytes { RecordFormat.checksum(of: value, key: $0) } }
        withUnsafeBytes(of: checksum.littleEndian) { value.replaceSubrange(4..<8, with: $0) }
        return (entry.key, value)
    }

    /// Whether reading the object is an error that names it, or gives what was stored.
    private func isRefusedOr(_ expected: SealedVisit?, _ store: ObjectStore, id: Int) -> Bool {
        do {
            let found = try store.fetch(SealedVisit.self, id: id)
            return found == expected && expected != nil
        } catch TroveError.corruptRecord(model: "SealedVisit", _, _) {
            return true
        } catch TroveError.newerRecord(model: "SealedVisit", _) {
            return true
        } catch TroveError.corruptCatalogue {
            // The number of a layout that there is not.
            return true
        } catch {
            Issue.record("\(error)")
            return false
        }
    }

    /// A store whose record of keys is gone is no new store: another record of keys would forget which properties are closed.
    @Test func theRecordOfKeysIsGone() throws {
        let backend = MemoryBackend()
        let store = try open(backend)
        let visit = SealedVisit(id: 1, place: "here", reason: "Zqreason")
        try store.save(visit)
        try store.closeEncryptedFields()
        let keys = try #require(try backend.contents()["$keys"]?.first { $0.key == Array("fields".utf8) })
        try backend.write(.relaxed) { (writer: any StorageWriter) in _ = try writer.delete(keys.key, in: writer.createKeyspace(named: "$keys")) }
        let before = try backend.contents()
        do {
            _ = try open(backend)
            Issue.record("opened")
        } catch TroveError.corruptCatalogue(let entry, let reason) {
            #expect(entry == "$keys/fields")
            #expect(reason.contains("restore a backup"))
        }
        #expect(try backend.contents() == before)
        try put((keys.key, keys.value), in: store, "$keys")
        #expect(try open(backend).fetch(SealedVisit.self, id: 1) == visit)
    }

    /// Every bit of a record whose checksum was made to fit.
    @Test func everyBit() throws {
        let store = try open(MemoryBackend())
        let visit = SealedVisit(id: 1, place: "here", reason: "Zqreason")
        try store.save(visit)
        try store.closeEncryptedFields()
        let entry = try records(store)[0]
        for bit in 0..<entry.value.count * 8 where !(32..<64).contains(bit) {
            var changed = entry
            changed.value[bit / 8] ^= 1 << UInt8(bit % 8)
            try put(forged(changed), in: store)
            var expected: SealedVisit?
            // What is not encrypted is not authenticated: the place may be another.
            do {
                let found = try store.fetch(SealedVisit.self, id: 1)
                #expect(found?.reason == "Zqreason" && found?.id == 1, "bit \(bit)")
                expected = found
            } catch {}
            #expect(isRefusedOr(expected, store, id: 1), "bit \(bit)")
            _ = try store.verify()
        }
        try put(entry, in: store)
        #expect(try store.fetch(SealedVisit.self, id: 1) == visit)
    }

    /// A sealed value in another object, property, model or store, and an object's values cut.
    @Test(arguments: Engine.allCases) func moved(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try self.open($0) }
        let store = fixture.store
        let visits = (0..<6).map { SealedVisit(id: $0, place: "here", reason: "Zqreason\($0)") }
        try store.save(visits)
        let entries = try records(store)
        for from in entries.indices {
            for to in entries.indices where to != from {
                try put(forged((entries[to].key, entries[from].value)), in: store)
                #expect(isRefusedOr(nil, store, id: to), "\(from) under the key of \(to)")
                try put(entries[to], in: store)
            }
        }
        for count in 8..<entries[0].value.count {
            try put(forged((entries[0].key, Array(entries[0].value[..<count]))), in: store)
            #expect(isRefusedOr(nil, store, id: 0), "cut to \(count)")
        }
        try put(entries[0], in: store)
        // From another store with the same root key.
        let other = try open(MemoryBackend())
        try other.save(visits)
        try put(records(other)[3], in: store)
        #expect(isRefusedOr(nil, store, id: 3))
        let problems = try store.verify().problems
        #expect(problems.count == 1 && "\(problems[0])".contains("encrypted properties cannot be opened"))
        // A fetch of all says which one it is; the others can be read.
        #expect(throws: TroveError.self) { try store.fetch(SealedVisit.self).all() }
        #expect(try store.fetch(SealedVisit.self, ids: [0, 1, 2, 4, 5]).count == 5)
        try store.delete(SealedVisit.self, id: 3)
        #expect(try store.fetch(SealedVisit.self).count() == 5)
        try store.rebuildIndexes(of: SealedVisit.self)
        #expect(try store.verify().isSound)
    }
}
