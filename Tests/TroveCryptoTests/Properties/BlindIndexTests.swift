import Foundation
import ProbeKit
import TestSupport
import Testing
import TroveCrypto

@testable import Trove

/// Blind indexes find equal values, and show neither values nor order.
@Suite struct BlindIndexTests {
    @Model fileprivate struct SealedCafe {
        #Index<SealedCafe>([.ascending(\.name, ignoring: [.case, .diacritics])], blind: BlindOptions(bits: 24))
        var id: Int
        @Attribute(.encrypted) var name: String
    }

    @Model fileprivate struct SealedTags {
        var id: Int
        @Attribute(.encrypted, .blind(bits: 1)) var tags: [String]
    }

    private func filled(_ engine: Engine, _ count: Int = 300) throws -> (StoreFixture, [SealedPatient]) {
        let fixture = try SealedFixture.open(engine)
        let patients = (0..<count).map { SealedPatient.made($0) }
        try fixture.store.save(patients)
        return (fixture, patients)
    }

    private func usesIndex(_ name: String, _ fetch: Fetch<SealedPatient, ObjectStore>) throws -> Bool {
        try "\(fetch.explain(running: false))".contains("index '\(name)'")
    }

    @Test(arguments: Engine.allCases) func findEqualValues(engine: Engine) throws {
        let (fixture, patients) = try filled(engine)
        let store = fixture.store
        let ward = store.fetch(SealedPatient.self).where { $0.ward == "Zqward3" }
        #expect(try ward.ids() == patients.filter { $0.ward == "Zqward3" }.map(\.id), "hashes of nine bits are shared, and what is found is checked")
        #expect(try ward.count() == 30)
        let several = store.fetch(SealedPatient.self).where { $0.ward.isIn(["Zqward1", "Zqward9", "none"]) }
        #expect(try several.ids() == patients.filter { ["Zqward1", "Zqward9"].contains($0.ward) }.map(\.id))
        let both = store.fetch(SealedPatient.self).where { $0.city == "City3" && $0.severity == .severe }
        #expect(try usesIndex("blind city, severity", both))
        #expect(try both.ids() == patients.filter { $0.city == "City3" && $0.severity == .severe }.map(\.id))
        let folded = store.fetch(SealedPatient.self).where { $0.email.equals("zq77@EXAMPLE.org", ignoringCase: true) }
        #expect(try usesIndex("blind email ignoring case", folded))
        #expect(try folded.ids() == [77])
        let one = store.fetch(SealedPatient.self).where { $0.number == 30 }
        #expect(try usesIndex("blind unique number", one))
        #expect(try one.ids() == [10])
        let none = store.fetch(SealedPatient.self).where { $0.number == nil }
        #expect(try none.ids() == patients.filter { $0.number == nil }.map(\.id))
        let tickets = (0..<500).map { SealedTicket(id: $0, code: "Zqcode\($0 % 250)") }
        let other = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedTicket.self) }
        try other.store.save(tickets)
        let ticket = other.store.fetch(SealedTicket.self).where { $0.code == "Zqcode77" }
        #expect(try "\(ticket.explain())".contains("index 'blind code'") && ticket.ids() == [77, 327])
        let few = other.store.fetch(SealedTicket.self).where { $0.code.isIn(["Zqcode1", "Zqcode2", "none"]) }
        #expect(try few.ids() == [1, 2, 251, 252])
        let or = store.fetch(SealedPatient.self).where { $0.ward == "Zqward1" || $0.number == 30 }
        #expect(try or.ids() == patients.filter { $0.ward == "Zqward1" || $0.number == 30 }.map(\.id))
    }

    /// The hash is one of the text without what is ignored, and what ignores less is checked.
    @Test(arguments: Engine.allCases) func findTextsWhateverTheirAccents(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedCafe.self) }
        let store = fixture.store
        try store.save((0..<60).map { SealedCafe(id: $0, name: ["Café", "CAFE", "Cafe\u{301}"][$0 % 3] + " \($0 / 3)") })
        for (ignoring, expected) in [([.case, .diacritics], [21, 22, 23]), (.case, [22]), (.diacritics, []), (TextFolding(), [])] as [(TextFolding, [Int])] {
            let found = store.fetch(SealedCafe.self).where { $0.name.equals("cafe 7", ignoring: ignoring) }
            #expect(try "\(found.explain(running: false))".contains("index 'blind name ignoring case and accents'") && found.ids() == expected)
        }
        withExtendedLifetime(fixture) {}
    }

    /// Of three members two share a hash of one bit, and one entry, which stays while one of them does.
    @Test(arguments: Engine.allCases) func membersShareHashes(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: SealedFixture.keys, models: SealedTags.self) }
        let store = fixture.store
        let all = ["a", "b", "c"]
        try store.save(all.indices.map { SealedTags(id: $0, tags: all) })
        #expect(try store.verify().isSound)
        // Each keeps another one.
        try store.save(all.enumerated().map { SealedTags(id: $0.offset, tags: [$0.element]) })
        #expect(try store.verify().isSound)
        for (id, tag) in all.enumerated() {
            #expect(try store.fetch(SealedTags.self).where { $0.tags.contains(tag) }.ids() == [id])
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.allCases) func upsertsGoByUniqueOnes(engine: Engine) throws {
        let (fixture, patients) = try filled(engine, 20)
        let store = fixture.store
        var given = SealedPatient.made(500)
        given.number = 30
        #expect(try store.fetchOrInsert(given) == patients[10])
        let stored = try store.upsertAndFetch(given, matching: .uniqueValues)
        #expect(stored.id == 10 && stored.name == "Name500" && stored.firstSeen == patients[10].firstSeen)
        #expect(try store.fetch(SealedPatient.self).where { $0.number == 30 }.all() == [stored])
        given.number = nil
        #expect(try store.upsert(given, matching: .uniqueValues) == .inserted)
        #expect(try store.fetch(SealedPatient.self).count() == 21)
        withExtendedLifetime(fixture) {}
    }

    /// Order, prefixes, parts and totals are read from the objects.
    @Test(arguments: Engine.allCases) func nothingElseIsAskedOfThem(engine: Engine) throws {
        let (fixture, patients) = try filled(engine)
        let store = fixture.store
        let range = store.fetch(SealedPatient.self).where { $0.ward > "Zqward5" }
        #expect(try !usesIndex("blind ward", range))
        #expect(try range.count() == patients.filter { $0.ward > "Zqward5" }.count)
        let prefix = store.fetch(SealedPatient.self).where { $0.ward.hasPrefix("Zqward") }
        #expect(try !usesIndex("blind ward", prefix))
        #expect(try prefix.count() == 300)
        let part = store.fetch(SealedPatient.self).where { $0.severity == .mild }
        #expect(try !usesIndex("blind city, severity", part), "a hash is one of all parts")
        #expect(try part.count() == 100)
        #expect(try store.fetch(SealedPatient.self).sorted(by: \.ward).first()?.ward == "Zqward0")
        #expect(try store.fetch(SealedPatient.self).distinct(\.ward).count == 10)
        #expect(try store.fetch(SealedPatient.self).maximum(\.number) == patients.compactMap(\.number).max())
    }

    @Test(arguments: Engine.allCases) func uniqueOnes(engine: Engine) throws {
        let (fixture, _) = try filled(engine, 50)
        let store = fixture.store
        var other = SealedPatient.made(60)
        other.number = 30
        #expect {
            try store.save(other)
        } throws: { error in
            guard case TroveError.uniqueViolation(_, "blind unique number", "number = an encrypted value", "60", "10") = error else { return false }
            return true
        }
        other.number = nil
        try store.save(other)
        // Two exchange their values in one batch.
        var (first, second) = (try #require(try store.fetch(SealedPatient.self, id: 1)), try #require(try store.fetch(SealedPatient.self, id: 2)))
        swap(&first.number, &second.number)
        try store.save([first, second])
        #expect(try store.fetch(SealedPatient.self).where { $0.number == 3 }.ids() == [2])
        #expect(try store.verify().isSound)
    }

    /// What an index shows is told as it is.
    @Test func entriesShowHashesAlone() throws {
        let (fixture, _) = try filled(.memory)
        let report = try fixture.store.leakage(of: SealedPatient.self)
        let ward = try #require(report.first { $0.index == "blind ward" })
        #expect(ward.exposure == .hashes(BlindOptions(bits: 9, spread: 4)) && ward.entries == 300 && ward.distinctValues == 10)
        #expect((30...40).contains(ward.distinctHashes), "ten values with four hashes each, some of which may be alike")
        #expect(ward.warnings.contains { $0.contains("10 different values") })
        let number = try #require(report.first { $0.index == "blind unique number" })
        #expect(number.entries == 300 && number.distinctHashes == 300 - 28 + 1 && number.warnings.isEmpty, "those without a number share one")
        let year = try #require(report.first { $0.index == "year" })
        #expect(year.exposure == .values && year.warnings.count == 1)
        let statistics = try fixture.store.indexes(of: SealedPatient.self)
        #expect(statistics.contains { $0.schema.kind == .blind(BlindOptions(bits: 9, spread: 4)) && $0.distinctValues == nil })
    }

    /// The entries of equal values in two blind indexes, and in two stores, have nothing in common. The hashes are so wide that none agree by chance.
    @Test func hashesHaveNothingInCommon() throws {
        func entries() throws -> [Set<[UInt8]>] {
            let store = try ObjectStore(MemoryBackend(), durability: .relaxed, fieldKeys: SealedFixture.keys, models: WideNote.self)
            try store.save((0..<300).map { WideNote(id: $0, year: 1_900 + $0 % 100, topic: "Zqtopic\($0 % 10)", copy: "Zqtopic\($0 % 10)", code: "Zqcode\($0)") })
            return try store.core.backend.contents().filter { $0.key.hasPrefix("$index/") }.sorted { $0.key < $1.key }.map { Set($0.value.keys) }
        }
        let (first, second) = (try entries(), try entries())
        #expect(first.map(\.count) == Array(repeating: 300, count: 6) && second.map(\.count) == first.map(\.count))
        #expect(zip(first, second).filter { $0 == $1 }.count == 1, "the index of year, whose entries are its values")
        #expect(zip(first, second).filter { $0.isDisjoint(with: $1) }.count == 5)
        for (number, index) in first.enumerated() {
            #expect(first.dropFirst(number + 1).allSatisfy { $0.isDisjoint(with: index) })
        }
    }

    /// What would show the values is refused, and says what to do.
    @Test func whatIsRefused() throws {
        func refusal(_ model: any Model.Type) -> String {
            do {
                _ = try ObjectStore(MemoryBackend(), fieldKeys: SealedFixture.keys, models: model)
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal(OpenIndex.self).contains("'text' of OpenIndex cannot be kept: text is encrypted"))
        #expect(refusal(OpenWords.self).contains("text is encrypted"))
        #expect(refusal(OpenUnique.self).contains("text is encrypted"))
        #expect(refusal(OpenCover.self).contains("text is encrypted"))
        #expect(refusal(BlindPlain.self).contains("none of its properties is encrypted"))
        #expect(refusal(BlindBool.self).contains("a Bool has two values"))
        #expect(refusal(BlindWide.self).contains("129 bits"))
        #expect(refusal(BlindSpread.self).contains("65 hashes"))
        #expect(refusal(RevealingPlain.self).contains("not encrypted"))
        #expect(refusal(EncryptedLink.self).contains("index of references"))
        #expect(refusal(EncryptedLazy.self).contains("kept apart"))
        #expect(refusal(EncryptedIdentity.self).contains("ids are made of it"))
        let store = try ObjectStore(MemoryBackend(), fieldKeys: SealedFixture.keys, models: SealedPatient.self)
        #expect(throws: TroveError.self) { try store.createIndex("seen", on: SealedPatient.self, \.diagnosis) }
        try store.save((0..<50).map { SealedPatient.made($0) })
        try store.createIndex(Index<SealedPatient>(\.diagnosis, blind: BlindOptions(bits: 8), name: "diagnoses"))
        #expect(try usesIndex("diagnoses", store.fetch(SealedPatient.self).where { $0.diagnosis == "Zqflu1" }))
    }

    /// Words are looked for in the opened text also where another condition chooses the objects.
    @Test func wordsOfRevealedText() throws {
        let store = try ObjectStore(MemoryBackend(), fieldKeys: SealedFixture.keys, models: RevealedWords.self)
        try store.save((0..<60).map { RevealedWords(id: $0, place: "p\($0 % 20)", text: $0 % 4 == 1 ? "the moon rises" : "a sun sets") })
        let inPlace = store.fetch(RevealedWords.self).where { $0.place == "p1" }
        #expect(try inPlace.search("moon").map(\.object.id).sorted() == [1, 21, 41])
        #expect(try inPlace.search("sun").isEmpty)
        #expect(try inPlace.where { $0.text.hasWords("moon") }.all().map(\.id).sorted() == [1, 21, 41])
        #expect(try store.fetch(RevealedWords.self).where { $0.id < 10 }.search("moon").map(\.object.id).sorted() == [1, 5, 9])
        #expect(try store.fetch(RevealedWords.self).where { !$0.text.hasWords("moon") }.count() == 45)
        // Words of any text, which name no property.
        let anyText = store.fetch(RevealedWords.self).where { $0.place == "p1" && $0.hasWords("moon") }
        #expect(try anyText.all().map(\.id).sorted() == [1, 21, 41])
        #expect(try store.fetch(RevealedWords.self).where { !$0.hasWords("moon") }.count() == 45)
        #expect(try store.fetch(RevealedWords.self).where { $0.id < 10 && ($0.place == "p4" || $0.hasWords("moon")) }.all().map(\.id).sorted() == [1, 4, 5, 9])
    }
}

