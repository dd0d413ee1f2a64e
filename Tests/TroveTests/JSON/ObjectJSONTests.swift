import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Objects become JSON and come back, with or without all their properties.
@Suite struct ObjectJSONTests {
    private func store() throws -> ObjectStore {
        try ObjectStore(
            MemoryBackend(), models: EveryType.self, Transferred.Track.self, Transferred.Album.self, Transferred.Seat.self, Transferred.Person.self)
    }

    @Test func everyType() throws {
        let store = try store()
        var pool = ValuePool(seed: 21)
        for object in [EveryType.least, .greatest] + (0..<60).map({ _ in pool.object() }) {
            var object = object
            // A nil in an optional in an optional is written as a nil.
            if object.doubleOptional == .some(nil) { object.doubleOptional = nil }
            for style in [JSONStyle.compact, .pretty] {
                let text = try store.json(of: object, style)
                let again = try store.object(EveryType.self, json: text)
                #expect(try store.json(of: again, style) == text)
                try store.save(object)
                let stored = try store.read { try $0.storedRecord(of: "EveryType", key: object.id.keyBytes) }
                try store.save(again)
                let storedAgain = try store.read { try $0.storedRecord(of: "EveryType", key: object.id.keyBytes) }
                for name in stored?.fieldNames ?? [] { #expect(try stored?[name]?.json() == storedAgain?[name]?.json(), "\(name)") }
            }
        }
    }

    @Test func theFormOfAnObject() throws {
        let store = try store()
        let album = Transferred.Album(id: "kind of blue", year: 1959, subject: nil)
        var track = Transferred.Track(
            artist: "Miles", title: "So \"What\"", seconds: 545, recorded: Date(timeIntervalSinceReferenceDate: 0.5), tags: ["b", "a"], album: Reference(album))
        track.id = ObjectID(high: 1, low: 2)
        let text = #"{"$model":"Track","$id":{"$objectID":"00000000-0000-0001-0000-000000000002"},"artist":"Miles","title":"So \"What\"","seconds":545.0,"recorded":{"$date":"2001-01-01T00:00:00.5Z"},"tags":["a","b"],"album":"kind of blue"}"#
        #expect(try store.json(of: track) == text)
        #expect(try store.object(Transferred.Track.self, json: text) == track)
        #expect(try store.json(of: album, .pretty) == "{\n  \"$model\": \"Album\",\n  \"$id\": \"kind of blue\",\n  \"year\": 1959,\n  \"subject\": null\n}")
        let seat = Transferred.Seat(row: "C", number: 12, guest: "Bill")
        #expect(try store.json(of: [seat]) == #"[{"$model":"Seat","$id":["C",12],"row":"C","number":12,"guest":"Bill"}]"#)
        #expect(try store.objects(Transferred.Seat.self, json: store.json(of: [seat, seat])) == [seat, seat])
        #expect(try store.objects(Transferred.Seat.self, json: " [ ] ") == [])
    }

    @Test func whatPeopleWrite() throws {
        let store = try store()
        let track = try store.object(Transferred.Track.self, json: #"{"title":"T","recorded":"1959-03-02","seconds":5,"artist":"A"}"#)
        #expect(track.title == "T" && track.artist == "A" && track.seconds == 5 && track.tags == [] && track.album == nil)
        #expect(track.recorded == Date(timeIntervalSince1970: -341_971_200))
        #expect(try store.object(Transferred.Track.self, json: #"{"title":"T","artist":"A"}"#).seconds == 180)
        #expect(try store.object(Transferred.Track.self, json: #"{"title":"T","artist":"A"}"#).id != track.id)
        #expect(try store.object(Transferred.Album.self, json: #"{"year":1,"id":"x"}"#) == Transferred.Album(id: "x", year: 1, subject: nil))
        #expect(try store.object(Transferred.Seat.self, json: #"{"number":1,"row":"A","$model":"Seat"}"#) == Transferred.Seat(row: "A", number: 1, guest: nil))
        #expect(try store.object(Transferred.Seat.self, json: #"{"number":1,"row":"A","colour":{"a":[1]}}"#, unknownProperties: .ignored).number == 1)
        #expect(try store.object(Transferred.Track.self, json: #"{"title":"T","artist":"A","tags":["z","a","z"]}"#).tags == ["a", "z"])
    }

    @Model("Written") fileprivate struct Written: Equatable {
        let id: Int
        var days: [Date]
        var codes: Set<UUID>
        var links: [String: URL]
        var prices: [UUID: Decimal]
        var place: GeoPoint?
        var ratio: Float
        var total: Double
        var notes: Lazy<[Date]>
    }

    /// JSON of objects and documents take the same for a type, also inside of lists, sets and dictionaries, and the schema says so.
    @Test(arguments: Engine.allCases) func whatPeopleWriteAnywhere(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Written.self) }
        let store = fixture.store
        func text(_ id: Int) -> String {
            #"{"$id":\#(id),"days":["2001-01-01"],"codes":["00000000-0000-0000-0000-000000000001"],"links":{"a":"http://a.example"},"#
                + #""prices":{"$dictionary":[["00000000-0000-0000-0000-000000000002","1.5"]]},"place":"52.5,13.4","ratio":0.5,"#
                + #""total":100000000000000000000,"notes":["2001-01-01"]}"#
        }
        try store.save(store.object(Written.self, json: text(1)))
        _ = try store.documents(of: "Written").insert(ModelDocument(json: text(2)))
        let day = Date(timeIntervalSinceReferenceDate: 0)
        let (first, second) = try (#require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")), #require(UUID(uuidString: "00000000-0000-0000-0000-000000000002")))
        let link = try #require(URL(string: "http://a.example"))
        for id in [1, 2] {
            let expected = Written(
                id: id, days: [day], codes: [first], links: ["a": link], prices: [second: Decimal(3) / 2], place: GeoPoint(latitude: 52.5, longitude: 13.4), ratio: 0.5,
                total: 1e20, notes: Lazy([day]))
            #expect(try store.fetch(Written.self, id: id) == expected)
        }
        let schema = try #require(try store.layouts().first).jsonSchema()
        #expect(schema.components(separatedBy: #"{"pattern":"^[^,]+,[^,]+$","type":"string"}"#).count == 3, "of the property, and behind the tag")
        let whole = try #require(JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any])
        let properties = try #require(whole["properties"] as? [String: [String: Any]])
        for name in ["ratio", "total"] {
            let choices = try #require(properties[name]?["anyOf"] as? [[String: Any]])
            #expect(Set(choices.compactMap { $0["$ref"] as? String }) == ["#/$defs/float", "#/$defs/double", "#/$defs/int"], "\(name)")
            for number in [#"{"$float":3}"#, #"{"$double":3}"#, #"{"$int":"3"}"#] {
                let written = text(3).replacing(name == "ratio" ? "0.5" : "100000000000000000000", with: number)
                let object = try store.object(Written.self, json: written)
                #expect(name == "ratio" ? object.ratio == 3 : object.total == 3, "\(written)")
            }
        }
    }

    @Test func mistakesNameModelAndProperty() throws {
        let store = try store()
        func problem(_ text: String) -> String {
            do {
                _ = try store.object(Transferred.Track.self, json: text)
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(problem(#"{"title":"T"}"#).contains("Track.artist") && problem(#"{"title":"T"}"#).contains("no default"))
        #expect(problem(#"{"title":"T","artist":"A","colour":1}"#).hasPrefix("Track has no field named 'colour'"))
        #expect(problem(#"{"titel":"T","artist":"A"}"#).contains("did you mean 'title'?"))
        #expect(problem(#"{"title":5,"artist":"A"}"#).contains("Track.title") && problem(#"{"title":5,"artist":"A"}"#).contains("5 does not fit String"))
        #expect(problem(#"{"title":"T","artist":null}"#).contains("Track.artist"))
        #expect(problem(#"{"title":"T","artist":"A","recorded":"yesterday"}"#).contains("Track.recorded"))
        #expect(problem(#"{"title":"T","artist":"A","tags":[1]}"#).contains("Track.tags"))
        #expect(problem(#"{"title":"T","artist":"A","title":"U"}"#).contains("line 1, column 27"))
        #expect(problem(#"{"$model":"Album","title":"T","artist":"A"}"#).contains("of Track was expected, not of Album"))
        #expect(problem(#"{"$id":5,"title":"T","artist":"A"}"#).contains("Track.id"))
        #expect(problem("[]").contains("an object was expected") && problem(#"{"title":"T","artist":"A"} x"#).contains("'x'") && problem(#"{"title":"T",}"#).contains("'}'"))
        #expect(throws: TroveError.self) { try store.object(Transferred.Album.self, json: #"{"year":1}"#) }
        #expect(throws: TroveError.self) { try store.object(Transferred.Seat.self, json: #"{"$id":["B",1],"number":1,"row":"A"}"#) }
        #expect(throws: TroveError.self) { try store.object(Transferred.Seat.self, json: #"{"$id":["A"],"number":1,"row":"A"}"#) }
        #expect(throws: TroveError.self) { try store.object(TicketBefore.self, json: "{}") }
        #expect(throws: TroveError.self) { try store.objects(Transferred.Seat.self, json: #"[{"number":1,"row":"A"}"#) }
    }

    @Model("Sold") fileprivate struct Sold {
        var id: UUID = UUID()
        var price: Decimal
        var picture: Data?
        var waits: [Duration] = []
    }

    /// Values of types that have another form in JSON than one may think are told with it, and the object by its number in an array.
    @Test func valuesOfOtherTypesAreToldWithTheirForm() throws {
        let store = try ObjectStore(MemoryBackend(), durability: .relaxed, models: Sold.self)
        let id = #""id":"00000000-0000-0001-0000-000000000002""#
        for (json, field, form) in [
            (#""price":12.99"#, "price", #""12.99""#), (#""price":"1","picture":"AP8=""#, "picture", #"{"$data":"AP8="}"#),
            (#""price":"1","waits":[5]"#, "waits", #"{"$duration":"90.5"}"#), (#""price":[]"#, "price", "decimal"),
        ] {
            #expect { try store.object(Sold.self, json: "{\(id),\(json)}") } throws: { error in
                guard case TroveError.decodingFailed("Sold", field, let id, let reason) = error else { return false }
                return id.contains("00000000-0000-0001-0000-000000000002") && reason.contains(form)
            }
            #expect { try store.objects(Sold.self, json: "[{\(id),\"price\":\"12.99\"},{\(id),\(json)}]") } throws: { error in
                guard case TroveError.decodingFailed("Sold", field, "element 2", let reason) = error else { return false }
                return reason.contains(form)
            }
        }
        #expect { try store.objects(Sold.self, json: #"[{"price":"1"}]"#) } throws: { error in
            guard case TroveError.decodingFailed("Sold", "id", "element 1", let reason) = error else { return false }
            return reason.contains("$id")
        }
        #expect { try store.objects(Sold.self, json: "[{\(id)}]") } throws: { error in
            guard case TroveError.decodingFailed("Sold", "price", "element 1", let reason) = error else { return false }
            return !reason.contains("12.99")
        }
        try store.close()
    }

    @Test func namesThatAreThereTwice() throws {
        let store = try store()
        for text in [#"{"$model":"Seat","$model":"Seat","number":1,"row":"A"}"#, #"{"number":1,"row":"A","colour":1,"colour":2}"#, #"{"number":1,"colour":1,"row":"A","\u0063olour":1}"#] {
            #expect { try store.object(Transferred.Seat.self, json: text, unknownProperties: .ignored) } throws: { "\($0)".contains("there twice") }
        }
        // Each object has its own.
        #expect(try store.objects(Transferred.Seat.self, json: #"[{"number":1,"row":"A","x":1},{"number":2,"row":"A","x":1}]"#, unknownProperties: .ignored).count == 2)
    }

    fileprivate struct Visit: Codable, Equatable {
        var day: Date
        var price: Decimal?
        var link: URL?
        var codes: [UUID] = []
        var place: GeoPoint?
    }
    @Model("Diary") fileprivate struct Diary: Equatable {
        let id: Int
        var visit: Visit
    }

    /// A number was taken for a date's seconds since 2001, and the other types took no text.
    @Test func whatPeopleWriteInsideCodableValues() throws {
        let store = try ObjectStore(MemoryBackend(), models: Diary.self)
        let code = UUID()
        let text = #"{"id":1,"visit":{"day":"1970-01-02","price":"12.99","link":"https://swift.org/a","codes":["\#(code)"],"place":"52.5,13.4"}}"#
        let diary = try store.object(Diary.self, json: text)
        let visit = Visit(
            day: Date(timeIntervalSince1970: 86_400), price: Decimal(string: "12.99"), link: URL(string: "https://swift.org/a"), codes: [code],
            place: GeoPoint(latitude: 52.5, longitude: 13.4))
        #expect(diary == Diary(id: 1, visit: visit))
        try store.save(diary)
        #expect(try store.fetch(Diary.self).where { $0.visit == visit }.count() == 1)
        #expect(try store.object(Diary.self, json: store.json(of: diary)) == diary)
        #expect(try store.object(Diary.self, json: #"{"id":1,"visit":{"day":"1970-01-02","price":13,"codes":[]}}"#).visit.price == 13)
        for (value, words) in [
            (#""codes":[],"day":5"#, "day: not a Date: found an integer 5"), (#""codes":[],"day":"soon""#, "day: not a Date"), (#""codes":[],"day":"1970-01-01","price":12.99"#, "price: not"),
            (#""day":"1970-01-01","codes":["x"]"#, "codes.0: not a UUID"),
        ] {
            #expect { try store.object(Diary.self, json: #"{"id":1,"visit":{\#(value)}}"#) } throws: { "\($0)".contains(words) }
        }
    }

    @Test(arguments: Engine.allCases) func liveObjects(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Transferred.Person.self) }
        let context = ObjectContext(fixture.store)
        let (bill, miles) = (Transferred.Person(name: "Bill"), Transferred.Person(name: "Miles"))
        bill.friends = [miles]
        try context.insert(bill)
        try context.save()
        bill.name = "William"
        let text = try fixture.store.json(of: bill)
        #expect(text == "{\"$model\":\"Person\",\"$id\":{\"$objectID\":\"\(bill.id)\"},\"name\":\"William\",\"born\":null,\"friends\":[{\"$objectID\":\"\(miles.id)\"}]}")
        let copy = try fixture.store.object(Transferred.Person.self, json: text)
        #expect(copy !== bill && copy.id == bill.id && copy.name == "William")
        #expect(try fixture.store.json(of: copy) == text)
    }
}
