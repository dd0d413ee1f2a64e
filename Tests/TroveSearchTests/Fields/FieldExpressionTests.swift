import Foundation
import Testing

@testable import Trove

/// Long expressions of mixed types and literals, which the compiler has to check quickly: none may need more than 300 ms. To see how long each takes:
///
///     swift build --build-tests -Xswiftc -Xfrontend -Xswiftc -warn-long-expression-type-checking=300
@Suite struct FieldExpressionTests {
    private func size(_ condition: (Fields<Recording>) -> Condition) throws -> Int {
        guard case .and(let filters) = try condition(Fields()).filter() else { return 1 }
        return filters.count
    }

    @Test func tenConditionsOfMixedTypes() throws {
        #expect(try size {
            $0.year > 1990 && $0.artist.hasPrefix("Bill") && $0.rating > 4 && $0.format == .tape && $0.isLive == true && $0.title != "x"
                && $0.minutes < 200 && $0.rating != nil && $0.price >= 1.5 && ($0.year < 2000 || $0.year == 2005)
        } == 10)
    }

    @Test func nestedValuesAndCollections() throws {
        #expect(try size {
            $0.place.city == "Oslo" && $0.home.city == "Paris" && $0.home.zip == 5 && $0.labels["genre"] == "Jazz" && $0.tags.contains("live")
                && $0.tags.any { $0.hasPrefix("a") } && $0.lines.any { $0.price > 5 && $0.quantity > 1 } && $0.year.isIn([1, 2])
                && $0.year.isIn(1950...1960) && $0.title == $0.artist && !($0.other == .vinyl) && $0.home.geo.latitude >= 59.5
        } > 10)
    }

    @Test func arithmeticOnLiterals() throws {
        let decade = 1950
        #expect(try size { song in
            song.year > 1990 + 5 && song.year < decade + 10 - 1 && song.rating >= 4.5 * 0.5 && song.rating < 4.9 && song.minutes == 3
                && song.mood != .calm && song.price < 1 / 3 && song.recorded > Date(timeIntervalSinceReferenceDate: 60 * 60 * 24)
                && song.plays > 1_000_000 && song.isLive
        } > 8)
    }

    @Test func manyAlternatives() throws {
        let filter = try Condition.of {
            $0.year == 5 || $0.year == 6 || $0.year == 7 || $0.year == 8 || $0.artist == "a" || $0.artist == "b" || $0.rating == 5 || $0.rating == 6
                || $0.rating > 1 || $0.rating < 4.5 || $0.price == 1 || $0.minutes == 4 || $0.isLive || !$0.isLive || ["a", "b"].contains($0.title)
                || (1950...1960).contains($0.year)
        }
        guard case .or(let filters) = filter else {
            Issue.record("\(filter)")
            return
        }
        #expect(filters.count == 16)
    }
}
