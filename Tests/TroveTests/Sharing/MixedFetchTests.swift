import Foundation
import TestSupport
import Testing

@testable import Trove

/// Fetches of several models at once, against arrays of the same objects.
@Suite struct MixedFetchTests {
    /// What a test knows of a stored object.
    private struct Known: Hashable {
        let model: String
        let id: [UInt8]
        let name: String
        let rank: Int?
    }

    private static func fill(_ store: ObjectStore, count: Int, seed: UInt64 = 7) throws -> [Known] {
        var generator = SeededGenerator(seed: seed)
        var known: [Known] = []
        try store.write { transaction in
            for number in 0..<count {
                let name = "n\(Int.random(in: 0..<6, using: &generator))"
                let rank = Bool.random(using: &generator) ? Int.random(in: -2...2, using: &generator) : nil
                switch number % 3 {
                case 0:
                    let team = RankedTeam(name: name, rank: rank)
                    try transaction.insert(team)
                    known.append(Known(model: "RankedTeam", id: team.id.keyBytes, name: name, rank: rank))
                case 1:
                    let person = RankedPerson(id: "same\(number / 6)\(number)", name: name, rank: rank)
                    try transaction.insert(person)
                    known.append(Known(model: "RankedPerson", id: person.id.keyBytes, name: name, rank: rank))
                default:
                    // Ids that a person may have too.
                    let book = RankedBook(id: number % 6 == 2 ? "same\((number - 1) / 6)\(number - 1)" : "b\(number)", name: name, rank: rank)
                    try transaction.insert(book)
                    known.append(Known(model: "RankedBook", id: book.id.keyBytes, name: name, rank: rank))
                }
            }
        }
        return known
    }

    private static func known(_ object: any SharedRanked) -> Known {
        let (model, id) = switch object {
        case let team as RankedTeam: ("RankedTeam", team.id.keyBytes)
        case let person as RankedPerson: ("RankedPerson", person.id.keyBytes)
        case let book as RankedBook: ("RankedBook", book.id.keyBytes)
        default: ("", [UInt8]())
        }
        return Known(model: model, id: id, name: object.name, rank: object.rank)
    }

    /// The order that is promised.
    private static func sorted(_ known: [Known], _ order: Int) -> [Known] {
        func isBefore(_ left: Known, _ right: Known) -> Bool {
            switch order {
            case 1 where left.name != right.name: return left.name < right.name
            case 2 where left.rank != right.rank: return (left.rank ?? .min) > (right.rank ?? .min)
            case 3 where left.name != right.name: return left.name > right.name
            case 3 where left.rank != right.rank: return (left.rank ?? .min) < (right.rank ?? .min)
            default: break
            }
            if left.model != right.model { return left.model < right.model }
            return left.id.lexicographicallyPrecedes(right.id)
        }
        return known.sorted(by: isBefore)
    }

    private static func fetch<Source: ObjectSource>(_ source: Source, _ order: Int, _ condition: Int) -> MixedFetch<any SharedRanked, Source> {
        var fetch = source.fetchConforming(to: SharedRankedModels.self)
        switch order {
        case 1: fetch = fetch.sorted(by: \.name)
        case 2: fetch = fetch.sorted(by: \.rank, .descending)
        case 3: fetch = fetch.sorted(by: \.name, .descending).sorted(by: \.rank)
        default: break
        }
        return switch condition {
        case 1: fetch.where { $0.name == "n3" }
        case 2: fetch.where { $0.rank > 0 || $0.name.hasPrefix("n4") }
        case 3: fetch.where { $0.rank == nil }
        default: fetch
        }
    }

    private static func passes(_ known: Known, _ condition: Int) -> Bool {
        switch condition {
        case 1: known.name == "n3"
        case 2: known.rank ?? 0 > 0 || known.name.hasPrefix("n4")
        case 3: known.rank == nil
        default: true
        }
    }

