import Foundation
import TestSupport
import Testing
import Trove

/// A SQLite file of which a page is damaged is read past it.
@Suite struct DamagedStructureTests {
    @Model("Recording") fileprivate struct Recording {
        let id: Int
        var title: String
        @Attribute(.indexed) var performer: String
    }

    @Model("Sleeve") fileprivate struct Sleeve {
        let id: Int
        var text: String
    }

    private static let recordings = 3_000
    private static let sleeves = 10

    /// A leaf of a tree with keys of bytes.
    private struct Leaf {
        let page: Range<Int>
        /// How many entries it has.
        let count: Int
    }

    /// A store whose leaf with `text` in its entries, and not `other`, was changed.
    private func report(on text: String, without other: String? = nil, _ change: (Leaf, inout [UInt8]) -> Void) throws -> (VerificationReport, Leaf) {
        let directory = try TemporaryDirectory()
        let store = try open(directory)
        try store.save((0..<Self.recordings).map { Recording(id: $0, title: "title of \($0)", performer: "performer \($0)") })
        try store.save((0..<Self.sleeves).map { Sleeve(id: $0, text: "sleeve \($0)") })
        try store.setBlob(Data([1]), named: "small")
        #expect(try store.verify().isSound)
        try store.close()

        let file = URL(filePath: directory.file())
        var contents = [UInt8](try Data(contentsOf: file))
        // Apart from `#require`, which would print the file.
        let found = Self.leaf(with: text, without: other, in: contents)
        let leaf = try #require(found)
        change(leaf, &contents)
        try Data(contents).write(to: file)

        let damaged = try open(directory)
        let report = try damaged.verify()
        try damaged.close()
        return (report, leaf)
    }

    private func open(_ directory: TemporaryDirectory) throws -> ObjectStore {
        try ObjectStore(Engine.sqlite.open(directory.file()), durability: .relaxed, models: Recording.self, Sleeve.self)
    }

    private static func leaf(with text: String, without other: String?, in contents: [UInt8]) -> Leaf? {
        func number(at place: Int) -> Int { Int(contents[place]) << 8 | Int(contents[place + 1]) }
        let size = number(at: 16)
        for page in stride(from: size, to: contents.count, by: size) where contents[page] == 0x0A {
            // Before the entries' bytes lie those of earlier ones.
            let entries = Data(contents[(page + number(at: page + 5))..<(page + size)])
            guard entries.firstRange(of: Data(text.utf8)) != nil else { continue }
            if let other, entries.firstRange(of: Data(other.utf8)) != nil { continue }
            return Leaf(page: page..<(page + size), count: number(at: page + 3))
        }
        return nil
    }

    @Test func recordsBesideADamagedPageAreCounted() throws {
        let (report, leaf) = try report(on: "title of 1510") { leaf, contents in
            for place in leaf.page { contents[place] = 0 }
        }
        #expect(report.isPartial && report.problems.map(\.modelName) == ["$engine", "Recording"], "\(report)")
        #expect(report.records == Self.recordings + Self.sleeves - leaf.count && report.blobs == 1, "\(report), \(leaf)")
        // What cannot be compared is not called different.
        #expect(report.indexDamage.isEmpty, "\(report)")
    }

    @Test func aDamagedPageOfAnIndexLosesNoRecords() throws {
        let (report, _) = try report(on: "performer 1510", without: "title of") { leaf, contents in
            for place in leaf.page { contents[place] = 0 }
        }
        #expect(report.isPartial && report.records == Self.recordings + Self.sleeves && report.blobs == 1, "\(report)")
        #expect(report.problems.map(\.modelName) == ["$engine", "Recording"], "\(report)")
        #expect(report.problems.last.map { "\($0.error)".contains("the index 'performer' of Recording cannot be read") } == true, "\(report)")
    }

    /// No read meets the damage; that a record is lost, its index tells.
    @Test func aRecordThatAPageNoLongerCountsIsMissedByItsIndex() throws {
        let (report, _) = try report(on: "title of 1510") { leaf, contents in contents[leaf.page.lowerBound + 4] -= 1 }
        #expect(!report.isPartial && report.records == Self.recordings + Self.sleeves - 1, "\(report)")
        #expect(report.problems.first?.modelName == "$engine" && report.indexDamage.first?.stale == 1, "\(report)")
    }
}
