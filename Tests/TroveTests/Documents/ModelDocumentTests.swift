import Foundation
import TestSupport
import Testing

@testable import Trove

/// Objects of models as documents.
@Suite struct ModelDocumentTests {
    @Model("Album") fileprivate struct Album: Equatable {
        let id: String
        var songs: [Reference<Song>] = []
    }

    @Model("Song") fileprivate struct Song: Equatable {
        var id = ObjectID()
        var title: String
        var year: Int16
        var rating: Double?
        var released: Date?
        var tags: [String] = []
        @Relationship(inverse: \Album.songs) var album: Reference<Album>?
        var about: AnyReference?
    }

    @Model("Seat") fileprivate struct Seat: Equatable {
        #Unique<Seat>([\.row, \.number], identity: true)
        let row: String
        let number: Int
        var person: String?
    }

    @Model("Guest") fileprivate struct Guest: Equatable {
        struct Address: Codable, Equatable { var city: String }

        let id: Int
        var address: Address
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self, Seat.self) }
    }

    /// What only the program can tell of a value inside is told of the property as other mistakes are.
    @Test(arguments: Engine.allCases) func aValueOfAnotherShape(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Guest.self) }
        let guests = fixture.store.documents(of: "Guest")
        var guest = try guests.insert(ModelDocument(json: #"{"$id": 7, "address": {"city": "Oslo"}}"#))
        guest["address"] = .object([String: StoredValue]())
        #expect { try guests.save(guest) } throws: { error in
            guard case TroveError.invalidProperty("Guest", "address", _) = error else { return false }
            return "\(error)" == "Guest.address of 7 cannot be read: no value for 'city'; make it optional in its type, or store a value that has it"
        }
        #expect(try fixture.store.fetch(Guest.self).all() == [Guest(id: 7, address: .init(city: "Oslo"))])
    }

    /// Both where the program has the models and where it has none.
    private func withBoth(_ engine: Engine, _ body: (ObjectStore) throws -> Void) throws {
        for knowsModels in [true, false] {
            let fixture = try fixture(engine)
            if !knowsModels { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) } }
            try body(fixture.store)
            #expect(try fixture.store.verify().isSound)
            try fixture.reopenStore()
            #expect(try fixture.store.verify().isSound)
        }
    }

    @Test(arguments: Engine.allCases) func objectsAreReadAndChanged(engine: Engine) throws {
        try withBoth(engine) { store in
            let songs = store.documents(of: "Song")
            #expect(try songs.count() == 0)
            let first = try songs.insert(["title": "So What", "year": 1959, "tags": ["modal"], "album": "Kind of Blue"])
            #expect(first.modelName == "Song")
            let id = try #require(first.id)
            guard case .objectID = id else { return #expect(Bool(false), "an id is made") }
            var song = try #require(try songs.fetch(id: id))
            #expect(song == first)
            #expect(song["album"] == "Kind of Blue" && song["rating"] == .null)
            song["rating"] = 4
            song["tags[1]"] = "live"
            song["released"] = "1959-08-17T00:00:00Z"
            try song.set("about", to: AnyReference(modelName: "Album", keyBytes: "x".keyBytes))
            let saved = try songs.save(song)
            #expect(saved["rating"] == .double(4) && saved["released"] == .date(Date(timeIntervalSinceReferenceDate: -1_305_763_200)))
            #expect(try songs.fetch("year = 1959 and any tags = ?", "live").all() == [saved])
            #expect(try songs.fetch { $0["rating"] > 3 && $0["title"].hasPrefix("So") }.first() == saved)
            try songs.save([["title": "B", "year": 1], ["title": "A", "year": 1]])
            #expect(try songs.fetch().sorted(by: "year").sorted(by: "title").all().map { $0["title"] } == ["A", "B", "So What"])
            #expect(try songs.fetch().sorted(by: "title", .descending).limit(1).first()?["title"] == "So What")
            // The other side follows, once it is there.
            let albums = store.documents(of: "Album")
            try albums.insert(ModelDocument([:], id: "Kind of Blue"))
            #expect(try albums.fetch(id: "Kind of Blue")?["songs"] == .array([id]))
            #expect(try albums.delete(id: "Kind of Blue"))
            #expect(try songs.fetch(id: id)?["album"] == .null)
            #expect(try songs.delete(saved))
            #expect(try !songs.contains(id: id))
            #expect(try songs.deleteAll() == 2)
        }
    }

    @Test(arguments: Engine.allCases) func whatDoesNotFitIsTold(engine: Engine) throws {
        try withBoth(engine) { store in
            let songs = store.documents(of: "Song")
            func expect(_ document: ModelDocument, _ property: String, _ reason: String, line: Int = #line) {
                #expect("line \(line)") {
                    try songs.save(document)
                } throws: { error in
                    guard case TroveError.invalidProperty("Song", let found, let why) = error else { return false }
                    return found == property && why.contains(reason)
                }
            }
            expect(["year": 1], "title", "is missing; it takes a String")
            expect(["title": .null, "year": 1], "title", "is missing")
            expect(["title": "x", "year": "1959"], "year", "takes an Int16")
            expect(["title": "x", "year": 40_000], "year", "takes an Int16, which 40000 is not")
            expect(["title": "x", "year": ""], "year", "takes an Int16, which '' is not")
            expect(["title": "x", "year": 1, "colour": "red"], "colour", "is no property of the model; it has title, year")
            expect(["title": "x", "year": 1, "id": 1], "id", "is no property of the model, whose ids are $id; it has title, year")
            expect(["title": "x", "year": 1, "tags": [1]], "tags", "takes")
            expect(["title": "x", "year": 1, "album": 5], "album", "takes")
            expect(["title": "x", "year": 1, "about": .data(Data([1, 2, 3]))], "about", "takes references")
            expect(ModelDocument(["title": "x", "year": 1], id: 5), "$id", "takes an ObjectID")
            var song: ModelDocument = ["title": "x", "year": 1]
            song["title.inside"] = 1
            #expect { try songs.save(song) } throws: { if case TroveError.invalidDocumentPath = $0 { true } else { false } }
            #expect(try songs.count() == 0)
            #expect { try store.documents(of: "Nothing").count() } throws: { if case TroveError.unknownType("Nothing", _) = $0 { true } else { false } }
            #expect { try store.documents(of: "Sogn").count() } throws: { "\($0)".hasPrefix("the store has no type named 'Sogn'; did you mean 'Song'? (it has ") }
            try store.documents("notes").save(["a": 1])
            #expect { try store.documents(of: "notes").count() } throws: { if case TroveError.invalidCollection("notes", _) = $0 { true } else { false } }
            let known = try songs.insert(["title": "x", "year": 1])
            #expect { try songs.insert(known) } throws: { if case TroveError.alreadyExists("Song", _) = $0 { true } else { false } }
        }
    }

    @Model("Place") fileprivate struct Place: Equatable {
        let id: Int
        var café: String?
    }

    /// Swift takes é as one scalar and as two for equal, and a store does not.
    @Test(arguments: Engine.allCases) func namesInOtherScalars(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Place.self) }
        let places = fixture.store.documents(of: "Place")
        try places.save(ModelDocument(["caf\u{E9}": "Strand"], id: 1))
        let other = ModelDocument(["cafe\u{301}": "Hav"], id: 1)
        #expect { try places.save(other) } throws: { if case TroveError.invalidProperty("Place", let name, _) = $0 { name.hasBytes(of: "cafe\u{301}") } else { false } }
        #expect(try fixture.store.fetch(Place.self).all() == [Place(id: 1, café: "Strand")], "nothing is erased")
    }

    @Test(arguments: Engine.allCases) func idsOfPropertiesAreMadeOfThem(engine: Engine) throws {
        try withBoth(engine) { store in
            let seats = store.documents(of: "Seat")
            let seat = try seats.insert(["row": "A", "number": 3])
            #expect(seat.id == ["A", 3])
            var taken = try #require(try seats.fetch(id: ["A", 3]))
            taken["person"] = "Ann"
            try seats.save(taken)
            #expect(try seats.fetch("person = 'Ann'").all().map(\.id) == [["A", 3]])
            taken["number"] = 4
            #expect { try seats.save(taken) } throws: { if case TroveError.invalidProperty("Seat", "row", _) = $0 { true } else { false } }
            #expect { try seats.fetch(id: 5) } throws: { if case TroveError.invalidProperty("Seat", "$id", _) = $0 { true } else { false } }
        }
    }

    @Test(arguments: Engine.allCases) func deletedByWhatTheyAre(engine: Engine) throws {
        try withBoth(engine) { store in
            let (albums, seats, songs) = (store.documents(of: "Album"), store.documents(of: "Seat"), store.documents(of: "Song"))
            try albums.insert(ModelDocument(["songs": []], id: "A"))
            let album = try #require(try albums.fetch(id: "A"))
            let song = try songs.insert(["title": "x", "year": 1])
            // The key is one that an object of the other model could have.
            #expect { try songs.delete(ModelDocument(modelName: "Album", id: song.id, value: song.value, key: song.key, layout: nil)) } throws: {
                if case TroveError.invalidProperty("Song", "$model", _) = $0 { true } else { false }
            }
            #expect { try songs.delete(album) } throws: { if case TroveError.invalidProperty("Song", "$model", _) = $0 { true } else { false } }
            #expect(try songs.count() == 1 && albums.count() == 1)
            try seats.insert(["row": "A", "number": 3])
            #expect(try !seats.delete(["row": "A", "number": 4]))
            #expect(try seats.delete(["row": "A", "number": 3]) && seats.count() == 0)
            #expect(try !songs.delete(["title": "x", "year": 1]), "an id that is not made of properties is not known")
        }
    }

    fileprivate enum Earlier {
        @Model("Guest") struct Guest {
            let id: Int
            var name: String
        }
    }

    fileprivate enum Later {
        @Model("Guest") struct Guest: Equatable {
            let id: Int
            var name: String
            var room: Int?
        }
    }

    /// The number of a layout is a store's own.
    @Test(arguments: Engine.allCases) func readInAnotherStore(engine: Engine) throws {
        let other = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Later.Guest.self) }
        try other.store.save(Later.Guest(id: 1, name: "Ane", room: 5))
        let guest = try #require(try other.store.documents(of: "Guest").fetch(id: 1))
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Earlier.Guest.self) }
        try fixture.store.save(Earlier.Guest(id: 2, name: "Ola"))
        let earlier = try #require(try fixture.store.documents(of: "Guest").fetch(id: 2))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Later.Guest.self) }
        try fixture.store.documents(of: "Guest").save([guest, earlier])
        #expect(try fixture.store.documents(of: "Guest").fetch(id: 1)?["room"] == 5)
        #expect(try fixture.store.fetch(Later.Guest.self).sorted(by: \.id).all() == [.init(id: 1, name: "Ane", room: 5), .init(id: 2, name: "Ola")])
        #expect(try fixture.store.upgrade(Later.Guest.self) == 1, "one of this store keeps its layout")
        #expect(try fixture.store.verify().isSound)
    }

    fileprivate enum Pounds {
        @Model("Price") struct Price: Equatable {
            let id: Int
            var amount: Int
        }
    }

    fileprivate enum Pence {
        @Model("Price", version: 2) struct Price: Equatable {
            let id: Int
            var amount: Int

            mutating func upgrade(from old: StoredRecord) throws { amount = try old.value(of: "amount", as: Int.self) * 100 }
        }
    }

    /// What a version means by its properties is not told by their names and types.
    @Test(arguments: Engine.allCases) func readInAnotherStoreInAnotherVersion(engine: Engine) throws {
        let other = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Pounds.Price.self) }
        try other.store.save(Pounds.Price(id: 1, amount: 5))
        let price = try #require(try other.store.documents(of: "Price").fetch(id: 1))
        // The number of the layout is the same here.
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Pence.Price.self) }
        try fixture.store.save(Pence.Price(id: 2, amount: 700))
        let prices = fixture.store.documents(of: "Price")
        #expect { try prices.save(price) } throws: { if case TroveError.invalidProperty("Price", "$model", _) = $0 { true } else { false } }
        #expect(try fixture.store.fetch(Pence.Price.self).all() == [.init(id: 2, amount: 700)])
        try other.reopenStore { try ObjectStore($0, durability: .relaxed, models: Pence.Price.self) }
        try other.store.upgrade(Pence.Price.self)
        try prices.save(#require(try other.store.documents(of: "Price").fetch(id: 1)))
        #expect(try fixture.store.fetch(Pence.Price.self, id: 1)?.amount == 500)
    }

    @Test(arguments: Engine.allCases) func jsonGoesBothWays(engine: Engine) throws {
        try withBoth(engine) { store in
            let songs = store.documents(of: "Song")
            let song = try songs.insert(ModelDocument(json: #"{"title": "Nardis", "year": 1961, "released": {"$date": "1961-01-01T00:00:00Z"}}"#))
            let text = try song.json(.pretty)
            #expect(text.hasPrefix("{\n  \"$model\": \"Song\",\n  \"$id\": {\"$objectID\":"))
            #expect(try ModelDocument(json: text) == song)
            #expect(try songs.save(ModelDocument(json: text)) == song)
            #expect(throws: TroveError.self) { try ModelDocument(json: #"{"title": 1, "title": 2}"#) }
            #expect { try songs.save(ModelDocument(json: #"{"$model": "Album", "title": "x", "year": 1}"#)) } throws: { if case TroveError.invalidProperty(_, "$model", _) = $0 { true } else { false } }
        }
    }

    /// A store that was made by an import has no indexes of the models' programs, but those of what points where.
    @Test(arguments: Engine.allCases) func importedStoresKeepTheRules(engine: Engine) throws {
        let (origin, fixture) = (try fixture(engine), try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) })
        try origin.store.save(Album(id: "a"))
        try origin.store.save((0..<5).map { Song(title: "\($0)", year: 1, album: Reference(id: "a")) })
        let file = origin.directory.file("export.jsonl")
        try origin.store.exportJSON(to: file)
        try fixture.store.importJSON(from: file)
        let names = try fixture.store.indexStatistics().map(\.schema.name)
        #expect(Set(names) == ["references of album", "references of songs", "references of about"])
        let songs = fixture.store.documents(of: "Song")
        #expect(try fixture.store.documents(of: "Album").fetch(id: "a")?["songs"] == .array(songs.fetch().all().compactMap(\.id)))
        #expect(try fixture.store.documents(of: "Album").delete(id: "a"))
        #expect(try songs.fetch("album is nil").count() == 5)
        try fixture.store.importJSON(from: file)
        #expect(try songs.fetch("album = 'a'").count() == 5)
        #expect(try fixture.store.verify().isSound)
        let numbers = try fixture.store.read { try Set($0.indexTable.entries.map(\.number)) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Song.self, Seat.self) }
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.read { try numbers.isSubset(of: $0.indexTable.entries.map(\.number)) }, "they are taken over")
        #expect(try fixture.store.fetch(Album.self, id: "a")?.songs.count == 5)
    }

    @Test(arguments: Engine.allCases) func transactions(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let song = try fixture.store.documents(of: "Song").insert(["title": "a", "year": 1])
        try fixture.store.write { transaction in
            let inside = transaction.documents(of: "Song")
            #expect(throws: TroveError.self) {
                try transaction.savepoint {
                    try inside.insert(["title": "c", "year": 3])
                    try inside.insert(song)
                }
            }
            let count = try inside.count()
            #expect(count == 1)
        }
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func tasks(engine: Engine) async throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let songs = fixture.store.documents(of: "Song")
        let song = try await songs.insert(["title": "a", "year": 1])
        let id = try #require(song.id)
        #expect(try await songs.fetch(id: id) == song)
        #expect(try await songs.contains(id: id))
        #expect(try await songs.count() == 1)
        try await songs.save([["title": "b", "year": 2]])
        #expect(try await songs.save(song) == song)
        #expect(try await songs.delete(song))
        #expect(try await !songs.delete(id: id))
        #expect(try await songs.delete(ids: [id]) == 0)
        #expect(try await songs.deleteAll() == 1)
    }
}
