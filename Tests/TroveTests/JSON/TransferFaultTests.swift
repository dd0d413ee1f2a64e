import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Transfers that were written by others, or that something happened to: what would be lost or could not be read later is not stored.
@Suite struct TransferFaultTests {
    private static let models: [any Model.Type] = [Transferred.Pressing.self, Transferred.Album.self]

    private static func fixture(_ engine: Engine = .memory, _ models: [any Model.Type] = models) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: models) }
    }

    private static func lines(_ store: ObjectStore) throws -> [String] { try store.exportedText().split(separator: "\n").map(String.init) }

    private static func data(_ lines: [String]) -> Data { Data(lines.joined(separator: "\n").utf8) }

    /// A header with a layout of one text for each of the names.
    private static func header(_ names: [String], field: String = "a") -> String {
        let layouts = names.map { #"{"model":"\#($0)","version":1,"id":"Int64","parts":[],"fields":[{"name":"\#(field)","type":"String"}]}"# }
        return #"{"$trove":{"format":1,"layouts":[\#(layouts.joined(separator: ","))]}}"#
    }

    private static func isInvalidName(_ error: any Error) -> Bool {
        if case TroveError.invalidModelName = error { true } else { false }
    }

    private static let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")

    @Test(arguments: Engine.allCases) func namesInOtherScalars(engine: Engine) throws {
        let (composed, decomposed) = (Self.composed, Self.decomposed)
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        func record(_ name: String) -> String { #"{"$model":"\#(name)","$id":1,"a":"x"}"# }
        let end = #"{"$end":1}"#
        for mode in [JSONImportMode.allOrNothing, .inBatches] {
            // Two of them in one header.
            #expect { try store.importJSON(Self.data([Self.header([composed, decomposed]), record(decomposed), end]), mode: mode) } throws: { Self.isInvalidName($0) }
        }
        #expect(try store.layouts().allSatisfy { $0.modelName != composed })
        // A line does not find the header's model in other scalars.
        #expect(throws: TroveError.self) { try store.importJSON(Self.data([Self.header([composed]), record(decomposed), end])) }
        let report = try store.importJSON(Self.data([Self.header([composed]), record(composed), record(decomposed), record(composed), #"{"$end":3}"#]), mode: .inBatches)
        #expect(report.rejectedLines == 1 && report.contents.objects == [composed: 2])
        // The store has objects of the other.
        let before = try Self.lines(store)
        #expect { try store.importJSON(Self.data([Self.header([decomposed]), record(decomposed), end])) } throws: { Self.isInvalidName($0) }
        #expect(try Self.lines(store) == before && before.count == 3)
        // The program has a model of the other.
        let program = try Self.fixture(engine, [Transferred.Cafe.self])
        #expect { try program.store.importJSON(Self.data([Self.header([decomposed]), record(decomposed), end])) } throws: { Self.isInvalidName($0) }
        try program.store.importJSON(Self.data(before))
        #expect(try program.store.fetch(Transferred.Cafe.self, id: 1)?.a == "x")
    }

    /// Fields whose names are the same characters make layouts of their own, and records keep theirs.
    @Test(arguments: Engine.allCases) func fieldsInOtherScalars(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        for (id, name) in [(1, Self.composed), (2, Self.decomposed)] {
            let text = Self.data([Self.header(["Menu"], field: name), #"{"$model":"Menu","$id":\#(id),"\#(name)":"x"}"#, #"{"$end":1}"#])
            let report = try fixture.store.importJSON(text)
            #expect(report.contents.objects == ["Menu": 1])
        }
        let names = try fixture.store.layouts().filter { $0.modelName == "Menu" }.flatMap { $0.fields.map { Array($0.name.utf8) } }
        #expect(Set(names) == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
        let twice = Self.header(["Twice"], field: "a").replacing(#"[{"name":"a","type":"String"}]"#, with: #"[{"name":"a","type":"String"},{"name":"a","type":"String"}]"#)
        #expect(throws: TroveError.self) { try fixture.store.importJSON(Self.data([twice, #"{"$model":"Twice","$id":1,"a":"x"}"#, #"{"$end":1}"#])) }
    }

    /// Whole lines of a model that the program has are read as its objects before they are stored.
    @Test(arguments: Engine.allCases) func objectsThatCouldNotBeRead(engine: Engine) throws {
        let source = try Self.fixture(engine)
        try source.store.save(Transferred.Pressing(label: "Blue Note", number: 1577, genre: .jazz, sleeve: .init(colour: "blue")))
        let lines = try Self.lines(source.store)
        try #require(lines.count == 3)
        let target = try Self.fixture(engine)
        for (old, new) in [
            (#""$id":["Blue Note",1577]"#, #""$id":["Blue Note",1578]"#), (#""genre":"jazz""#, #""genre":"polka""#), (#"{"colour":"blue"}"#, #"{"colour":5}"#),
            (#"{"colour":"blue"}"#, "{}"), (#"{"colour":"blue"}"#, "[]"),
        ] {
            let line = lines[1].replacing(old, with: new)
            #expect(line != lines[1])
            let text = Self.data([lines[0], line, lines[2]])
            #expect { try target.store.importJSON(text) } throws: { error in
                if case TroveError.lineRefused(2, _) = error { true } else { false }
            }
            let report = try target.store.importJSON(text, mode: .inBatches)
            #expect(report.rejectedLines == 1 && report.contents.total == 0, "\(report)")
            #expect(try target.store.fetch(Transferred.Pressing.self).all().isEmpty)
        }
        try target.store.importJSON(Self.data(lines))
        #expect(try Self.lines(target.store) == lines)
        #expect(try target.store.fetch(Transferred.Pressing.self).all().map(\.sleeve.colour) == ["blue"])
    }

    /// An import brings back what was: the options of fields are for those who change objects.
    @Test(arguments: Engine.allCases) func fieldsThatAreWrittenOnce(engine: Engine) throws {
        let fixture = try Self.fixture(engine, [Transferred.Signed.self])
        try fixture.store.save(Transferred.Signed(id: 1, by: "Miles", note: nil))
        let lines = try Self.lines(fixture.store)
        try fixture.store.delete(Transferred.Signed.self, id: 1)
        try fixture.store.save(Transferred.Signed(id: 1, by: "Bill", note: "kept"))
        try fixture.store.importJSON(Self.data(lines))
        #expect(try fixture.store.fetch(Transferred.Signed.self, id: 1) == Transferred.Signed(id: 1, by: "Miles", note: nil))
    }

    /// A header takes a bounded part of the store's numbers, and none when it asks for more.
    @Test func layoutsWithoutEnd() throws {
        let fixture = try Self.fixture()
        let before = try fixture.store.layouts().count
        let names = (0...TransferLayouts.maxCount).map { "M\($0)" }
        #expect(throws: TroveError.self) { try fixture.store.importJSON(Self.data([Self.header(names), #"{"$end":0}"#])) }
        #expect(try fixture.store.layouts().count == before)
        #expect(try fixture.store.importJSON(Self.data([Self.header(Array(names.prefix(300)) + names.prefix(300)), #"{"$end":0}"#])).isComplete)
        #expect(try fixture.store.layouts().count == before + 300)
    }

    @Test(arguments: Engine.allCases) func placesWhereNoLineBegins(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        try fixture.store.save((0..<3).map { Transferred.Album(id: "\($0)", year: $0, subject: nil) })
        let path = fixture.directory.file("export.jsonl")
        try fixture.store.exportJSON(to: path)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let headerEnd = (data.firstIndex(of: 10) ?? 0) + 1
        let second = (data[headerEnd...].firstIndex(of: 10) ?? 0) + 1
        for (lines, offset) in [
            (Int.max, second), (.min, second), (2, .max), (2, .min), (2, data.count + 1), (2, second + 1), (2, second - 1), (3, second), (0, 1), (1, 0), (-1, 0), (.max, .max), (4, data.count),
        ] {
            for mode in [JSONImportMode.allOrNothing, .inBatches] {
                let start = JSONImportReport.Position(lines: lines, offset: offset)
                #expect("\(start)") { try fixture.store.importJSON(data, mode: mode, startingAt: start) } throws: { error in
                    if case TroveError.invalidToken = error { true } else { false }
                }
                #expect(throws: TroveError.self) { try fixture.store.importJSON(from: path, mode: mode, startingAt: start) }
            }
        }
        for (lines, offset, objects) in [(0, 0, 3), (1, headerEnd, 3), (2, second, 2), (5, data.count, 0)] {
            for mode in [JSONImportMode.allOrNothing, .inBatches] {
                let report = try fixture.store.importJSON(from: path, mode: mode, startingAt: .init(lines: lines, offset: offset))
                #expect(report.isComplete && report.contents.total == objects && report.position == .init(lines: 5, offset: data.count), "\(report)")
            }
        }
    }

    private final class Doorkeeper: StoreDelegate {
        struct Refusal: Error {}

        func willChange(_ change: ObjectChange) throws { if change.reference.modelName == "Album" { throw Refusal() } }
    }

    /// A line that a delegate refuses, or that an index's sums have no room for, keeps the others from nothing.
    @Test(arguments: Engine.allCases) func whatIsRefusedBesideTheRecord(engine: Engine) throws {
        let models: [any Model.Type] = [Transferred.Album.self, Transferred.Payment.self]
        let source = try Self.fixture(engine, models)
        try source.store.save(Transferred.Album(id: "a", year: 1_959, subject: nil))
        let large = Decimal(string: "1e38") ?? 0
        try source.store.save([(1, "one", large), (2, "two", Decimal(string: "0.5") ?? 0), (3, "three", 1)].map(Transferred.Payment.init))
        let lines = try Self.lines(source.store).map { $0.replacing(#""two""#, with: #""one""#) }
        let target = try Self.fixture(engine, models)
        let doorkeeper = Doorkeeper()
        target.store.delegate = doorkeeper
        let report = try target.store.importJSON(Self.data(lines), mode: .inBatches)
        #expect(report.isComplete && report.rejectedLines == 2 && report.contents.objects == ["Payment": 2], "\(report)")
        #expect(report.rejections.contains { $0.error is Doorkeeper.Refusal })
        #expect(report.rejections.contains { if case TroveError.sumOverflow = $0.error { true } else { false } })
        #expect(try target.store.fetch(Transferred.Payment.self).ids() == [1, 3])
        #expect { try target.store.importJSON(Self.data(lines)) } throws: { if case TroveError.lineRefused(2, is Doorkeeper.Refusal) = $0 { true } else { false } }
        withExtendedLifetime(doorkeeper) {}
    }

    /// An object that refuses may be passed over by a delegate; what the engine throws in the same line is not the object's.
    @Test func whatTheEngineThrowsIsNoRefusal() {
        let details = StorageError.Details(engine: "one", path: "here", message: "broken")
        #expect(JSONImportBatch.concernsLine(Doorkeeper.Refusal(), hasRefused: true))
        #expect(!JSONImportBatch.concernsLine(Doorkeeper.Refusal(), hasRefused: false))
        for hasRefused in [false, true] { #expect(!JSONImportBatch.concernsLine(StorageError.inputOutput(details), hasRefused: hasRefused)) }
    }

    @Test(arguments: Engine.allCases) func namesOfBags(engine: Engine) throws {
        let source = try Self.fixture(engine)
        try Bag(named: "to play", in: source.store).save()
        let lines = try Self.lines(source.store)
        let target = try Self.fixture(engine)
        try Bag(named: "to play", in: target.store).save()
        let report = try target.store.importJSON(Self.data(lines), mode: .inBatches)
        #expect(report.rejectedLines == 1)
        #expect { throw report.rejections[0].error } throws: { error in
            if case TroveError.bagNameTaken("to play") = error { true } else { false }
        }
        #expect { try target.store.importJSON(Self.data(lines)) } throws: { error in
            if case TroveError.bagNameTaken("to play") = error { true } else { false }
        }
        #expect(try target.store.bags().count == 1)
    }

    /// The number of the last line is of lines that say something; another one, and what stands behind it, is told.
    @Test func theEndOfAnExport() throws {
        let fixture = try Self.fixture()
        let header = Self.header(["Unknown"])
        let (one, two) = (#"{"$model":"Unknown","$id":1,"a":"x"}"#, #"{"$model":"Unknown","$id":2,"a":"x"}"#)
        #expect(try fixture.store.importJSON(Self.data([header, "", one, " ", two, #"{"$end":2}"#, ""])).isComplete)
        for text in [[header, one, #"{"$end":2}"#], [header, one, "", #"{"$end":2}"#], [header, one, #"{"$end":-1}"#], [header, one, #"{"$end":1}"#, two]] {
            #expect { try fixture.store.importJSON(Self.data(text)) } throws: { error in
                if case TroveError.lineRefused(_, TroveError.invalidJSON) = error { true } else { false }
            }
        }
        let report = try fixture.store.importJSON(Self.data([header, one, #"{"$end":7}"#, two, two]), mode: .inBatches)
        #expect(!report.isComplete && report.rejectedLines == 3 && report.contents.total == 1)
        #expect("\(report.rejections[0])".contains("7 lines") && "\(report.rejections[0])".contains("there are 1"))
        // What is missing is told where it should be.
        #expect { try fixture.store.importJSON(Self.data([header, one])) } throws: { error in
            if case TroveError.lineRefused(3, TroveError.invalidJSON(3, 1, header.utf8.count + one.utf8.count + 1, _)) = error { true } else { false }
        }
        #expect(throws: TroveError.self) {
            try fixture.store.importJSON(Self.data([header, #"{"$model":"Unknown","$layout":0,"$layout":0,"$id":1,"a":"x"}"#, #"{"$end":1}"#]))
        }
    }

    /// An export whose name is taken meanwhile leaves nothing of itself.
    @Test func aNameThatIsTakenMeanwhile() throws {
        let fixture = try Self.fixture()
        let path = fixture.directory.file("export.jsonl")
        #expect(throws: StorageError.self) {
            try fixture.store.exportJSON(to: path) { _ in _ = FileManager.default.createFile(atPath: path, contents: Data("other".utf8)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).filter { $0.contains(".jsonl") } == ["export.jsonl"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("other".utf8))
    }
}
