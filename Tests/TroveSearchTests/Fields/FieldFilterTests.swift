import Foundation
import Testing

@testable import Trove

/// What typed fields make of a closure.
@Suite struct FieldFilterTests {
    private func filter(_ condition: (Fields<Recording>) -> Condition) throws -> Filter {
        try condition(Fields()).filter()
    }

    private func path(_ text: String) -> Operand { .path(FieldPath(text)) }

    @Test func comparisons() throws {
        #expect(try filter { $0.year > 1990 } == .comparison(path("year"), .greater, .value(.int(1990))))
        #expect(try filter { $0.year >= 1990 } == .comparison(path("year"), .greaterOrEqual, .value(.int(1990))))
        #expect(try filter { $0.year < 1990 } == .comparison(path("year"), .less, .value(.int(1990))))
        #expect(try filter { $0.year <= 1990 } == .comparison(path("year"), .lessOrEqual, .value(.int(1990))))
        #expect(try filter { $0.artist == "Bill Evans" } == .comparison(path("artist"), .equal, .value(.string("Bill Evans"))))
        #expect(try filter { $0.artist != "Bill Evans" } == .comparison(path("artist"), .notEqual, .value(.string("Bill Evans"))))
        #expect(try filter { $0.rating > 4 } == .comparison(path("rating"), .greater, .value(.double(4))))
        #expect(try filter { $0.plays == .max } == .comparison(path("plays"), .equal, .value(.uint(.max))))
        #expect(try filter { $0.price >= 1.5 } == .comparison(path("price"), .greaterOrEqual, .value(.decimal(1.5))))
        #expect(try filter { $0.default == 1 } == .comparison(path("default"), .equal, .value(.int(1))))
        let id = ObjectID()
        #expect(try filter { $0.id == id } == .comparison(path("id"), .equal, .value(.objectID(id))))
        let code = UUID()
        #expect(try filter { $0.code == code } == .comparison(path("code"), .equal, .value(.uuid(code))))
        #expect(try filter { $0.recorded < Date(timeIntervalSinceReferenceDate: 5) }
            == .comparison(path("recorded"), .less, .value(.date(Date(timeIntervalSinceReferenceDate: 5)))))
        #expect(try filter { $0.image == Data([1, 2]) } == .comparison(path("image"), .equal, .value(.data(Data([1, 2])))))
        #expect(try filter { $0.tags == ["a", "b"] } == .comparison(path("tags"), .equal, .value(.array([.string("a"), .string("b")]))))
    }

    @Test func nilHasAConditionOfItsOwn() throws {
        #expect(try filter { $0.rating == nil } == .isNil(FieldPath("rating")))
        #expect(try filter { $0.rating != nil } == .not(.isNil(FieldPath("rating"))))
        let none: Recording.Format? = nil
        #expect(try filter { $0.other == none } == .isNil(FieldPath("other")))
    }

    @Test func enumsCompareByRawValue() throws {
        #expect(try filter { $0.format == .tape } == .comparison(path("format"), .equal, .value(.string("tape"))))
        #expect(try filter { $0.other != .disc } == .comparison(path("other"), .notEqual, .value(.string("disc"))))
        #expect(try filter { $0.mood == .lively } == .comparison(path("mood"), .equal, .value(.int(2))))
        #expect(try filter { $0.mood.isIn([.calm, .lively]) } == .membership(path("mood"), [.int(1), .int(2)]))
    }

    @Test func codableValuesCompareWhole() throws {
        let place = Recording.Place(city: "Oslo", zip: nil, country: "Norway", geo: nil)
        #expect(try filter { $0.place == place }
            == .comparison(path("place"), .equal, .value(.object(["city": .string("Oslo"), "nation": .string("Norway")]))))
    }

    @Test func fieldAgainstField() throws {
        #expect(try filter { $0.artist == $0.title } == .comparison(path("artist"), .equal, path("title")))
        #expect(try filter { $0.year < $0.limit } == .comparison(path("year"), .less, path("limit")))
        #expect(try filter { $0.format != $0.other } == .comparison(path("format"), .notEqual, path("other")))
        #expect(try filter { $0.home.city == $0.place.city } == .comparison(path("home.city"), .equal, path("place.city")))
        #expect(try filter { $0.title.contains($0.artist, ignoringCase: true) }
            == .text(path("title"), .contains, path("artist"), ignoringCase: true))
    }

    /// Either side may be nil, as for `==`.
    @Test func fieldsAreOrderedWhereOneMayBeNil() throws {
        let (zip, year) = (path("place.zip"), path("year"))
        #expect(try filter { $0.place.zip < $0.year } == .comparison(zip, .less, year))
        #expect(try filter { $0.place.zip <= $0.year } == .comparison(zip, .lessOrEqual, year))
        #expect(try filter { $0.place.zip > $0.year } == .comparison(zip, .greater, year))
        #expect(try filter { $0.place.zip >= $0.year } == .comparison(zip, .greaterOrEqual, year))
        #expect(try filter { $0.year < $0.place.zip } == .comparison(year, .less, zip))
        #expect(try filter { $0.year <= $0.place.zip } == .comparison(year, .lessOrEqual, zip))
        #expect(try filter { $0.year > $0.place.zip } == .comparison(year, .greater, zip))
        #expect(try filter { $0.year >= $0.place.zip } == .comparison(year, .greaterOrEqual, zip))
        #expect(try filter { $0.home.zip < $0.place.zip } == .comparison(path("home.zip"), .less, zip))
    }

    @Test func logic() throws {
        let year = Filter.comparison(path("year"), .greater, .value(.int(1990)))
        let live = Filter.comparison(path("isLive"), .equal, .value(.bool(true)))
        #expect(try filter { $0.year > 1990 && $0.isLive } == .and([year, live]))
        #expect(try filter { $0.isLive || $0.year > 1990 } == .or([live, year]))
        #expect(try filter { !($0.year > 1990) && !$0.isLive } == .and([.not(year), .not(live)]))
        #expect(try filter { !(!($0.year > 1990)) } == year)
        #expect(try filter { $0.year > 1990 && ($0.isLive || $0.isLive) && $0.isPublic == true }
            == .and([year, .or([live, live]), .comparison(path("isPublic"), .equal, .value(.bool(true)))]))
        #expect(try filter { Condition(year) && $0.isLive } == .and([year, live]))
    }

    @Test func listsAndRanges() throws {
        let fifties = Filter.and([.comparison(path("year"), .greaterOrEqual, .value(.int(1950))), .comparison(path("year"), .lessOrEqual, .value(.int(1959)))])
        #expect(try filter { $0.year.isIn(1950...1959) } == fifties)
        #expect(try filter { $0.year.isBetween(1950, and: 1959) } == fifties)
        #expect(try filter { (1950...1959).contains($0.year) } == fifties)
        let open = Filter.and([.comparison(path("rating"), .greaterOrEqual, .value(.double(1))), .comparison(path("rating"), .less, .value(.double(2.5)))])
        #expect(try filter { $0.rating.isIn(1..<2.5) } == open)
        #expect(try filter { (1950...).contains($0.year) } == .comparison(path("year"), .greaterOrEqual, .value(.int(1950))))
        #expect(try filter { (...1950).contains($0.year) } == .comparison(path("year"), .lessOrEqual, .value(.int(1950))))
        #expect(try filter { (..<1950).contains($0.year) } == .comparison(path("year"), .less, .value(.int(1950))))
        #expect(try filter { $0.year.isIn(1950...) } == .comparison(path("year"), .greaterOrEqual, .value(.int(1950))))
        #expect(try filter { $0.year.isIn(...1950) } == .comparison(path("year"), .lessOrEqual, .value(.int(1950))))
        #expect(try filter { $0.year.isIn(..<1950) } == .comparison(path("year"), .less, .value(.int(1950))))
        #expect(try filter { $0.artist.isIn(["a", "b"]) } == .membership(path("artist"), [.string("a"), .string("b")]))
        #expect(try filter { ["a", "b"].contains($0.artist) } == .membership(path("artist"), [.string("a"), .string("b")]))
        #expect(try filter { $0.rating.isIn([nil, 3]) } == .membership(path("rating"), [.null, .double(3)]))
        #expect(try filter { $0.artist.isIn(["A"], ignoringCase: true) } == .membership(path("artist"), [.string("A")], ignoringCase: true))
        #expect(try filter { $0.year.isIn([]) } == .membership(path("year"), []))
    }

    /// Of a property that may be nil as of one that may not, and with plain values on the other side.
    @Test func listsAndRangesOfOptionals() throws {
        let (from, to) = (Filter.comparison(path("rating"), .greaterOrEqual, .value(.double(1))), Filter.comparison(path("rating"), .lessOrEqual, .value(.double(2.5))))
        let below = Filter.comparison(path("rating"), .less, .value(.double(2.5)))
        #expect(try filter { $0.rating.isIn(1...2.5) } == .and([from, to]))
        #expect(try filter { (1...2.5).contains($0.rating) } == .and([from, to]))
        #expect(try filter { (1..<2.5).contains($0.rating) } == .and([from, below]))
        #expect(try filter { $0.rating.isIn(1...) } == from)
        #expect(try filter { (1...).contains($0.rating) } == from)
        #expect(try filter { $0.rating.isIn(...2.5) } == to)
        #expect(try filter { (...2.5).contains($0.rating) } == to)
        #expect(try filter { $0.rating.isIn(..<2.5) } == below)
        #expect(try filter { (..<2.5).contains($0.rating) } == below)
        let some: [Double] = [1, 2]
        let list = Filter.membership(path("rating"), [.double(1), .double(2)])
        #expect(try filter { $0.rating.isIn(some) } == list)
        #expect(try filter { some.contains($0.rating) } == list)
        #expect(try filter { [1, 2].contains($0.rating) } == list)
        #expect(try filter { Set([1.5]).contains($0.rating) } == .membership(path("rating"), [.double(1.5)]))
        #expect(try filter { [nil, 2].contains($0.rating) } == .membership(path("rating"), [.null, .double(2)]))
    }

    @Test func text() throws {
        #expect(try filter { $0.title.hasPrefix("50%") } == .text(path("title"), .hasPrefix, .value(.string("50%"))))
        #expect(try filter { $0.title.hasSuffix("a_b", ignoringCase: true) } == .text(path("title"), .hasSuffix, .value(.string("a_b")), ignoringCase: true))
        #expect(try filter { $0.cover.contains("https") } == .text(path("cover"), .contains, .value(.string("https"))))
        #expect(try filter { $0.title.equals("ÉTUDE", ignoringCase: true) }
            == .comparison(path("title"), .equal, .value(.string("ÉTUDE")), ignoringCase: true))
        #expect(try filter { $0.title.matches("^a.*z$") } == .matches(path("title"), pattern: "^a.*z$"))
        #expect(try filter { $0.title.isEmpty } == .comparison(path("title"), .equal, .value(.string(""))))
    }

    @Test func nestedValues() throws {
        #expect(try filter { $0.place.city == "Oslo" } == .comparison(path("place.city"), .equal, .value(.string("Oslo"))))
        #expect(try filter { $0.home.city == "Oslo" } == .comparison(path("home.city"), .equal, .value(.string("Oslo"))))
        #expect(try filter { $0.home.zip == 5 } == .comparison(path("home.zip"), .equal, .value(.int(5))))
        #expect(try filter { $0.home.geo.latitude > 5 } == .comparison(path("home.geo.latitude"), .greater, .value(.double(5))))
        #expect(try filter { $0.place.zip == nil } == .isNil(FieldPath("place.zip")))
        #expect(try filter { $0.place.at("nation", as: String.self) == "Norway" }
            == .comparison(path("place.nation"), .equal, .value(.string("Norway"))))
        #expect(try filter { $0.at("place.geo.latitude", as: Double?.self) == nil } == .isNil(FieldPath("place.geo.latitude")))
        #expect(try filter { $0.derivedValue("decade", as: Int.self) == 1950 } == .comparison(path("decade"), .equal, .value(.int(1950))))
    }

    @Test func collections() throws {
        let tags = FieldPath("tags")
        let element = Operand.path(.element)
        #expect(try filter { $0.tags.contains("live") }
            == .quantified(.any, tags, .elements, .comparison(element, .equal, .value(.string("live")))))
        #expect(try filter { $0.tags.any { $0.hasPrefix("a") } }
            == .quantified(.any, tags, .elements, .text(element, .hasPrefix, .value(.string("a")))))
        #expect(try filter { $0.scores.all { $0 > 5 } }
            == .quantified(.all, FieldPath("scores"), .elements, .comparison(element, .greater, .value(.int(5)))))
        #expect(try filter { $0.notes.none { $0 == "x" } }
            == .quantified(.none, FieldPath("notes"), .elements, .comparison(element, .equal, .value(.string("x")))))
        #expect(try filter { $0.tags.isEmpty } == .quantified(.none, tags, .elements, .constant(true)))
        let price = Operand.path(FieldPath(field: "", names: ["price"]))
        let quantity = Operand.path(FieldPath(field: "", names: ["quantity"]))
        #expect(try filter { $0.lines.any { $0.price > 5 && $0.quantity > 1 } }
            == .quantified(.any, FieldPath("lines"), .elements,
                .and([.comparison(price, .greater, .value(.double(5))), .comparison(quantity, .greater, .value(.int(1)))])))
        #expect(try filter { recording in recording.tags.any { $0 == recording.artist } }
            == .quantified(.any, tags, .elements, .comparison(element, .equal, path("artist"))))
        #expect(try filter { $0.lines.any { line in line.parts.contains("x") && line.price > 5 } }
            == .quantified(.any, FieldPath("lines"), .elements, .and([
                .quantified(.any, FieldPath(field: "", names: ["parts"]), .elements, .comparison(element, .equal, .value(.string("x")))),
                .comparison(price, .greater, .value(.double(5))),
            ])))
    }

    @Test func dictionaries() throws {
        let element = Operand.path(.element)
        #expect(try filter { $0.labels["genre"] == "Jazz" } == .comparison(path("labels.genre"), .equal, .value(.string("Jazz"))))
        #expect(try filter { $0.labels["a.b"] == nil } == .isNil(FieldPath(field: "labels", names: ["a.b"])))
        #expect(try filter { $0.labels.keys.contains("genre") }
            == .quantified(.any, FieldPath("labels"), .keys, .comparison(element, .equal, .value(.string("genre")))))
        #expect(try filter { $0.counts.values.all { $0 >= 0 } }
            == .quantified(.all, FieldPath("counts"), .values, .comparison(element, .greaterOrEqual, .value(.double(0)))))
        #expect(try filter { $0.counts.keys.contains(7) }
            == .quantified(.any, FieldPath("counts"), .keys, .comparison(element, .equal, .value(.int(7)))))
        #expect(try filter { $0.counts.isEmpty } == .quantified(.none, FieldPath("counts"), .keys, .constant(true)))
    }
}
