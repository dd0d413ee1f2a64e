import Foundation
import ProbeKit
import TestSupport
import Testing
import Trove
import TroveCrypto

/// Object stores in which everything is sealed.
@Suite struct SecrecyTests {
    /// Uses whatever writes something; every secret begins with `Zq` or `zq`.
    private func useEverything(_ store: ObjectStore) throws {
        let patients = (0..<150).map { number in
            ZqPatient(
                zqNumber: "Zq-\(number)", zqName: "Zqname\(number % 20)", zqHistory: "Zqcough and Zqfever\(number % 7)", zqStreet: "Zqstreet \(number)",
                zqYear: 1_900 + number, zqImage: number % 50 == 0 ? Data("Zqimage".utf8) + Data(repeating: 0x5A, count: 6_000) : nil)
        }
        try store.save(patients)
        #expect(try store.fetch(ZqPatient.self).search("zqfever3").count > 0)
        #expect(try store.fetch(ZqPatient.self).where { $0.zqStreet.contains("reet 14") }.count() == 11)
        #expect(try store.fetch(ZqPatient.self).where { $0.zqName == "Zqname3" && $0.zqYear > 1_950 }.sorted(by: \.zqYear).all().count == 5)
        try store.fetch(ZqPatient.self).where { $0.zqYear < 1_910 }.update(\.zqName, to: "Zqrenamed")
        try store.fetch(ZqPatient.self).where { $0.zqYear > 2_040 }.delete()
        try store.setBlob(Data("Zqblob".utf8) + Data(repeating: 0x5A, count: 20_000), named: "zqblob")
        try store.setMetadata(.string("Zqmetadata"), forKey: "zqkey")
        let notes = store.documents("zqnotes")
        try notes.save((0..<20).map { ["zqTitle": .string("Zqnote number zqword\($0)")] })
        try notes.setFullText(["zqTitle": 1])
        #expect(try notes.fetch().search("zqword7").count == 1)
        let bag = Bag(named: "zqbag", in: store)
        bag.add(contentsOf: Array(patients.prefix(5)))
        try bag.save()
        let context = ObjectContext(store)
        let ward = ZqWard(zqTitle: "Zqward")
        ward.zqNurses = [ZqNurse(zqName: "Zqann"), ZqNurse(zqName: "Zqbob")]
        try context.insert(ward)
        try context.save()
        #expect(try store.verify().isSound)
    }

    private func open(_ backend: any StorageBackend) throws -> ObjectStore {
        try ObjectStore(backend, models: ZqPatient.self, ZqWard.self, ZqNurse.self)
    }

    /// What stands nowhere by chance: names of models, fields and keyspaces, values, words, substrings, blobs, metadata, bags, passphrases.
    private static let secrets = [
        "ZqPatient", "ZqWard", "ZqNurse", "zqNumber", "zqName", "zqHistory", "zqStreet", "zqYear", "zqImage", "zqTitle", "zqNurses", "$catalogue", "$blobs",
        "Zqname1", "zqname1", "Zqcough", "zqcough", "zqfever", "Zqstreet", "zqstre", "Zqrenamed", "Zqimage", "Zqblob", "zqblob", "Zqmetadata", "zqkey", "zqbag", "zqnotes", "zqword",
        "Zqward", "Zqann", "Zqbob", "Zqpassphrase", "ZZZZZZZZ",
    ].map { Data($0.utf8) }

    /// The files of a directory in which a secret stands, each with the first one, and how many files there are.
    private func search(_ directory: TemporaryDirectory) throws -> (found: [String], count: Int) {
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let found = try files.compactMap { file in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file(file)))
            return Self.secrets.first { bytes.range(of: $0) != nil }.map { "\(file): \(String(decoding: $0, as: UTF8.self))" }
        }
        return (found, files.count)
    }

    @Test(arguments: Engine.persistent) func nothingCanBeRead(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.openSealed(directory.file())
        let store = try open(backend)
        try useEverything(store)
        // Logs and free pages are there while it is open.
        let whileOpen = try search(directory)
        #expect(whileOpen.found == [] && whileOpen.count > 0)
        try backend.rotateDataKey(stepSize: 100)
        try backend.changeKey(to: .passphrase("Zqpassphrase", cost: PassphraseCost(log2Rounds: 10)))
        try store.backUp(to: directory.file("copy"))
        try store.compact()
        #expect(try store.verify().isSound)
        let sealed = try Randomness(SealedMemory.values(engine.open(directory.file())).filter { $0.key != [0] }.map { $0.value[33...] })
        #expect(sealed.looksRandom, "\(sealed)")
        try store.close()
        #expect(try search(directory).found == [])

        // The search finds what is there: the same in a plain store.
        let plain = try TemporaryDirectory()
        let other = try open(engine.open(plain.file()))
        try useEverything(other)
        #expect(try search(plain).found.allSatisfy { $0.hasPrefix("store") } && search(plain).found != [])
        try other.close()
        #expect(!Randomness([(0..<4_096).map { UInt8($0 % 200) }[...]]).looksRandom)
    }

    /// From plain to sealed and back, with everything in it.
    @Test(arguments: TestShare.engines(1)) func copiesBothWays(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let plain = try open(engine.open(directory.file("plain")))
        try useEverything(plain)
        let backend = try engine.openSealed(directory.file("sealed"))
        try plain.copy(to: backend)
        let sealed = try open(backend)
        #expect(try sealed.verify().isSound)
        try sealed.copy(to: engine.open(directory.file("back")))
        let (first, second) = (try engine.open(directory.file("plain")), try engine.open(directory.file("back")))
        // The header's entry tells the copies apart.
        var (expected, found) = (try first.contents(), try second.contents())
        if engine != .memory {
            #expect(found.keys.sorted() == expected.keys.sorted())
            expected["$catalogue"]?[Array("store".utf8)] = nil
            found["$catalogue"]?[Array("store".utf8)] = nil
            #expect(found == expected)
        }
        #expect(try sealed.fetch(ZqPatient.self).all().count == plain.fetch(ZqPatient.self).all().count)
        #expect(try sealed.blob(named: "zqblob") == plain.blob(named: "zqblob"))
        for store in [plain, sealed] { try store.close() }
        for backend in [first, second] { try backend.close() }
    }

    /// A sealed store that is opened without its key says that it is encrypted.
    @Test(arguments: Engine.allCases) func withoutTheKeyItSaysSo(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try open(engine.openSealed(directory.file()))
        #expect { try open(engine.open(directory.file())) } throws: { error in
            guard case TroveError.notAStore(_, let reason) = error else { return false }
            return reason.contains("encrypted")
        }
        try store.close()
    }
}