    @Test(arguments: Engine.allCases) func ordersAndWindows(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        let store = fixture.store
        let known = try Self.fill(store, count: 240)
        for order in 0...3 {
            for condition in 0...3 {
                let wanted = Self.sorted(known.filter { Self.passes($0, condition) }, order)
                let fetch = Self.fetch(store, order, condition)
                #expect(try fetch.all().map(Self.known) == wanted, "order \(order), condition \(condition)")
                #expect(try fetch.count() == wanted.count && fetch.exists())
                #expect(try fetch.references().map(\.keyBytes) == wanted.map(\.id))
                #expect(try fetch.first().map(Self.known) == wanted.first)
                for (offset, limit) in [(0, 5), (7, 11), (50, 3), (0, 0), (1_000, 4)] {
                    let part = Array(wanted.dropFirst(offset).prefix(limit))
                    #expect(try fetch.offset(offset).limit(limit).all().map(Self.known) == part)
                    #expect(try fetch.offset(offset).limit(limit).count() == part.count)
                }
                var given: [Known] = []
                try fetch.forEach { object, stop in
                    given.append(Self.known(object))
                    stop = given.count == 33
                }
                #expect(given == Array(wanted.prefix(33)))
                for size in [1, 7, 100] {
                    var (pages, next): ([Known], ContinuationToken?) = ([], nil)
                    repeat {
                        let page = try fetch.page(size, after: next)
                        #expect(page.objects.count == size || page.next == nil)
                        pages += page.objects.map(Self.known)
                        next = page.next
                    } while next != nil
                    #expect(pages == wanted, "order \(order), condition \(condition), pages of \(size)")
                }
                #expect(try store.read { try Self.fetch($0, order, condition).count() } == wanted.count)
            }
        }
    }

    @Test(arguments: Engine.allCases) func accentsAreIgnoredAcrossModels(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        let both: TextFolding = [.case, .diacritics]
        try fixture.store.write { transaction in
            for name in ["zoe", "Émile"] { try transaction.insert(RankedTeam(name: name, rank: nil)) }
            for name in ["Zoë", "EMIL"] { try transaction.insert(RankedPerson(id: name, name: name, rank: nil)) }
            try transaction.insert(RankedBook(id: "b", name: "emily", rank: nil))
        }
        let fetch = fixture.store.fetchConforming(to: SharedRankedModels.self)
        let names = ["EMIL", "Émile", "emily", "Zoë", "zoe"]
        #expect(try fetch.sorted(by: \.name, ignoring: both).all().map(\.name) == names)
        #expect(try fetch.sorted(by: { $0.name }, .descending, ignoring: both).limit(2).all().map(\.name) == ["Zoë", "zoe"], "equals go by their models")
        #expect(try fetch.where { $0.name.hasPrefix("émil", ignoring: both) }.count() == 3)
        withExtendedLifetime(fixture) {}
    }

    /// Between pages objects go and come: none that stays is left out or comes twice.
    @Test(arguments: Engine.allCases) func pagesBesideChanges(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        let store = fixture.store
        for order in 0...3 {
            try store.write { _ = try $0.deleteAll(RankedTeam.self) + $0.deleteAll(RankedPerson.self) + $0.deleteAll(RankedBook.self) }
            var left = try Self.fill(store, count: 120, seed: UInt64(order))
            let stays = Set(left)
            var generator = SeededGenerator(seed: UInt64(order) + 100)
            var (given, gone, next): ([Known], Set<Known>, ContinuationToken?) = ([], [], nil)
            repeat {
                let page = try Self.fetch(store, order, 0).page(5, after: next)
                given += page.objects.map(Self.known)
                next = page.next
                // The last that was given, and any other.
                for known in [given.last, left.randomElement(using: &generator)].compactMap(\.self) where !gone.contains(known) {
                    gone.insert(known)
                    left.removeAll { $0 == known }
                    try store.write { _ = try $0.delete([AnyReference(modelName: known.model, keyBytes: known.id)]) }
                }
                try store.save(RankedTeam(name: "n\(Int.random(in: 0..<6, using: &generator))", rank: nil))
            } while next != nil
            #expect(Set(given).count == given.count)
            #expect(Set(given).isSuperset(of: stays.subtracting(gone)))
            let old = given.filter { stays.contains($0) }
            #expect(old == Self.sorted(old, order))
        }
    }

