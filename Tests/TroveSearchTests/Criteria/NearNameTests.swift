import TestSupport
import Testing

@testable import Trove

/// Which names are offered to somebody who wrote one that is unknown.
@Suite struct NearNameTests {
    private static let known = ["id", "title", "artist", "year", "rating", "released", "tags", "album"]

    @Test(arguments: [
        ("titel", ["title"]), ("Title", ["title"]), ("artists", ["artist"]), ("ratng", ["rating"]), ("yaer", ["year"]), ("tag", ["tags"]), ("relesed", ["released"]), ("albun", ["album"]), ("xyz", []),
        ("", []), ("price", []), ("ALBUM", ["album"]), ("release", ["released"]), ("titles", ["title"]),
    ])
    func nearOnes(_ name: String, _ expected: [String]) { #expect(NearName.nearest(to: name, in: Self.known) == expected) }

    @Test func theNearestComeFirstAndAreFew() {
        #expect(NearName.nearest(to: "name", in: ["names", "nama", "Name", "mane", "nime", "other"]).first == "Name")
        #expect(NearName.nearest(to: "name", in: ["name1", "name2", "name3", "name4"]).count == 3)
        #expect(NearName.nearest(to: "a", in: ["a"]) == [])
    }

    @Test func theAdviceHasAllWhenTheyAreFew() {
        #expect(NearName.advice(on: "titel", known: ["title", "year"], listedAs: "there are") == "; did you mean 'title'? (there are title, year)")
        #expect(NearName.advice(on: "x", known: ["title", "year"], listedAs: "it has") == "; it has title, year")
        #expect(NearName.advice(on: "x", known: [], listedAs: "it has") == "")
        let many = (0..<100).map { "property\($0)" }
        #expect(NearName.advice(on: "x", known: many, listedAs: "it has") == "")
        #expect(NearName.advice(on: "propetry7", known: many, listedAs: "it has").hasPrefix("; did you mean 'property7', "))
    }

    /// A slip of any kind in a name of some length is one step away.
    @Test(arguments: 1...10 as ClosedRange<UInt64>) func slipsAreFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let name = String((0..<Int.random(in: 6...14, using: &random)).map { _ in "abcdefghijklmnop".randomElement(using: &random)! })
            var letters = Array(name)
            let place = Int.random(in: 1..<letters.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: letters.remove(at: place)
            case 1: letters.insert("z", at: place)
            case 2: letters[place] = "z"
            default: letters.swapAt(place, place - 1)
            }
            guard String(letters) != name else { continue }
            #expect(NearName.nearest(to: String(letters), in: ["qqqqqqqqqqqqqqqqqq", name]) == [name])
        }
    }
}
