import Foundation
import TestSupport
import Testing

@testable import Trove

/// Large blobs as JSON lines, a part a line.
@Suite struct BlobTransferTests {
    private static let data = BlobFixture.bytes(40 * BlobFixture.chunk + 17)

    private static func lines(_ store: ObjectStore) throws -> [String] { try store.exportedText().split(separator: "\n").map(String.init) }

    private static func data(_ lines: [String]) -> Data { Data((lines.joined(separator: "\n") + "\n").utf8) }

    @Test(arguments: Engine.allCases) func inParts(engine: Engine) throws {
        let source = try BlobFixture.open(engine)
        try source.store.setBlob(Self.data, named: "film")
        try source.store.setBlob(Data([1, 2, 3]), named: "after it")
        let lines = try Self.lines(source.store)
        #expect(lines.count == 6 && lines[1].hasPrefix(#"{"$blob":"after it","value":"#) && lines[2].hasPrefix(#"{"$blob":"film","offset":0,"size":2620497,"value":"#))
        #expect(lines[5] == #"{"$end":4}"#)
        for mode in [JSONImportMode.allOrNothing, .inBatches] {
            let other = try BlobFixture.open(engine == .memory ? .lmdb : .memory)
            let report = try other.store.importJSON(Self.data(lines), mode: mode)
            #expect(report.isComplete && report.contents.blobs == 2 && report.rejectedLines == 0)
            #expect(try other.store.blob(named: "film") == Self.data && other.store.verify().isSound)
            #expect(try Self.lines(other.store) == lines)
            // Again, and over what is there.
            try other.store.importJSON(Self.data(lines), mode: mode)
            #expect(try other.store.blob(named: "film") == Self.data && other.store.blobEntries() == [1, 1, 41, 0])
            #expect(try other.store.blobInfo(named: "film") == source.store.blobInfo(named: "film"))
        }
    }

    /// An import that ends in the middle of a blob goes on where it ended, in another run of the program too.
    @Test(arguments: Engine.allCases) func goingOn(engine: Engine) throws {
        let source = try BlobFixture.open(.memory)
        try source.store.setBlob(Self.data, named: "film")
        let lines = try Self.lines(source.store)
        let target = try BlobFixture.open(engine)
        try target.store.setBlob(Data([9]), named: "film")
        let part = try target.store.importJSON(Self.data(Array(lines.prefix(3))), mode: .inBatches)
        #expect(!part.isComplete && part.contents.blobs == 0)
        #expect(try target.store.blob(named: "film") == Data([9]) && target.store.blobEntries() == [1, 0, 32, 1])
        try target.reopenStore()
        let rest = try target.store.importJSON(Self.data(lines), mode: .inBatches, startingAt: part.position)
        #expect(rest.isComplete && rest.contents.blobs == 1)
        #expect(try target.store.blob(named: "film") == Self.data && target.store.blobEntries() == [0, 1, 41, 0])
    }

    @Test(arguments: Engine.allCases) func partsThatDoNotFit(engine: Engine) throws {
        let source = try BlobFixture.open(.memory)
        try source.store.setBlob(Self.data, named: "film")
        let lines = try Self.lines(source.store)
        let refused: [([String], String)] = [
            ([lines[2]], "the part of the blob before this one is missing"),
            ([lines[1], lines[3]], "the part of the blob before this one is missing"),
            ([lines[1], lines[1].replacing("\"film\"", with: "\"another\"").replacing("\"offset\":0", with: "\"offset\":1048192")], "the part of the blob before this one is missing"),
            ([#"{"$blob":"x","offset":1,"size":9,"value":{"$data":"AAAA"}}"#], "multiples of 65512"),
            ([#"{"$blob":"x","offset":0,"size":9,"value":{"$data":"AAAA"}}"#], "multiples of 65512"),
            ([#"{"$blob":"x","offset":0,"size":2,"value":{"$data":"AAAA"}}"#], "multiples of 65512"),
            ([#"{"$blob":"x","offset":9223372036854750384,"size":9223372036854775807,"value":{"$data":"AAAA"}}"#], "multiples of 65512"),
            ([#"{"$blob":"x","offset":0,"size":9223372036854775807,"value":{"$data":"AAAA"}}"#], "multiples of 65512"),
            ([#"{"$blob":"x","offset":-65512,"size":9,"value":{"$data":"AAAA"}}"#], "multiples of 65512"),
            ([#"{"$blob":"x","offset":0,"value":{"$data":"AAAA"}}"#], "'size' is missing"),
            ([#"{"$blob":"x","offset":"0","size":3,"value":{"$data":"AAAA"}}"#], "a part of a blob has an offset, a size and a value"),
            ([#"{"$blob":"x"}"#], "'value' is missing"),
        ]
        for (wrong, reason) in refused {
            let target = try BlobFixture.open(engine)
            let all = [lines[0]] + wrong + [#"{"$end":\#(wrong.count)}"#]
            #expect("\(wrong.map { $0.prefix(80) })") { try target.store.importJSON(Self.data(all)) } throws: { "\($0)".contains(reason) }
            #expect(try target.store.blobEntries() == [0, 0, 0, 0])
            let report = try target.store.importJSON(Self.data(all), mode: .inBatches)
            #expect(report.rejectedLines > 0 && report.contents.blobs == 0)
            #expect(try target.store.blobNames().isEmpty)
        }
    }
}
