import Foundation
import Trove

/// Documents without a type, of ten values at different paths: numbered from 0.
struct NoteData {
    /// How many there are.
    let count: Int

    /// How many have the same author.
    static let sharing = 100
    static let authorPath = "author.name"

    var authorCount: Int { max(1, count / Self.sharing) }

    static func id(_ number: Int) -> ObjectID { SongData.id(number) }

    func author(_ author: Int) -> String { "name \(author)" }

    /// The values by their paths, in the order in which the document has them.
    func leaves(_ number: Int) -> [(path: String, value: StoredValue)] {
        [
            ("title", .string("title \(number)")), (Self.authorPath, .string(author(number % authorCount))), ("author.born", .int(Int64(1_900 + number % 100))),
            ("year", .int(Int64(number % 5_000))), ("rating", .double(Double(number % 50) / 10)), ("public", .bool(number % 2 == 0)),
            ("place", .string("place \(number % 77)")), ("code", .int(Int64(number))), ("note", .string("some words of number \(number)")),
            ("when", .date(Date(timeIntervalSinceReferenceDate: Double(number) * 60))),
        ]
    }

    /// The document of these values.
    func document(_ number: Int) throws -> Document {
        var document = Document(.object([:]), id: Self.id(number))
        for (path, value) in leaves(number) { try document.set(DocumentPath(path), to: value) }
        return document
    }

    /// The authors to be found in a repeat, drawn at random.
    func randomAuthors(seed: Int) -> [String] {
        var random = SplitMix64(seed: UInt64(seed))
        return (0..<200).map { _ in author(Int.random(in: 0..<authorCount, using: &random)) }
    }

    /// What the documents of these authors add up to: their number, and that of each.
    func tally(of authors: [String]) -> Tally {
        var sums: [String: Tally] = [:]
        for number in 0..<count { sums[author(number % authorCount), default: Tally()].add(answer: number) }
        return authors.reduce(into: Tally()) { tally, author in tally.add(sums[author] ?? Tally()) }
    }
}
