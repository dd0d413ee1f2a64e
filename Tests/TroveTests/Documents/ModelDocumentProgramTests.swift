import Foundation
import TestSupport
import Testing

@testable import Trove

/// A program with a model and one without it make the same random changes to two stores.
@Suite struct ModelDocumentProgramTests {
    @Model("Track") fileprivate struct Track {
        #Index<Track>([\.artist, \.year], covering: [\.title], aggregates: [.count, .sum(\.seconds)])
        #Index<Track>([.ascending(\.title, ignoringCase: true), .descending(\.year)], name: "titles")
        let id: Int
        @Attribute(.fullText, .substring) var title: String
        var artist: String? = nil
        @Attribute(.indexed) var year: Int32
        var seconds: Int
        @Attribute(.unique) var code: String? = nil
        @Attribute(.indexed) var tags: Set<String> = []
        @Attribute(.indexed) var ratings: [String: Double] = [:]
        @Attribute(.writeOnce) var created: Date? = nil
        @Attribute(.keepIfNil) var note: String? = nil
        var sleeve: Lazy<Data?>
    }

    private static let words = ["Autumn", "leaves", "So", "What", "blue", "Straße", "é", ""]

    private static func random(_ random: inout SeededGenerator) -> Track {
        func text() -> String { (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random)! }.joined(separator: " ") }
        func maybe<Value>(_ value: @autoclosure () -> Value) -> Value? { Bool.random(using: &random) ? value() : nil }
        let sleeve: Data? = maybe(Data(repeating: UInt8.random(in: 0...9, using: &random), count: Bool.random(using: &random) ? 40 : 4_000))
        var track = Track(id: Int.random(in: 0..<25, using: &random), title: text(), year: Int32.random(in: 1950..<1956, using: &random), seconds: Int.random(in: -5...600, using: &random), sleeve: Lazy(sleeve))
        track.artist = maybe(words.randomElement(using: &random)!)
        track.code = maybe("c\(Int.random(in: 0..<20, using: &random))")
        track.tags = [words.randomElement(using: &random)!, words.randomElement(using: &random)!]
        if Bool.random(using: &random) { track.ratings = ["a": 1, "b": 0.5] }
        track.created = maybe(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<9, using: &random))))
        track.note = maybe(text())
        return track
    }

    private static func document(_ track: Track) throws -> ModelDocument {
        func value(_ text: String?) -> StoredValue { text.map { .string($0) } ?? .null }
        var document = ModelDocument([:], id: .int(Int64(track.id)))
        document["title"] = .string(track.title)
        document["artist"] = value(track.artist)
        document["year"] = .int(Int64(track.year))
        document["seconds"] = .int(Int64(track.seconds))
        document["code"] = value(track.code)
        document["tags"] = .array(track.tags.map { .string($0) })
        document["ratings"] = .object(track.ratings.mapValues { .double($0) })
        if let created = track.created { document["created"] = .date(created) }
        document["note"] = value(track.note)
        if let sleeve = try track.sleeve.load() { document["sleeve"] = .data(sleeve) }
        return document
    }

    /// What an attempt came to, by what the error is of.
    private static func outcome(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return "done"
        } catch TroveError.uniqueViolation(_, let index, let values, let id, let otherID) {
            return "\(index) \(values) \(id) \(otherID)"
        } catch TroveError.alreadyExists(_, let id) {
            return "exists \(id)"
        }
    }

    @Test(arguments: TestShare.trials([UInt64(1), 2, 3, 4])) func agreesWithTheProgramThatHasTheModel(engine: Engine, seed: UInt64) throws {
        let (known, unknown) = (try fixture(engine), try fixture(engine))
        let numbers = try unknown.store.read { try $0.indexTable.entries.map(\.number) }
        try unknown.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let documents = unknown.store.documents(of: "Track")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<120 {
            let tracks = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.random(&random) }
            let (expected, found): (String, String)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: (expected, found) = (try Self.outcome { try known.store.save(tracks[0]) }, try Self.outcome { try documents.save(Self.document(tracks[0])) })
            case 2: (expected, found) = (try Self.outcome { try known.store.save(tracks) }, try Self.outcome { try documents.save(tracks.map { try Self.document($0) }) })
            case 3: (expected, found) = (try Self.outcome { try known.store.insert(tracks[0]) }, try Self.outcome { try documents.insert(Self.document(tracks[0])) })
            case 4:
                let id = tracks[0].id
                (expected, found) = (
                    try Self.outcome { _ = try known.store.fetch(Track.self).where { $0.id == id }.update { $0.year += 1 } },
                    try Self.outcome {
                        guard var document = try documents.fetch(id: .int(Int64(id))), case .int(let year)? = document["year"] else { return }
                        document["year"] = .int(year + 1)
                        try documents.save(document)
                    }
                )
            default:
                let ids = tracks.map(\.id)
                let counts = (try known.store.delete(Track.self, ids: Set(ids)), try documents.delete(ids: Set(ids).map { .int(Int64($0)) }))
                (expected, found) = ("\(counts.0)", "\(counts.1)")
            }
            #expect(found == expected)
        }
        let report = try unknown.store.verify()
        #expect(report.isSound, "\(report.problems)")
        #expect(try unknown.store.read { try $0.indexTable.entries.map(\.number) } == numbers, "no index was given up")
        #expect(try unknown.store.exportedText == known.store.exportedText)
        let found = try documents.fetch { $0["year"] >= 1953 && $0["tags"].contains("blue") }.sorted(by: "seconds", .descending).all()
        let expected = try known.store.fetch(Track.self).where { $0.year >= 1953 && $0.tags.contains("blue") }.sorted(by: \.seconds, .descending).ids()
        #expect(found.compactMap(\.id) == expected.map { StoredValue.int(Int64($0)) })
        try unknown.reopenStore()
        #expect(try unknown.store.verify().isSound)
        #expect(try unknown.store.exportedText == known.store.exportedText)
        let hits = try [unknown, known].map { try $0.store.fetch(Track.self).search("leaves").map(\.object.id) }
        #expect(hits[0] == hits[1])
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
    }
}

extension ObjectStore {
    /// All lines of an export.
    fileprivate var exportedText: String {
        get throws {
            var text = ""
            try fetchRecords(of: ["Track"]).jsonLines { text += String(decoding: $0, as: UTF8.self) }
            return text
        }
    }
}