    /// Numbers of two types stand in one order, also from page to page.
    @Test(arguments: Engine.allCases) func valuesOfDifferentTypes(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        let store = fixture.store
        for number in 0..<40 {
            try store.save(RankedPerson(id: "p\(number)", name: "x", rank: number % 13 == 12 ? nil : number % 13))
            try store.save(RankedHorse(name: "x", rank: Double(number % 20) / 2))
        }
        func value(_ object: any Model) -> Double? { (object as? RankedPerson)?.rank.map(Double.init) ?? (object as? RankedHorse)?.rank }
        let fetch = store.fetchModels(RankedPerson.self, RankedHorse.self).sorted(using: [SortKey(FieldPath("rank"))])
        let all = try fetch.all()
        let values = all.map { value($0) ?? -1 }
        #expect(all.count == 80 && values == values.sorted())
        // Of equal ones the horses come first.
        let threes = all.filter { value($0) == 3 }.map { $0 is RankedHorse }
        #expect(threes == threes.sorted { $0 && !$1 })
        for size in [1, 9] {
            var (pages, next): ([[UInt8]], ContinuationToken?) = ([], nil)
            repeat {
                let page = try fetch.page(size, after: next)
                pages += page.objects.map { ($0 as? RankedPerson)?.id.keyBytes ?? ($0 as? RankedHorse)?.id.keyBytes ?? [] }
                next = page.next
            } while next != nil
            #expect(pages == all.map { ($0 as? RankedPerson)?.id.keyBytes ?? ($0 as? RankedHorse)?.id.keyBytes ?? [] })
        }
        #expect(try fetch.matching("rank > ? limit 3", 8.4).all().map { value($0) } == [8.5, 8.5, 9])
    }

