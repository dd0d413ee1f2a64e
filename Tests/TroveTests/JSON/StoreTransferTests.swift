import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Whole stores as JSON lines: export, import and export again give equal bytes, on every engine and between them.
@Suite struct StoreTransferTests {
    private static let models: [any Model.Type] = [
        EveryType.self, Transferred.Track.self, Transferred.Album.self, Transferred.Seat.self, Transferred.Person.self, TicketAfter.self,
    ]

    private static func fixture(_ engine: Engine, _ models: [any Model.Type] = models) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: models) }
    }

    /// Something of everything: types, long ids, references, an older layout and version, bags, values, blobs.
    private static func fill(_ fixture: StoreFixture) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: TicketBefore.self) }
        try fixture.store.save([TicketBefore(id: 1, price: 5), TicketBefore(id: -2, price: .min)])
        try fixture.reopenStore()
        let store = fixture.store
        var pool = ValuePool(seed: 5)
        let albums = [Transferred.Album(id: "blue", year: 1959, subject: nil), Transferred.Album(id: String(repeating: "long ", count: 200), year: -1, subject: AnyReference(modelName: "Album", keyBytes: "blue".keyBytes))]
        let track = Transferred.Track(artist: "Miles", title: "So What", recorded: Date(timeIntervalSinceReferenceDate: -0.1), tags: ["é", "a"], album: Reference(albums[0]))
        try store.write { transaction in
            try transaction.save((0..<12).map { _ in pool.object() } + [EveryType.least, .greatest])
            try transaction.save(albums)
            try transaction.save([track, Transferred.Track(artist: "Bill", title: "Waltz", album: nil)])
            try transaction.save([Transferred.Seat(row: "A\0", number: 1, guest: nil), Transferred.Seat(row: "B", number: -1, guest: "x")])
            try transaction.save(TicketAfter(id: 3, price: 1 << 40, note: "new"))
            try transaction.setMetadata(.object(["$a": .date(.distantPast)]), forKey: "imported \"x\"")
            try transaction.setMetadata(.double(.nan), forKey: "b")
            try transaction.setBlob(Data((0...255).map { UInt8($0) }), named: "bytes")
            try transaction.setBlob(Data(), named: "é\n")
        }
        let bag = Bag(named: "to play", in: store)
        bag.add(track)
        bag.add(AnyReference(albums[1]))
        try bag.save()
        try Bag(in: store).save()
    }

    @Test(arguments: Engine.allCases) func everythingComesBack(engine: Engine) throws {
        let source = try Self.fixture(engine)
        try Self.fill(source)
        let text = try source.store.exportedText()
        for target in [engine, engine == .memory ? .lmdb : .memory] {
            for mode in [JSONImportMode.allOrNothing, .inBatches] {
                let other = try Self.fixture(target)
                let report = try other.store.importJSON(Data(text.utf8), mode: mode)
                #expect(report.isComplete && report.rejectedLines == 0, "\(report)")
                #expect(report.contents.objects == ["EveryType": 14, "Album": 2, "Track": 2, "Seat": 2, "Ticket": 3])
                #expect(report.contents.bags == 2 && report.contents.metadata == 2 && report.contents.blobs == 2 && report.contents.total == 29)
                #expect(report.position.offset == text.utf8.count && report.position.lines == 31)
                #expect(try other.store.exportedText() == text)
                #expect(try other.store.verify().isSound)
                // Indexes and rules are those of any store.
                #expect(try other.store.fetch(Transferred.Track.self).where { $0.artist == "Miles" }.count() == 1)
                #expect(try other.store.fetch(TicketAfter.self, id: 1) == TicketAfter(id: 1, price: 5, note: "upgraded"))
                #expect(try other.store.bag(named: "to play")?.objects(of: Transferred.Track.self).map(\.title) == ["So What"])
                #expect(throws: TroveError.self) { try other.store.save(Transferred.Track(artist: "x", title: "Waltz", album: nil)) }
                // Once more changes nothing.
                try other.store.importJSON(Data(text.utf8), mode: mode)
                #expect(try other.store.exportedText() == text)
            }
        }
    }

    /// A program without the models moves them all the same, and one with them opens what came of it.
    @Test(arguments: Engine.allCases) func modelsThatTheProgramDoesNotHave(engine: Engine) throws {
        let source = try Self.fixture(engine)
        try Self.fill(source)
        let text = try source.store.exportedText()
        let other = try Self.fixture(engine, [])
        let report = try other.store.importJSON(Data(text.utf8))
        #expect(report.unknownModels == ["EveryType", "Album", "Track", "Seat", "Ticket"] && report.skipped == 0)
        #expect(try other.store.exportedText() == text)
        try other.reopenStore { try ObjectStore($0, durability: .relaxed, models: Self.models) }
        #expect(try other.store.exportedText() == text)
        #expect(try other.store.verify().isSound)
        #expect(try other.store.fetch(Transferred.Track.self).where { $0.artist == "Miles" }.count() == 1)
        let some = try Self.fixture(engine, [Transferred.Seat.self])
        let partial = try some.store.importJSON(Data(text.utf8), unknownModels: .skipped)
        #expect(partial.skipped == 21 && partial.unknownModels == [] && partial.contents.objects == ["Seat": 2])
        #expect(try some.store.counts() == ["Seat": 2])
    }

    @Test(arguments: Engine.allCases) func files(engine: Engine) throws {
        let source = try Self.fixture(engine)
        try Self.fill(source)
        let path = source.directory.file("export.jsonl")
        var fractions: [Double] = []
        let contents = try source.store.exportJSON(to: path) { fractions.append($0.fraction) }
        #expect(fractions.last == 1)
        #expect(contents.objects["EveryType"] == 14 && "\(contents)".hasSuffix("Ticket: 3, Track: 2, 2 bags, 2 values of the metadata, 2 blobs"))
        #expect(throws: StorageError.self) { try source.store.exportJSON(to: path) }
        // What breaks off leaves no file.
        struct Enough: Error {}
        #expect(throws: Enough.self) { try source.store.exportJSON(to: source.directory.file("broken.jsonl")) { _ in throw Enough() } }
        #expect(throws: StorageError.self) { try source.store.exportJSON(to: source.directory.file("no/such/directory.jsonl")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: source.directory.path).filter { $0.contains(".jsonl") } == ["export.jsonl"])
        let other = try Self.fixture(engine)
        #expect(try other.store.importJSON(from: path).contents.total == contents.total)
        #expect(throws: StorageError.self) { try other.store.importJSON(from: source.directory.file("missing.jsonl")) }
    }

    @Test func asynchronously() async throws {
        let source = try Self.fixture(.memory)
        try Self.fill(source)
        let path = source.directory.file("export.jsonl")
        let contents = try await source.store.exportJSON(to: path)
        let other = try Self.fixture(.lmdb)
        let report = try await other.store.importJSON(from: path)
        #expect(report.isComplete && report.contents.total == contents.total)
        #expect(try other.store.exportedText() == String(contentsOfFile: path, encoding: .utf8))
        #expect(try await other.store.layouts().count == source.store.layouts().count)
    }

    @Test(arguments: Engine.allCases) func linesThatCannotBeStored(engine: Engine) throws {
        let (header, track) = (TransferLines.header, TransferLines.track)
        let bad: [String] = [
            "", "nonsense", "{}", "[]", #"{"$model":"Track"}"#, #"{"$model":"Nobody","$id":1}"#, #"{"$model":5}"#, #"{"title":"T"}"#, track(1, #""artist":"A","colour":1"#, nil),
            track(2, #""artist":5"#, nil), track(3, #""tags":[]"#, nil), track(4, #""artist":"A","artist":"B""#, nil), #"{"$model":"Track","$id":"x","artist":"A"}"#, track(5, TransferLines.rest, nil) + " x", track(6, #""artist":"A","$x":1"#, nil),
            track(7, #""artist":"A","$layout":0"#, nil), track(8, #""artist":"A","recorded":"never""#, nil), #"{"$blob":"x","value":"y"}"#, #"{"$blob":"","value":{"$data":""}}"#, #"{"$metadata":"x"}"#,
            #"{"$metadata":"x","value":1,"y":2}"#, #"{"$bag":"x","$id":1,"members":[]}"#, header, track(9, TransferLines.rest, "good"), String(repeating: "[", count: 5_000), #"{"$model":"Track","$layout":1,"$id":1}"#,
        ]
        let good: [String] = [track(20, TransferLines.rest, "good"), track(21, TransferLines.rest, nil), #"{"$metadata":"m","value":[1]}"#, #"{"$blob":"b","value":{"$data":"AP8="}}"#, #"{"$bag":null,"$id":{"$objectID":"00000000-0000-0000-0000-000000000001"},"members":[["Track",{"$objectID":"00000000-0000-0000-0000-000000000021"}]]}"#]
        var lines = [header]
        lines += bad.dropLast(3)
        lines += good
        lines += bad.suffix(3)
        // The blank line does not count.
        lines.append(#"{"$end":\#(bad.count + good.count - 1)}"#)
        let text = lines.joined(separator: "\n")
        let fixture = try Self.fixture(engine, [Transferred.Track.self, Transferred.Album.self])
        try fixture.store.save(Transferred.Track(artist: "X", title: "before", album: nil))
        let before = try fixture.store.exportedText()
        // All or nothing: the first of them is named, and nothing is stored.
        do {
            try fixture.store.importJSON(Data(text.utf8))
            Issue.record("it was imported")
        } catch TroveError.lineRefused(let line, _) {
            #expect(line == 3)
        }
        #expect(try fixture.store.exportedText() == before)
        // The one titled "good" is there twice, and the first of the two is stored.
        let report = try fixture.store.importJSON(Data(text.utf8), mode: .inBatches)
        #expect(report.isComplete)
        #expect(report.contents.objects == ["Track": 2] && report.contents.metadata == 1 && report.contents.blobs == 1 && report.contents.bags == 1)
        #expect(report.rejectedLines == bad.count - 1, "\(report)")
        #expect(report.rejections.allSatisfy { "\($0)".hasPrefix("line ") })
        #expect(try fixture.store.fetch(Transferred.Track.self).sorted(by: \Transferred.Track.title).all().map { $0.title } == ["T21", "before", "good"])
        #expect(try fixture.store.fetch(Transferred.Track.self).where { $0.title == "T21" }.first()?.seconds == 180)
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.bags().map(\.count) == [1])
    }

    @Test(arguments: Engine.allCases) func filesThatAreNoExport(engine: Engine) throws {
        let fixture = try Self.fixture(engine, [Transferred.Track.self, Transferred.Album.self])
        let before = try fixture.store.exportedText()
        let whole = [TransferLines.header, TransferLines.track(1), TransferLines.track(2), #"{"$end":2}"#].joined(separator: "\n") + "\n"
        for text in [
            "", "\n", "{}", "[1]", "{\"$trove\":1}", "{\"$trove\":{\"format\":1}}", "{\"$trove\":{\"format\":0,\"layouts\":[]}}", "{\"$trove\":{\"format\":2,\"layouts\":[]}}",
            "{\"$trove\":{\"format\":1,\"layouts\":[{\"model\":\"X\"}]}}", "{\"$trove\":{\"format\":1,\"layouts\":[]},\"a\":1}", "PK\u{3}\u{4}", TransferLines.track(1),
            TransferLines.header, TransferLines.header + "\n" + TransferLines.track(1), whole.replacing("{\"$end\":2}", with: "{\"$end\":3}"), whole.replacing("\"$end\":2}", with: ""),
        ] {
            #expect(throws: TroveError.self, "\(text)") { try fixture.store.importJSON(Data(text.utf8)) }
            #expect(try fixture.store.counts().values.allSatisfy { $0 == 0 })
        }
        #expect(try fixture.store.exportedText() == before)
        // Part of one, in batches, is stored and told.
        let report = try fixture.store.importJSON(Data((TransferLines.header + "\n" + TransferLines.track(1)).utf8), mode: .inBatches)
        #expect(!report.isComplete && report.contents.total == 1 && "\(report)".contains("does not end"))
    }

    /// Layouts that the program's model cannot read are refused line by line, and what is kept beside is not touched.
    @Test func layoutsThatDoNotFit() throws {
        let fixture = try Self.fixture(.memory, [Transferred.Album.self])
        for (id, type) in [("String", "String"), ("Int64", "Int64")] {
            let lines = [
                #"{"$trove":{"format":1,"layouts":[{"model":"Album","version":1,"id":"\#(id)","parts":[],"fields":[{"name":"year","type":"\#(type)"},{"name":"subject","type":"Data?"}]},{"model":"$x","version":1,"id":"String","parts":[],"fields":[]}]}}"#,
                #"{"$model":"Album","$id":\#(id == "String" ? "\"x\"" : "1"),"year":\#(type == "String" ? "\"1\"" : "1"),"subject":null}"#, #"{"$model":"$x","$id":"a"}"#, #"{"$end":2}"#,
            ]
            let report = try fixture.store.importJSON(Data(lines.joined(separator: "\n").utf8), mode: .inBatches)
            #expect(report.rejectedLines == 2 && report.contents.total == 0, "\(report)")
        }
        #expect(try fixture.store.counts() == ["Album": 0])
        #expect(try fixture.store.verify().isSound)
    }

    /// What broke off goes on from where it was, and comes to the same.
    @Test(arguments: [Engine.memory, .lmdb]) func brokenOff(engine: Engine) throws {
        let source = try Self.fixture(engine, [Transferred.Album.self])
        try source.store.write { transaction in
            for number in 0..<100 { try transaction.save(Transferred.Album(id: "\(number)" + String(repeating: "x", count: number * 10), year: number, subject: nil)) }
            for number in 0..<3 { try transaction.setBlob(Data(repeating: UInt8(number), count: 20_000), named: "\(number)") }
        }
        let text = try source.store.exportedText()
        struct Enough: Error {}
        let target = try Self.fixture(engine, [Transferred.Album.self])
        var position: JSONImportReport.Position?
        var pieces = 0
        while pieces < 20 {
            do {
                let report = try target.store.importJSON(JSONLines(Data(text.utf8), pieceSize: 16_000), .inBatches, position, .kept, .relaxed) { report in
                    // The line of the end is done again, whether or not it was the last that was done.
                    guard report.position != position else { return }
                    position = report.position
                    pieces += 1
                    throw Enough()
                }
                #expect(report.isComplete)
                break
            } catch is Enough {}
        }
        #expect(pieces > 2 && pieces < 20)
        #expect(try target.store.exportedText() == text)
        // In one transaction nothing is left of what broke off.
        let empty = try Self.fixture(engine, [Transferred.Album.self])
        #expect(throws: Enough.self) { try empty.store.importJSON(Data(text.utf8)) { _ in throw Enough() } }
        #expect(try empty.store.counts() == ["Album": 0])
        #expect(try empty.store.blobNames().isEmpty)
    }

    /// A record that cannot be read ends the export with an error that names it.
    @Test func damagedRecords() throws {
        let backend = MemoryBackend()
        let store = try ObjectStore(backend, models: Transferred.Album.self)
        try store.save(Transferred.Album(id: "x", year: 1, subject: nil))
        try backend.write(.relaxed) { writer in
            guard let keyspace = try writer.keyspace(named: "Album") else { return }
            var record = try writer.value(of: "x".keyBytes, in: keyspace) ?? []
            record[record.count - 1] ^= 1
            try writer.put("x".keyBytes, record, in: keyspace)
        }
        #expect { try store.exportedText() } throws: { error in
            if case TroveError.corruptRecord("Album", _, _) = error { true } else { false }
        }
    }
}

/// Lines of a transfer written by hand.
private enum TransferLines {
    static let header =
        #"{"$trove":{"format":1,"layouts":[{"model":"Track","version":1,"id":"ObjectID","parts":[],"fields":[{"name":"artist","type":"String"},{"name":"title","type":"String"},{"name":"seconds","type":"Double"},{"name":"recorded","type":"Date?"},{"name":"tags","type":"Set<String>"},{"name":"album","type":"String?"}]}]}}"#
    static let rest = #""artist":"A","tags":[]"#

    static func track(_ number: Int, _ rest: String = rest, _ title: String? = nil) -> String {
        let digits = (number < 10 ? "0" : "") + String(number)
        return #"{"$model":"Track","$id":{"$objectID":"00000000-0000-0000-0000-0000000000\#(digits)"},"title":"\#(title ?? "T" + String(number))",\#(rest)}"#
    }
}
