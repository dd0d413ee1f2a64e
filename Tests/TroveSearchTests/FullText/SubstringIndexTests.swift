import TestSupport
import Testing
import TroveTesting

@testable import Trove

@Suite struct SubstringIndexTests {
    @Test(arguments: Engine.allCases) func candidatesHoldAllMatches(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.open(directory.file())
        var index = SubstringIndex(name: "9", fieldCount: 2)
        index.inverted.blockSize = 30
        var random = RandomTexts(seed: 4)
        let pieces = ["ab", "bc", "ABC", "ä", "ß", "ss", "日本", "\0", "x", " ", "İ"]
        func text() -> String? {
            if Int.random(in: 0..<8, using: &random.generator) == 0 { return nil }
            return (0..<Int.random(in: 0...6, using: &random.generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random.generator)]
            }.joined()
        }
        var oracle: [[UInt8]: [String?]] = [:]
        for _ in 0..<5 {
            let before = oracle
            let changes: [([UInt8], [String?]?)] = (0..<80).map { _ in
                (random.key(), Int.random(in: 0..<4, using: &random.generator) == 0 ? nil : [text(), text()])
            }
            try backend.write(.relaxed) { storage in
                oracle = before
                let writer = InvertedIndexWriter(index.inverted)
                for (key, texts) in changes {
                    try writer.replace(key.span.bytes, old: oracle[key], new: texts)
                    oracle[key] = texts
                }
                try writer.flush(into: storage)
            }
            try backend.read { reader in
                for _ in 0..<30 {
                    guard let wanted = text() else { continue }
                    let folded = Array(CaseFolding.folded(wanted).utf8)
                    let matches = oracle.filter { $0.value.contains { contains(Array(CaseFolding.folded($0 ?? "").utf8), folded) } }
                    var candidates: Set<[UInt8]> = []
                    let isAnswered = try index.forEachCandidate(containing: wanted, in: reader) {
                        candidates.insert([UInt8](copying: $0))
                        return .next
                    }
                    #expect(isAnswered == SubstringIndex.canFind(wanted))
                    if isAnswered { #expect(candidates.isSuperset(of: matches.keys), "\(wanted.debugDescription)") }
                    if let estimate = try index.estimate(containing: wanted, in: reader) { #expect(estimate >= matches.count) }
                }
                var differences: [IndexDifference] = []
                let verifier = try InvertedIndexVerifier(index.inverted, reader) { differences.append($0) }
                for (key, texts) in oracle { try verifier.check(key.span.bytes, texts) }
                try verifier.finish()
                #expect(differences == [])
            }
        }
        try backend.close()
    }

    /// Of a long text the rarest trigrams are sought, and none once one is missing.
    @Test(arguments: Engine.allCases) func longTexts(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = try engine.open(directory.file())
        var index = SubstringIndex(name: "9")
        index.inverted.blockSize = 30
        let text = String(String.UnicodeScalarView((UInt32(0x4E00)..<0x4F90).compactMap(Unicode.Scalar.init)))
        let keys = (0..<50).map { [UInt8($0)] }
        try backend.write(.relaxed) { storage in
            let writer = InvertedIndexWriter(index.inverted)
            for key in keys { try writer.replace(key.span.bytes, old: nil, new: [text]) }
            try writer.flush(into: storage)
        }
        try backend.read { reader in
            let reader = CountedReader(reader)
            func candidates(_ text: String) throws -> [[UInt8]] {
                reader.reset()
                var found: [[UInt8]] = []
                _ = try index.forEachCandidate(containing: text, in: reader) {
                    found.append([UInt8](copying: $0))
                    return .next
                }
                return found.sorted { $0.lexicographicallyPrecedes($1) }
            }
            let all = try candidates(text)
            #expect(all == keys)
            #expect(reader.cursors <= 8, "\(reader.cursors)")
            let none = try candidates("abc" + text)
            #expect(none.isEmpty)
            #expect(reader.visits < 10, "\(reader.visits)")
        }
        try backend.close()
    }

    /// An engine across a network was waited for at each trigram, while a query was planned and while it ran.
    @Test(arguments: Engine.allCases) func aLongTextIsLookedUpInOneGo(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let backend = CountingBackend(try engine.open(directory.file()))
        let index = SubstringIndex(name: "9")
        let text = String(String.UnicodeScalarView((UInt32(0x4E00)..<0x4F90).compactMap(Unicode.Scalar.init)))
        try backend.write(.relaxed) { storage in
            let writer = InvertedIndexWriter(index.inverted)
            for key in UInt8(0)..<50 {
                let key = [key]
                try writer.replace(key.span.bytes, old: nil, new: [text])
            }
            try writer.flush(into: storage)
        }
        var estimate: Int?
        let planning = try backend.trips {
            try backend.read { reader in estimate = try index.estimate(containing: text, in: reader) }
        }
        #expect(estimate == 50)
        #expect(planning.total <= 10, "\(planning)")
        var count = 0
        let running = try backend.trips {
            try backend.read { reader in
                _ = try index.forEachCandidate(containing: text, in: reader) { _ in
                    count += 1
                    return .next
                }
            }
        }
        #expect(count == 50)
        #expect(running.total <= 100, "\(running)")
        try backend.close()
    }

    private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        text.count >= part.count && (0...(text.count - part.count)).contains { Array(text[$0..<$0 + part.count]) == part }
    }
}