    /// Ids, and properties that are ids, are in order without an index.
    @Test(arguments: Engine.allCases) func sortsByID(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        let known = try Self.fill(fixture.store, count: 120).filter { $0.model != "RankedTeam" }
        func pages<Object, Source>(_ fetch: MixedFetch<Object, Source>, _ size: Int) throws -> [Object] {
            var (pages, next): ([Object], ContinuationToken?) = ([], nil)
            repeat {
                let page = try fetch.page(size, after: next)
                pages += page.objects
                next = page.next
            } while next != nil
            return pages
        }
        for direction in [SortDirection.ascending, .descending] {
            let fetch = fixture.store.fetchModels(RankedPerson.self, RankedBook.self).sorted(using: [SortKey(.id, direction)])
            let wanted = known.sorted { left, right in
                if left.id == right.id { return left.model < right.model }
                return left.id.lexicographicallyPrecedes(right.id) == (direction == .ascending)
            }
            for size in [1, 7, 200] {
                let ids = try pages(fetch, size).map { ($0 as? RankedPerson)?.id.keyBytes ?? ($0 as? RankedBook)?.id.keyBytes ?? [] }
                #expect(ids == wanted.map(\.id), "\(direction), pages of \(size)")
            }
            // Ids of two types.
            let three = fixture.store.fetchConforming(to: SharedRankedModels.self).sorted(using: [SortKey(.id, direction)])
            #expect(try pages(three, 9).map(Self.known) == three.all().map(Self.known))
        }

        let entries = try sharedMediaFixture(engine)
        let context = ObjectContext(entries.store)
        for number in 0..<30 {
            try context.insert([SharedVisit(city: "c\(number % 4)", number: number), SharedCall(city: "c\(number % 5)", number: number)])
        }
        try context.save()
        for direction in [SortDirection.ascending, .descending] {
            let byCity = context.fetchAny(SharedEntry.self).sorted(by: \.city, direction)
            let all = try byCity.all()
            let cities = all.map(\.city)
            #expect(cities == (direction == .ascending ? cities.sorted() : cities.sorted(by: >)) && cities.count == 60)
            for size in [1, 7] { #expect(try pages(byCity, size) == all, "\(direction), pages of \(size)") }
            let byID = context.fetchAny(SharedEntry.self).sorted(by: \.id, direction)
            #expect(try pages(byID, 7) == byID.all())
            let byBoth = context.fetchAny(SharedEntry.self).sorted(by: \.city, direction).sorted(by: \.number, direction)
            #expect(try pages(byBoth, 7) == byBoth.all())
        }
    }

    @Test(arguments: Engine.allCases) func indexesAreUsedInEach(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        _ = try Self.fill(fixture.store, count: 300)
        let plans = try fixture.store.fetchConforming(to: SharedRankedModels.self).where { $0.name == "n3" && $0.rank == 1 }.explain().map(\.description)
        #expect(plans.count == 3)
        #expect(plans[1].contains("index 'rank'") && plans[2].contains("index 'name'"), "\(plans)")
        let sorted = try fixture.store.fetchConforming(to: SharedRankedModels.self).sorted(by: \.rank).limit(3).explain().map(\.description)
        #expect(sorted[1].contains("index 'rank'"), "\(sorted)")
        // What is explained is what runs, also for a later page and a window.
        for fetch in [Self.fetch(fixture.store, 1, 0), Self.fetch(fixture.store, 0, 0)] {
            let next = try #require(try fetch.page(150).next)
            #expect(try fetch.after(next).explain().count == 3)
            #expect(try fetch.offset(120).limit(2).explain().allSatisfy { !$0.description.contains("pass over") })
        }
    }

    @Test(arguments: Engine.allCases) func classesWithPendingChanges(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store)
        for number in 0..<30 {
            let song = SharedSong(title: "s\(number)", year: 1900 + number)
            song.seconds = number
            try context.insert([song, SharedFilm(title: "f\(number)", year: 1915 + number)])
        }
        try context.save()
        let media = context.fetchAny(SharedMedia.self)
        let last: [SharedMedia] = try media.sorted(by: \.year, .descending).sorted(by: \.title).limit(3).all()
        #expect(last.map(\.title) == ["f29", "f28", "f27"])
        last[0].year = 1
        try context.insert(SharedThing(title: "s5", year: 1905))
        #expect(try media.sorted(by: \.year).first() === last[0])
        #expect(try media.where { $0.title == "s5" }.all().map { type(of: $0) == SharedSong.self } == [true, false])
        #expect(try media.count() == 61 && context.saved.fetchAny(SharedMedia.self).count() == 60)
        #expect(try context.fetchAny(SharedAudio.self).where { $0.seconds >= 28 && $0.title.hasPrefix("s") }.all().map(\.seconds).sorted() == [28, 29])
        // One object for each record.
        #expect(try context.fetch(SharedFilm.self).where { $0.title == "f29" }.first() === last[0])
        #expect(try context.fetchAny(SharedSong.self).where { $0.plays == 0 && $0.year > 1925 }.count() == 4)
        try media.where { $0.title.hasPrefix("s2") }.forEach { object, _ in
            object.title += "!"
            try context.save()
        }
        #expect(try media.where { $0.title == "s29!" }.count() == 1)
        var (seen, next): ([String], ContinuationToken?) = ([], nil)
        repeat {
            let page = try media.sorted(by: \.title).page(8, after: next)
            seen += page.objects.map(\.title)
            next = page.next
        } while next != nil
        #expect(seen == seen.sorted() && seen.count == 61)
    }

