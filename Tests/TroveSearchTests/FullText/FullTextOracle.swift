import Foundation

@testable import Trove

/// Full-text search over texts in an array, written as plainly as can be; its words are runs of ASCII letters and digits.
struct FullTextOracle {
    let fields: FullTextFields
    var documents: [[UInt8]: [String?]] = [:] {
        didSet { memory = nil }
    }
    /// What was worked out of the documents; worked out again when they change.
    private var memory: Memory?

    private final class Memory {
        var words: [[UInt8]: [[[UInt8]]?]] = [:]
        var averageLength = 0.0
        var counts: [FullTextQuery: Int] = [:]
    }

    init(fields: FullTextFields) { self.fields = fields }

    /// Works out what queries need; before queries, after changes.
    mutating func prepare() {
        let memory = Memory()
        memory.words = documents.mapValues { $0.map { $0.map(Self.words) } }
        memory.averageLength = max(1, memory.words.values.reduce(0) { $0 + length($1) } / Double(max(1, documents.count)))
        self.memory = memory
    }

    private var words: [[UInt8]: [[[UInt8]]?]] { memory?.words ?? [:] }

    static func words(_ text: String) -> [[UInt8]] {
        text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map { Array($0.utf8) }
    }

    // MARK: What is found

    func matches(_ query: FullTextQuery) -> [[UInt8]] {
        words.filter { holds(query, $0.value, Set(fields.fields.map(\.name))) }.map(\.key).sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func holds(_ query: FullTextQuery, _ texts: [[[UInt8]]?], _ names: Set<String>) -> Bool {
        switch query {
        case .word(let word): return hits(Self.words(word), isPrefix: false, texts, names).contains { $0.count > 0 }
        case .prefix(let word): return hits(Self.words(word), isPrefix: true, texts, names).contains { $0.count > 0 }
        case .phrase(let text): return hits(Self.words(text), isPrefix: false, texts, names).contains { $0.count > 0 }
        case .all(let parts): return parts.allSatisfy { holds($0, texts, names) }
        case .any(let parts): return parts.contains { holds($0, texts, names) }
        case .not(let part): return !holds(part.value, texts, names)
        case .field(let name, let part): return holds(part.value, texts, names.intersection([name]))
        }
    }

    /// How often words stand in a row in each field.
    private func hits(_ words: [[UInt8]], isPrefix: Bool, _ texts: [[[UInt8]]?], _ names: Set<String>) -> [(weight: Double, count: Int)] {
        zip(fields.fields, texts).compactMap { field, text in
            guard names.contains(field.name), let text else { return nil }
            // Loops, since this is where the tests spend their time.
            var (count, start) = (0, 0)
            while start + words.count <= text.count {
                var place = 0
                while place < words.count, fits(text[start + place], words[place], isPrefix) { place += 1 }
                if place == words.count { count += 1 }
                start += 1
            }
            return (field.weight, count)
        }
    }

    private func fits(_ word: [UInt8], _ wanted: [UInt8], _ isPrefix: Bool) -> Bool {
        if isPrefix ? word.count < wanted.count : word.count != wanted.count { return false }
        var index = 0
        while index < wanted.count {
            if word[index] != wanted[index] { return false }
            index += 1
        }
        return true
    }

    // MARK: How well

    func best(_ limit: Int, of query: FullTextQuery) -> [(key: [UInt8], score: Double)] {
        let names = Set(fields.fields.map(\.name))
        let found = matches(query).map { key in (key: key, score: score(query, words[key] ?? [], names)) }
        return Array(found.sorted { $0.score == $1.score ? $0.key.lexicographicallyPrecedes($1.key) : $0.score > $1.score }.prefix(limit))
    }

    private func length(_ texts: [[[UInt8]]?]) -> Double { Double(texts.reduce(0) { $0 + ($1?.count ?? 0) }) }

    private func score(_ query: FullTextQuery, _ texts: [[[UInt8]]?], _ names: Set<String>) -> Double {
        switch query {
        case .word(let word):
            return saturated(hits(Self.words(word), isPrefix: false, texts, names), texts) * rarity(of: .word(word))
        case .prefix(let word):
            return saturated(hits(Self.words(word), isPrefix: true, texts, names), texts) * rarity(of: query)
        case .phrase(let text):
            return saturated(hits(Self.words(text), isPrefix: false, texts, names), texts)
                * Self.words(text).reduce(0) { $0 + rarity(of: .word(String(decoding: $1, as: UTF8.self))) }
        case .all(let parts):
            return parts.reduce(0) { $0 + score($1, texts, names) }
        case .any(let parts):
            return parts.reduce(0) { $0 + (holds($1, texts, names) ? score($1, texts, names) : 0) }
        case .not:
            return 0
        case .field(let name, let part):
            return score(part.value, texts, names.intersection([name]))
        }
    }

    private func rarity(of query: FullTextQuery) -> Double {
        let count = memory?.counts[query] ?? matches(query).count
        memory?.counts[query] = count
        return count == 0 ? 0 : log(1 + (Double(documents.count - count) + 0.5) / (Double(count) + 0.5))
    }

    private func saturated(_ hits: [(weight: Double, count: Int)], _ texts: [[[UInt8]]?]) -> Double {
        let frequency = hits.reduce(0) { $0 + $1.weight * Double($1.count) }
        return frequency == 0 ? 0 : frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length(texts) / (memory?.averageLength ?? 1)))
    }
}
