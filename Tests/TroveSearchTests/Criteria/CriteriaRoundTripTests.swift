import Foundation
import TestSupport
import Testing
import Trove

@testable import TestModels

/// Descriptions are criteria text that reads back to the same value, and no text crashes the parser.
@Suite struct CriteriaRoundTripTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomQueries(seed: UInt64) throws {
        var filters = RandomFilters(random: SeededGenerator(seed: seed))
        for _ in 0..<200 {
            let query = filters.query()
            let text = query.description
            #expect(try Query("Song", criteria: text) == query, "seed \(seed): \(text)")
            #expect(try Filter(criteria: query.filter.description) == query.filter, "seed \(seed): \(query.filter)")
        }
    }

    @Test func descriptionsReadWell() throws {
        for text in [
            "artist = 'Bill Evans' and year < 1965 order by year desc, title limit 10 offset 20",
            "(year = 1 or year = 2) and not (title contains 'x' ignoring case)",
            "rating is not nil or artist not in ('a', 'b')",
            "title contains 'x' ignoring case and accents and accents = 'y' ignoring accents order by title ignoring case and accents desc",
            "any tags = 'x' and none lines (price > 5 and object.year = element)",
            "all keys of labels begins with '_' and \"order\" = 1 and labels.\"x y\".order is nil",
            "recorded >= date '2020-01-31' and recorded < date '2020-01-31T12:30:00.500Z'",
        ] {
            #expect(try Query("Song", criteria: text).description == text)
        }
        #expect(Query("Song").description == "")
        #expect(Filter.and([]).description == "true")
        #expect(Filter.or([.isNil(FieldPath("x"))]).description == "x is nil")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func bytesAndMutationsNeverCrash(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var filters = RandomFilters(random: SeededGenerator(seed: seed))
        var wellFormed = 0
        for _ in 0..<300 {
            let noise = String(decoding: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }, as: UTF8.self)
            var mutated = Array(filters.query().description.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) where !mutated.isEmpty {
                let place = Int.random(in: 0..<mutated.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutated.remove(at: place)
                case 1: mutated.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 2: mutated[place] = UInt8.random(in: 32...126, using: &random)
                default: mutated.removeSubrange(place..<min(mutated.count, place + 20))
                }
            }
            for text in [noise, String(decoding: mutated, as: UTF8.self)] {
                do throws(TroveError) {
                    // What is read has a description that is read alike.
                    let query = try Query("Song", criteria: text)
                    wellFormed += 1
                    #expect(throws: Never.self, "seed \(seed): \(text)") { try Query("Song", criteria: query.description) }
                } catch {
                    // The words after 'has words' have a syntax of their own, and a position in it.
                    if case .invalidFullTextQuery = error { continue }
                    guard case .invalidCriteria(text, let position, let expected) = error else {
                        Issue.record("seed \(seed): \(error) for \(text)")
                        continue
                    }
                    #expect((0...text.count).contains(position) && !expected.isEmpty)
                }
            }
        }
        #expect(wellFormed > 0)
    }
}