    @Test(arguments: Engine.allCases) func recordsByName(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        try fixture.store.save([RankedPerson(id: "1", name: "Ada", rank: 3), RankedPerson(id: "2", name: "Bill", rank: nil)])
        try fixture.store.save(RankedTeam(name: "Ada", rank: 1, city: "Rome"))
        let notes = fixture.store.documents("notes")
        try notes.save(Document(["name": "Ada", "rank": 2]))
        let names = ["RankedPerson", "RankedTeam", "notes", "RankedTeam"]
        let records = try fixture.store.fetchRecords(of: names).matching("name = ? order by rank", "Ada").all()
        #expect(records.map(\.modelName) == ["RankedTeam", "notes", "RankedPerson"])
        #expect(records[0]["city"] == .string("Rome") && records[2]["rank"] == .int(3))
        #expect(try fixture.store.fetchRecords(of: names).count() == 4)
        // A program that has one of the models.
        try fixture.reopenStore { try ObjectStore($0, models: RankedTeam.self) }
        #expect(try fixture.store.fetchRecords(of: names).matching("name = ? order by rank", "Ada").all().map(\.modelName) == ["RankedTeam", "notes", "RankedPerson"])
        #expect(try fixture.store.fetchRecords(of: names).where(.isNil(FieldPath("rank"))).all().map { $0["name"] } == [.string("Bill")])
        for (fetch, count) in [(["RankedPerson"], 2), (["RankedTeam"], 1), (["notes"], 1)] { #expect(try fixture.store.fetchRecords(of: fetch).count() == count) }
        #expect(message { _ = try fixture.store.fetchRecords(of: ["nothing"]).all() }.contains("nothing"))
        #expect(message { _ = try fixture.store.fetchRecords(of: ["$blobs"]).all() }.contains("$blobs"))
    }

    /// Records of a model that the program does not have, in three layouts: each as it was stored, so that saving it loses nothing; conditions see them all.
    @Test(arguments: Engine.allCases) func recordsInOldLayouts(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Animal.self) }
        try fixture.store.save(First.Animal(id: 1, name: "cat", legs: 4))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Second.Animal.self) }
        try fixture.store.save(Second.Animal(id: 2, legs: 2.5, name: "bird", wings: 2))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Third.Animal.self) }
        try fixture.store.save(Third.Animal(id: 3, called: "ant", legs: 6, eyes: 2))
        try fixture.reopenStore { try ObjectStore($0, models: RankedTeam.self) }
        let fetch = fixture.store.fetchRecords(of: ["Animal"])
        let records = try fetch.sorted(using: [SortKey(FieldPath("legs"))]).all()
        #expect(records.map { $0["legs"] } == [.double(2.5), .int(4), .double(6)])
        #expect(records.map { $0["wings"] } == [.int(2), nil, nil] && records.map(\.version) == [1, 1, 2])
        // By the name that the newest layout has.
        #expect(try fetch.matching("called = 'cat'").all().map { $0["name"] } == [.string("cat")])
        #expect(try fetch.where(.isNil(FieldPath("eyes"))).count() == 2)
        try fixture.store.write { transaction in for record in records { try transaction.save(record) } }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Third.Animal.self) }
        let animals = try fixture.store.fetch(Third.Animal.self).all()
        #expect(animals.map(\.called) == ["cat!", "bird!", "ant"] && animals.map(\.legs) == [4, 2.5, 6] && animals.map(\.eyes) == [1, 1, 2])
    }

    @Test(arguments: Engine.allCases) func writesDuringAWalk(engine: Engine) throws {
        let fixture = try rankedFixture(engine)
        let known = try Self.fill(fixture.store, count: 90)
        try fixture.store.write { transaction in
            var count = 0
            try transaction.fetchConforming(to: SharedRankedModels.self).sorted(by: \.name).forEach { object, _ in
                count += 1
                if let team = object as? RankedTeam { try transaction.save(RankedTeam(name: "z" + team.name, rank: 0, id: team.id)) }
            }
            #expect(count == known.count)
        }
        #expect(try fixture.store.fetchConforming(to: SharedRankedModels.self).where { $0.name.hasPrefix("z") }.count() == 30)
    }

    @Test func mistakes() throws {
        let fixture = try rankedFixture(.memory)
        let store = fixture.store
        _ = try Self.fill(store, count: 30)
        #expect(message { _ = try ObjectContext(store).fetchAny(SharedMedia.self).all() }.contains("no model that the store was opened with is of 'SharedMedia'"))
        #expect(message { _ = try store.fetchModels(SharedSong.self, RankedTeam.self).all() }.contains("SharedSong"))
        let told = message { _ = try store.fetchModels(RankedTeam.self, RankedPerson.self).matching("city = ?", "Rome").all() }
        #expect(told.contains("RankedPerson") && told.contains("city"), "\(told)")
        // Whether or not the run comes to the model that has the mistake, or there are objects of it.
        #expect(message { _ = try store.fetchModels(RankedTeam.self, RankedBook.self).matching("city = ''").first() }.contains("RankedBook"))
        #expect(message { _ = try store.fetchModels(RankedTeam.self, RankedHorse.self).matching("city = ''").all() }.contains("RankedHorse"))
        #expect(message { _ = try store.fetchModels(RankedTeam.self, RankedHorse.self).matching("city = '' order by name").all() }.contains("RankedHorse"))
        #expect(message { _ = try store.fetchConforming(to: SharedRankedModels.self).limit(-1).all() }.contains("its limit is -1, but must be 0 or more"))
        for limit in [-1, -5] {
            #expect(
                message { _ = try store.fetchConforming(to: SharedRankedModels.self).limit(limit).page(10) }
                    .contains("its limit is \(limit), but must be 0 or more"))
        }
        #expect(message { _ = try store.fetchConforming(to: SharedRankedModels.self).page(0) }.contains("a page has 0 objects, but must have 1 or more"))
        let token = try #require(try store.fetchConforming(to: SharedRankedModels.self).sorted(by: \.name).page(3).next)
        #expect(throws: TroveError.self) { try store.fetchConforming(to: SharedRankedModels.self).page(3, after: token) }
        #expect(throws: TroveError.self) { try store.fetchModels(RankedTeam.self, RankedPerson.self).sorted(using: [SortKey(FieldPath("name"))]).page(3, after: token) }
        #expect(throws: TroveError.self) { try store.fetch(RankedTeam.self).sorted(by: \.name).page(3, after: token) }
        let single = try #require(try store.fetch(RankedTeam.self).sorted(by: \.name).page(3).next)
        #expect(throws: TroveError.self) { try store.fetchModels(RankedTeam.self).sorted(using: [SortKey(FieldPath("name"))]).page(3, after: single) }
        #expect(throws: TroveError.self) { try store.fetchConforming(to: SharedRankedModels.self).sorted(by: \.name).deadline(.zero).all() }
    }

    @Test(arguments: Engine.allCases) func asynchronousTwins(engine: Engine) async throws {
        let fixture = try rankedFixture(engine)
        let store = fixture.store
        let known = try Self.fill(store, count: 60)
        let fetch = Self.fetch(store, 1, 0)
        #expect(try await fetch.count() == known.count)
        #expect(try await fetch.references().count == known.count)
        let people = store.fetchRecords(of: ["RankedPerson", "RankedBook"])
        let records = try await people.all()
        #expect(records.count == 40)
        #expect(try await people.first() == records.first)
        #expect(try await people.page(40).next == nil)
        #expect(try await people.exists())
        #expect(try await people.explain().count == 2)
        let task = Task { try await people.all() }
        task.cancel()
        _ = await task.result
    }
}

/// What a ``TroveError`` says; nothing when there is none.
private func message(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch {
        return error is TroveError ? "\(error)" : "not a TroveError: \(type(of: error))"
    }
}

private enum First {
    @Model("Animal")
    struct Animal {
        var id: Int
        var name: String
        var legs: Int32
    }
}

private enum Second {
    @Model("Animal")
    struct Animal {
        var id: Int
        var legs: Double
        var name: String
        var wings: Int?
    }
}

private enum Third {
    @Model("Animal", version: 2)
    struct Animal {
        var id: Int
        @Attribute(originalName: "name") var called: String
        var legs: Double
        var eyes = 1

        mutating func upgrade(from old: StoredRecord) throws { called += "!" }
    }
}
