import Foundation
import TestSupport
import Testing

@testable import Trove

/// Indexes of words and of parts of texts that are odd: in several normal forms, with foldings of other lengths, marks, emoji, empty and very long.
@Suite struct OddTextTests {
    @Model("remark") struct Remark: Hashable {
        var id: Int
        @Attribute(.fullText) var title: String
        @Attribute(.fullText(ignoresDiacritics: false), .substring) var text: String
        @Attribute(.indexed, .substring) var note: String?
        var year: Int
    }

    private static let pieces = [
        "é", "e\u{301}", "Å", "A\u{30A}", "\u{212B}", "ﬃ", "ffi", "ß", "ẞ", "SS", "İ", "i\u{307}", "ŉ", "ΐ", "\u{3B9}\u{308}\u{301}", "한", "\u{1112}\u{1161}\u{11AB}",
        "👨‍👩‍👧", "👍🏽", "\u{FE0F}", "\u{200D}", "\u{301}", " ", " ", "-", "\0", "日本", "leaves", "Leaves", "LEAVES", "\u{1F88}", "ǰ", "q\u{307}\u{323}", "q\u{323}\u{307}",
    ]

    private struct Texts {
        var random: SeededGenerator

        mutating func text() -> String {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: return ""
            case 1: return String(repeating: pieces.randomElement(using: &random) ?? "", count: 2_000)
            default: return (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            }
        }

        /// The same text as Swift compares texts, mostly of other scalars.
        mutating func other(_ text: String) -> String {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text.precomposedStringWithCanonicalMapping
            case 1: text.decomposedStringWithCanonicalMapping
            default: text
            }
        }
    }

    private func open(_ backend: any StorageBackend) throws -> ObjectStore { try ObjectStore(backend, durability: .relaxed, models: Remark.self) }

    /// Two texts that are equal and have other bytes have other parts: the index has those of the one that is stored.
    @Test(arguments: Engine.allCases) func equalTextsOfOtherScalars(engine: Engine) throws {
        let fixture = try StoreFixture(engine, open)
        let texts = ["caf\u{E9}s", "cafe\u{301}s"]
        #expect(texts[0] == texts[1])
        for (text, former) in [(texts[0], texts[1]), (texts[1], texts[0]), (texts[0], texts[1])] {
            try fixture.store.save(Remark(id: 1, title: text, text: text, note: text, year: 1))
            #expect(try fixture.store.fetch(Remark.self, id: 1)?.text.utf8.elementsEqual(text.utf8) == true)
            let report = try fixture.store.verify()
            #expect(report.isSound, "\(report.problems)")
            #expect(try fixture.store.fetch(Remark.self).where { $0.text.contains(String(text.dropFirst(2))) }.count() == 1)
            #expect(try fixture.store.fetch(Remark.self).where { $0.text.contains(String(former.dropFirst(2))) }.count() == 0)
        }
    }

    /// Random saves, updates by query, deletions and savepoints that are undone, with every index verified on the way.
    @Test(arguments: TestShare.trials(Array(0..<5))) func randomPrograms(engine: Engine, seed: UInt64) throws {
        let fixture = try StoreFixture(engine, open)
        var texts = Texts(random: SeededGenerator(seed: seed))
        struct Undone: Error {}
        for _ in 0..<12 {
            try fixture.store.write { transaction in
                for _ in 0..<25 {
                    let id = Int.random(in: 0..<40, using: &texts.random)
                    let year = Int.random(in: 0..<6, using: &texts.random)
                    switch Int.random(in: 0..<8, using: &texts.random) {
                    case 0, 1, 2:
                        let note = Bool.random(using: &texts.random) ? texts.text() : nil
                        try transaction.save(Remark(id: id, title: texts.text(), text: texts.text(), note: note, year: year))
                    case 3, 4:
                        guard var remark = try transaction.fetch(Remark.self, id: id) else { continue }
                        remark.text = texts.other(remark.text)
                        remark.title = texts.other(remark.title)
                        remark.note = remark.note.map { texts.other($0) }
                        try transaction.save(remark)
                    case 5:
                        var copy = texts
                        try transaction.fetch(Remark.self).where { $0.year == year }.update { remark in
                            remark.text = copy.other(remark.text)
                            remark.note = copy.text()
                        }
                        texts = copy
                    case 6: try transaction.fetch(Remark.self).where { $0.year == year && $0.id < id }.delete()
                    default:
                        var copy = texts
                        do {
                            try transaction.savepoint {
                                try transaction.save(Remark(id: id, title: copy.text(), text: copy.text(), note: copy.text(), year: year))
                                if Bool.random(using: &copy.random) { throw Undone() }
                            }
                        } catch is Undone {}
                        texts = copy
                    }
                }
            }
            let report = try fixture.store.verify()
            #expect(report.isSound, "seed \(seed): \(report.problems)")
            let all = try fixture.store.fetch(Remark.self).all()
            for remark in all.prefix(5) where remark.text.unicodeScalars.count > 3 {
                let part = String(String.UnicodeScalarView(remark.text.unicodeScalars.prefix(5)))
                let wanted = all.filter { $0.text.utf8.contains(Array(part.utf8)) }.map(\.id)
                #expect(try fixture.store.fetch(Remark.self).where { $0.text.contains(part) }.all().map(\.id) == wanted, "seed \(seed): \(part.debugDescription)")
            }
        }
    }
}

extension String.UTF8View {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        let bytes = Array(self)
        return bytes.count >= part.count && (0...(bytes.count - part.count)).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }
}