/// Blind indexes of every form, as wide as they can be, two of them of equal values.
@Model struct WideNote {
    #Index<WideNote>([\.year, \.topic], blind: BlindOptions(bits: 128))
    #Index<WideNote>([.ignoringCase(\.code)], blind: BlindOptions(bits: 128))
    var id: Int
    @Attribute(.indexed) var year: Int
    @Attribute(.encrypted, .blind(bits: 128, spread: 4)) var topic: String
    @Attribute(.encrypted, .blind(bits: 128, spread: 4)) var copy: String
    @Attribute(.encrypted, .blindUnique) var code: String
}

@Model struct RevealedWords {
    var id: Int
    @Attribute(.indexed) var place: String
    @Attribute(.encrypted, .fullText, .revealing) var text: String
}

@Model struct OpenIndex { var id: Int; @Attribute(.encrypted, .indexed) var text: String }
@Model struct OpenWords { var id: Int; @Attribute(.encrypted, .fullText) var text: String }
@Model struct OpenUnique { var id: Int; @Attribute(.encrypted, .unique) var text: String }
@Model struct OpenCover {
    #Index<OpenCover>([\.year], covering: [\.text])
    var id: Int
    var year: Int
    @Attribute(.encrypted) var text: String
}
@Model struct BlindPlain { var id: Int; @Attribute(.blind(bits: 8)) var text: String }
@Model struct BlindBool { var id: Int; @Attribute(.encrypted, .blind(bits: 8)) var flag: Bool }
@Model struct BlindWide { var id: Int; @Attribute(.encrypted, .blind(bits: 129)) var text: String }
@Model struct BlindSpread { var id: Int; @Attribute(.encrypted, .blind(bits: 12, spread: 65)) var text: String }
@Model struct RevealingPlain { var id: Int; @Attribute(.revealing) var text: String }
@Model struct EncryptedLink { var id: Int; @Attribute(.encrypted) var patient: Reference<SealedPatient>? }
@Model struct EncryptedLazy { var id: Int; @Attribute(.encrypted) var text: Lazy<String> }
@Model struct EncryptedIdentity {
    #Unique<EncryptedIdentity>([\.code], identity: true)
    @Attribute(.encrypted) var code: String
    var year: Int
}
