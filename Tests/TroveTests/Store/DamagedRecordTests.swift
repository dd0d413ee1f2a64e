import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// A record whose bytes were overwritten can be deleted, and everything else be read past it.
@Suite struct DamagedRecordTests {
    private static let count = 60
    private static let damagedID = 20

    /// A store of whose records one is damaged.
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<Self.count).map(Person.sample))
        try damage(fixture.store, "Person", Self.damagedID.keyBytes)
        return fixture
    }

    private func damage(_ store: ObjectStore, _ model: String, _ key: [UInt8]) throws {
        var bytes = try #require(try store.bytes(of: model, key: key))
        for place in bytes.indices.suffix(3) { bytes[place] ^= 0x55 }
        try store.setBytes(bytes, of: model, key: key)
    }

    private static var others: [Int] { (0..<count).filter { $0 != damagedID } }

    @Test(arguments: Engine.allCases) func readsPassOverIt(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        #expect(throws: TroveError.self) { try store.fetch(Person.self).all() }
        var told: [DamagedRecord] = []
        try store.read(passingOver: { told.append($0) }) { (transaction: ReadTransaction) throws -> Void in
            #expect(try transaction.fetch(Person.self).ids() == Self.others)
            #expect(try transaction.fetch(Person.self).all().map(\.id) == Self.others)
            #expect(try transaction.fetch(Person.self).matching("order by id desc").all().map(\.id) == Self.others.reversed())
            // An index leads to it still.
            let name = Person.sample(Self.damagedID).name
            let namesakes = Self.others.filter { Person.sample($0).name == name }
            #expect(try transaction.fetch(Person.self).matching("name = ?", name).all().map(\.id).sorted() == namesakes)
            #expect(try transaction.fetch(Person.self, id: Self.damagedID) == nil)
            #expect(try transaction.fetch(Person.self, ids: [1, Self.damagedID, 2]).map(\.id) == [1, 2])
            #expect(try transaction.fetchRecords(of: ["Person"]).all().count == Self.count - 1)
        }
        // Once, however often it was met.
        #expect(told.map(\.key) == [Self.damagedID.keyBytes] && told[0].modelName == "Person" && "\(told[0].error)".contains("checksum"))
        struct Enough: Error {}
        #expect(throws: Enough.self) { try store.read(passingOver: { _ in throw Enough() }) { try $0.fetch(Person.self).all() } }
    }

    @Test(arguments: Engine.allCases) func exportsLeaveItOut(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.setBlob(Data([1, 2, 3]), named: "small")
        try fixture.store.setBlob(Data([4, 5, 6]), named: "whole")
        try fixture.store.setBytes([9, 9, 9, 9, 9, 9, 9, 9, 1], of: "$blobs", key: Array("small".utf8))
        #expect(throws: TroveError.self) { try fixture.store.exportJSON(into: { _ in }) }
        var told: [DamagedRecord] = []
        var lines = Data()
        let contents = try fixture.store.exportJSON(into: { lines.append(contentsOf: $0) }, passingOver: { told.append($0) })
        #expect(contents.objects == ["Person": Self.count - 1] && contents.blobs == 1)
        #expect(told.map(\.modelName) == ["Person", "$blobs"] && told.last.map { "\($0.error)" }?.contains("small") == true)
        // It is a whole export.
        let other = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        #expect(try other.store.importJSON(lines).isComplete)
        #expect(try other.store.fetch(Person.self).ids() == Self.others && other.store.blobNames() == ["whole"])
        let path = fixture.directory.file("export")
        #expect(try fixture.store.exportJSON(to: path, passingOver: { _ in }) == contents)
        #expect(try Data(contentsOf: URL(filePath: path)) == lines)
    }

    /// A lazy value lies apart from its record, and a value of the application's own in no record at all.
    @Test(arguments: Engine.allCases) func exportsLeaveOutLazyValuesAndMetadata(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        for id in 1...3 { try store.save(LazyPhoto(id: id, title: "t", text: Lazy("x"), image: Lazy(LazyFixture.data(UInt8(id))))) }
        try store.forgeAnnexes("LazyPhoto") { bytes in
            // The second photo's, in the middle.
            var bytes = bytes
            if bytes.last == 2 { bytes[bytes.count - 100] ^= 1 }
            return bytes
        }
        try store.write { transaction in for key in ["a", "b", "c"] { try transaction.setMetadata(.string(key), forKey: key) } }
        try store.setBytes([9, 9, 9, 9, 9, 9, 9, 9, 1], of: "$metadata", key: Array("b".utf8))
        #expect(throws: TroveError.self) { try store.exportJSON(into: { _ in }) }
        var told: [DamagedRecord] = []
        var lines = Data()
        let contents = try store.exportJSON(into: { lines.append(contentsOf: $0) }, passingOver: { told.append($0) })
        #expect(contents.objects["LazyPhoto"] == 2 && contents.metadata == 2)
        #expect(told.map(\.modelName) == ["$metadata", "LazyPhoto"] && told.map(\.key) == [Array("b".utf8), 2.keyBytes])
        #expect(told.last?.reason.contains("lazy property 'image'") == true)
        if case TroveError.corruptMetadata(key: "b")? = told.first?.error {} else { Issue.record("the damaged value of the metadata is not named") }
        let other = try LazyFixture.open(engine)
        #expect(try other.store.importJSON(lines).isComplete)
        #expect(try other.store.fetch(LazyPhoto.self).ids() == [1, 3] && other.store.metadata().keys == ["a", "c"])
        #expect(try other.store.fetch(LazyPhoto.self, id: 3)?.image.load() == LazyFixture.data(3))
    }

    @Test(arguments: Engine.allCases) func copiesTellOfIt(engine: Engine) throws {
        let fixture = try fixture(engine)
        let directory = try TemporaryDirectory()
        let target = try engine.open(directory.file("copy"))
        var told: [DamagedRecord] = []
        try fixture.store.copy(to: target, damaged: { told.append($0) })
        #expect(told.map(\.key) == [Self.damagedID.keyBytes])
        let copy = try ObjectStore(target, models: Person.self)
        #expect(try copy.dump(withHeader: false) == fixture.store.dump(withHeader: false))
        try copy.close()
    }

    /// By a program that has the model, and by one that does not.
    @Test(arguments: Engine.allCases, [true, false]) func deletingItRebuildsTheIndexes(engine: Engine, hasModel: Bool) throws {
        let fixture = try fixture(engine)
        if hasModel {
            try fixture.store.delete(Person.self, id: Self.damagedID)
        } else {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: []) }
            let people = fixture.store.documents(of: "Person")
            #expect(try people.contains(id: .int(Int64(Self.damagedID))) && !people.contains(id: 1_000))
            #expect(try people.delete(id: .int(Int64(Self.damagedID))))
            #expect(try !people.contains(id: .int(Int64(Self.damagedID))))
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        #expect(try fixture.store.fetch(Person.self).ids() == Self.others)
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report)")
        #expect(try fixture.store.indexStatistics().allSatisfy { $0.state == .ready && $0.entries == Self.count - 1 })
    }

    @Test(arguments: Engine.allCases) func damagedDocumentsAreDeleted(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, indexing: .onRequest, models: []) }
        let notes = fixture.store.documents("notes")
        let documents = (0..<20).map { Document(["number": .int(Int64($0)), "tags": ["a", "b"]]) }
        try notes.save(documents)
        try damage(fixture.store, "notes", documents[3].id.keyBytes)
        #expect(try notes.contains(id: documents[3].id) && notes.delete(id: documents[3].id))
        #expect(try notes.count() == 19 && notes.fetch("number >= 0").count() == 19)
        try fixture.store.buildIndexes()
        #expect(try fixture.store.verify().isSound && notes.fetch("any tags = 'a'").count() == 19)
    }

    /// Ids too long for a key of the engine are cut, and whose record it is stands in the record.
    @Test(arguments: Engine.allCases) func damagedRecordsOfLongIDsAreDeleted(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Country.self) }
        let code = String(repeating: "x", count: 700)
        try fixture.store.save([Country(code: code, name: "long"), Country(code: "ch", name: "Switzerland")])
        try damage(fixture.store, "Country", RecordKey(code.keyBytes).bytes)
        #expect(throws: TroveError.self) { try fixture.store.fetch(Country.self, id: code) }
        #expect(try fixture.store.delete(Country.self, id: code))
        #expect(try fixture.store.fetch(Country.self).ids() == ["ch"] && fixture.store.verify().isSound)
    }

    /// Whose such a record was nobody can tell, and it is replaced as one of a short id is.
    @Test(arguments: Engine.allCases) func damagedRecordsOfLongIDsAreReplaced(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Country.self) }
        let store = fixture.store
        let country = Country(code: String(repeating: "x", count: 700), name: "long")
        try store.save(country)
        var lines = Data()
        _ = try store.exportJSON(into: { lines.append(contentsOf: $0) })
        let ways: [(Data) throws -> Void] = [
            { _ in try store.save(country) },
            { lines in
                let report = try store.importJSON(lines)
                #expect(report.isComplete)
            },
        ]
        for replace in ways {
            try damage(store, "Country", RecordKey(country.code.keyBytes).bytes)
            #expect(throws: TroveError.self) { try store.fetch(Country.self, id: country.code) }
            try replace(lines)
            #expect(try store.fetch(Country.self, id: country.code) == country)
        }
    }

    /// What two stores have alike is told by bytes alone.
    @Test(arguments: Engine.allCases) func recordsAreComparedByTheirBytes(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        try fixture.store.save((0..<40).map(Person.sample))
        let target = MemoryBackend()
        try fixture.store.copy(to: target)
        let other = try ObjectStore(target, models: Person.self)
        func likeness() throws -> [RecordLikeness: [[UInt8]?]] {
            var found: [RecordLikeness: [[UInt8]?]] = [:]
            try fixture.store.read { first in try other.read { second in try first.forEachRecord(of: "Person", comparedWith: second) { found[$1, default: []].append($0) } } }
            return found
        }
        #expect(try likeness() == [.same: Array(repeating: nil, count: 40)])
        try other.delete(Person.self, id: 3)
        var person = Person.sample(4)
        person.name += "!"
        try other.save(person)
        try other.save(Person.sample(1_000))
        #expect(try likeness() == [.same: Array(repeating: nil, count: 38), .missing: [3.keyBytes], .unknown: [4.keyBytes]])
        try damage(fixture.store, "Person", 5.keyBytes)
        try damage(other, "Person", 5.keyBytes)
        #expect(try likeness()[.unknown] == [4.keyBytes, 5.keyBytes], "nobody knows what a damaged record is")
    }

    /// All records of a store may be damaged, and its report fits into memory.
    @Test(arguments: Engine.allCases) func aReportTellsTheFirstOfManyProblems(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Person.self) }
        let store = fixture.store
        try store.save((0..<1_200).map(Person.sample))
        try store.core.backend.write(.relaxed) { writer in
            let records = try writer.createKeyspace(named: "Person")
            for id in 0..<1_200 { try writer.put(id.keyBytes, [1, 2, 3], in: records) }
        }
        let report = try store.verify()
        let unreadable = report.problems.filter { if case TroveError.corruptIndex = $0.error { false } else { true } }
        #expect(unreadable.count == 1_000)
        #expect(report.problemCount == 1_200 + report.indexDamage.reduce(0) { $0 + $1.missing + $1.stale + $1.wrong })
        #expect(!report.isSound && report.records == 1_200)
        #expect(report.description.contains("the first \(report.problems.count) problems:"))
    }
}
