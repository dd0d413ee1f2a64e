import Foundation
import TestSupport
import Testing
import Trove

private let objectCount = Int(ProcessInfo.processInfo.environment["TROVE_JSON_OBJECTS"] ?? "") ?? 0

/// Measures export and import on LMDB, on request: `TROVE_JSON_OBJECTS=1000000 swift test -c release -Xswiftc -enable-testing --filter JSONSpeedTests`.
@Suite struct JSONSpeedTests {
    @Model struct Song {
        var title: String
        var artist: String
        var year: Int
        var rating: Double?
        var recorded: Date
        var isLive: Bool
        var plays: Int32
        var tags: [String]

        init(number: Int) {
            title = "Song number \(number)"
            artist = "Artist \(number % 997)"
            year = 1900 + number % 120
            rating = number % 3 == 0 ? nil : Double(number % 50) / 10
            recorded = Date(timeIntervalSinceReferenceDate: Double(number) * 1_000.25)
            isLive = number.isMultiple(of: 2)
            plays = Int32(number % 1_000)
            tags = ["tag\(number % 7)", "jazz"]
        }
    }

    @Test(.enabled(if: objectCount > 0)) func exportAndImport() throws {
        let directory = try TemporaryDirectory()
        func open(_ name: String) throws -> ObjectStore { try ObjectStore(Engine.lmdb.open(directory.file(name)), durability: .relaxed, models: Song.self) }
        let store = try open("source")
        for start in stride(from: 0, to: objectCount, by: 100_000) {
            try store.save((start..<min(start + 100_000, objectCount)).map(Song.init(number:)))
        }
        let file = directory.file("songs.jsonl")
        try Self.measure("export") { try store.exportJSON(to: file) }
        try store.close()
        for mode in [JSONImportMode.allOrNothing, .inBatches] {
            let other = try open("target \(mode)")
            var isComplete = false
            try Self.measure("import \(mode)") { isComplete = try other.importJSON(from: file, mode: mode).isComplete }
            #expect(isComplete)
            let again = directory.file("\(mode).jsonl")
            try other.exportJSON(to: again)
            #expect(FileManager.default.contentsEqual(atPath: file, andPath: again))
            try other.close()
        }
    }

    private static func measure(_ what: String, _ body: () throws -> Void) rethrows {
        let time = try ContinuousClock().measure(body)
        print("\(what): \(time), \(Int(Double(objectCount) / (time / .seconds(1)))) objects a second")
    }
}
