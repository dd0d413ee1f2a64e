import TestSupport

@testable import Trove

/// Texts and queries of few words, so that everything meets everything.
struct RandomTexts {
    var generator: SeededGenerator
    private let vocabulary = ["autumn", "leaves", "blue", "bill", "billy", "a", "evans", "train", "so", "what", "night", "nightly", "x1", "2", "20"]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func word() -> String {
        // The first words come most often.
        let bound = Int.random(in: 1...vocabulary.count, using: &generator)
        return vocabulary[Int.random(in: 0..<bound, using: &generator)]
    }

    mutating func text() -> String? {
        if Int.random(in: 0..<12, using: &generator) == 0 { return nil }
        let separators = [" ", " ", " ", "-", ", ", " / "]
        var text = ""
        for _ in 0..<Int.random(in: 0...7, using: &generator) {
            let word = word()
            text += (Bool.random(using: &generator) ? word : word.uppercased()) + separators[Int.random(in: 0..<separators.count, using: &generator)]
        }
        return text
    }

    mutating func texts(_ count: Int) -> [String?] { (0..<count).map { _ in text() } }

    mutating func key() -> [UInt8] {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    mutating func query(_ fields: FullTextFields, depth: Int = 2) -> FullTextQuery {
        switch Int.random(in: 0..<(depth == 0 ? 3 : 9), using: &generator) {
        case 0, 3: return .word(word())
        case 1: return .prefix(String(word().prefix(Int.random(in: 1...3, using: &generator))))
        case 2: return .phrase((0..<Int.random(in: 1...3, using: &generator)).map { _ in word() }.joined(separator: " "))
        case 4, 5: return .all((0..<Int.random(in: 1...3, using: &generator)).map { _ in query(fields, depth: depth - 1) })
        case 6: return .any((0..<Int.random(in: 1...3, using: &generator)).map { _ in query(fields, depth: depth - 1) })
        case 7: return .not(query(fields, depth: depth - 1))
        default:
            let field = fields.fields[Int.random(in: 0..<fields.count, using: &generator)].name
            return .field(field, query(fields, depth: depth - 1))
        }
    }
}
