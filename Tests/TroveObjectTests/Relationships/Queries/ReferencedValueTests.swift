import Foundation
import TestSupport
import Testing
import TroveTesting

@testable import Trove

/// Sorts, selections, groups and aggregates through references, compared with plain Swift on the same objects.
@Suite struct ReferencedValueTests {
    /// A path, and the value there in plain Swift.
    struct Place: Sendable {
        let path: FieldPath
        let value: @Sendable (Piece, PlainLibrary) -> StoredValue

        init(_ path: String, _ value: @escaping @Sendable (Piece, PlainLibrary) -> StoredValue) {
            self.path = FieldPath(path)
            self.value = value
        }

        init(counted path: String, _ value: @escaping @Sendable (Piece, PlainLibrary) -> StoredValue) {
            self.path = FieldPath(path).counted
            self.value = value
        }
    }

    static let places: [Place] = [
        Place("album.title") { stored($1.disc($0.album)?.title) },
        Place("album.year") { stored($1.disc($0.album)?.year) },
        Place("album.artist.name") { stored($1.composer($1.disc($0.album)?.artist)?.name) },
        Place("album.artist.mentor.born") { stored($1.composer($1.composer($1.disc($0.album)?.artist)?.mentor)?.born) },
        Place("album.artist") { stored($1.disc($0.album)?.artist?.id) },
        Place("album.artist.id") { stored($1.disc($0.album)?.artist?.id) },
        Place("album.id") { piece, _ in stored(piece.album.map { Int($0.id) }) },
        Place("original.album.id") { stored($1.piece($0.original)?.album.map { Int($0.id) }) },
        Place("album.labels[0]") { stored($1.disc($0.album)?.labels.first) },
        Place(counted: "album.labels") { stored($1.disc($0.album)?.labels.count) },
        Place("edition.printed") { stored($1.printing($0.edition)?.printed) },
        Place("edition.of.title") { stored($1.disc($1.printing($0.edition)?.of)?.title) },
        Place("original.title") { stored($1.piece($0.original)?.title) },
        Place("original.original.rank") { stored($1.piece($1.piece($0.original)?.original)?.rank) },
        Place("roles.p.name") { stored($1.composer($0.roles["p"])?.name) },
        Place("writers[0].name") { stored($1.composer($0.writers.first)?.name) },
        Place("writers[1].mentor.name") { stored($1.composer($1.composer($0.writers.dropFirst().first)?.mentor)?.name) },
        Place("original.writers[0].born") { stored($1.composer($1.piece($0.original)?.writers.first)?.born) },
        Place("rank") { piece, _ in stored(piece.rank) },
    ]

    /// Makes a library of about a hundred objects with dangling references, and asks `body` of several states of it.
    private func withLibraries(_ engine: Engine, seed: UInt64, _ body: (ReadTransaction, PlainLibrary, inout RandomLibrary) throws -> Void) throws {
        let fixture = try StoreFixture(engine, Library.open)
        var random = RandomLibrary(seed: seed)
        for _ in 0..<4 {
            try fixture.store.write { transaction in
                var changed = random
                for _ in 0..<24 { try changed.change(transaction) }
                random = changed
            }
            let plain = PlainLibrary(library: random)
            try fixture.store.read { snapshot in try body(snapshot, plain, &random) }
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.allCases)
    func sortsAgreeWithPlainSwift(_ engine: Engine) throws {
        try withLibraries(engine, seed: 31) { snapshot, plain, random throws in
            for place in Self.places {
                for direction in [SortDirection.ascending, .descending] {
                    let wanted = Self.sorted(Array(plain.library.tunes.values), plain, [(place, direction)]).map(\.id)
                    let fetch = snapshot.fetch(Piece.self).sorted(using: [SortKey(place.path, direction)])
                    #expect(try fetch.ids() == wanted, "\(place.path) \(direction)")
                    #expect(try fetch.all().map(\.id) == wanted, "\(place.path) \(direction)")
                    let (offset, limit) = (random.number(0...5), random.number(0...9))
                    #expect(try fetch.offset(offset).limit(limit).ids() == Array(wanted.dropFirst(offset).prefix(limit)), "\(place.path) \(direction)")
                    #expect(try fetch.last()?.id == wanted.last, "\(place.path) \(direction)")
                    #expect(try snapshot.fetchRecords(of: ["Piece"]).sorted(using: [SortKey(place.path, direction)]).references() == wanted.map { AnyReference(Piece.self, id: $0) })
                }
                // Behind a criterion that has an index, and with conditions.
                let second = random.pick(Self.places)
                let rank = Self.places[Self.places.count - 1]
                let mixed = snapshot.fetch(Piece.self).where { $0.rank > 0 }.sorted(by: \.rank).sorted(using: [SortKey(place.path, .descending), SortKey(second.path)])
                let some = plain.library.tunes.values.filter { $0.rank > 0 }
                let wanted = Self.sorted(some, plain, [(rank, .ascending), (place, .descending), (second, .ascending)]).map(\.id)
                #expect(try mixed.ids() == wanted, "\(place.path), \(second.path)")
                #expect(try mixed.limit(4).ids() == Array(wanted.prefix(4)), "\(place.path), \(second.path)")
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func pagesAgreeWithPlainSwift(_ engine: Engine) throws {
        try withLibraries(engine, seed: 32) { snapshot, plain, random throws in
            for place in Self.places {
                let second = random.pick(Self.places)
                let keys = [SortKey(place.path, .descending), SortKey(second.path)]
                let wanted = Self.sorted(Array(plain.library.tunes.values), plain, [(place, .descending), (second, .ascending)]).map(\.id)
                let fetch = snapshot.fetch(Piece.self).sorted(using: keys)
                var (found, records): ([Int], [AnyReference]) = ([], [])
                var token: ContinuationToken?
                repeat {
                    let page = try fetch.page(3, after: token)
                    found += page.objects.map(\.id)
                    if let token { #expect(try fetch.after(token).count() == wanted.count - found.count + page.objects.count) }
                    token = page.next
                } while token != nil
                repeat {
                    let page = try snapshot.fetchRecords(of: ["Piece"]).sorted(using: keys).page(4, after: token)
                    records += page.objects.map { AnyReference(modelName: "Piece", keyBytes: $0.key) }
                    token = page.next
                } while token != nil
                #expect(found == wanted, "\(keys.map(\.path))")
                #expect(records == wanted.map { AnyReference(Piece.self, id: $0) }, "\(keys.map(\.path))")
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func selectionsAgreeWithPlainSwift(_ engine: Engine) throws {
        try withLibraries(engine, seed: 33) { snapshot, plain, random throws in
            let paths = Self.places.map(\.path)
            let all = try snapshot.fetch(Piece.self).partial(paths)
            #expect(all.map(\.values) == Self.sorted(Array(plain.library.tunes.values), plain, []).map { piece in Self.places.map { $0.value(piece, plain) } })
            let (sort, chosen) = (random.pick(Self.places), [random.pick(Self.places), random.pick(Self.places)])
            let some = try snapshot.fetch(Piece.self).where { $0.rank > 0 }.sorted(using: [SortKey(sort.path, .descending)]).limit(7).partial(chosen.map(\.path))
            let wanted = Self.sorted(plain.library.tunes.values.filter { $0.rank > 0 }, plain, [(sort, .descending)]).prefix(7)
            #expect(some.map(\.values) == wanted.map { piece in chosen.map { $0.value(piece, plain) } }, "\(sort.path), \(chosen.map(\.path))")
        }
    }

    @Test(arguments: Engine.allCases)
    func groupsAgreeWithPlainSwift(_ engine: Engine) throws {
        try withLibraries(engine, seed: 34) { snapshot, plain, random throws in
            let year = Self.places[1]
            let aggregates: [RecordAggregate] = [
                .count, .sum(FieldPath("rank")), .sum(year.path), .average(year.path), .minimum(year.path), .maximum(year.path),
                .countDistinct(FieldPath("album.artist.name")),
            ]
            func values(_ pieces: [Piece]) -> [StoredValue] {
                let years = pieces.compactMap { plain.disc($0.album)?.year }
                return [
                    stored(pieces.count), stored(pieces.reduce(0) { $0 + $1.rank }), stored(years.reduce(0, +)),
                    years.isEmpty ? .null : .double(Double(years.reduce(0, +)) / Double(years.count)), stored(years.min()), stored(years.max()),
                    stored(Set(pieces.compactMap { plain.composer(plain.disc($0.album)?.artist)?.name }).count),
                ]
            }
            let all = Array(plain.library.tunes.values)
            #expect(try snapshot.fetchRecords(of: ["Piece"]).aggregate(aggregates).map(\.values) == [values(all)])
            for place in Self.places {
                let second = random.pick(Self.places)
                let groups = try snapshot.fetchRecords(of: ["Piece"]).aggregate(aggregates, by: [place.path, second.path])
                let wanted = Self.groups(all, plain, [place, second])
                #expect(groups.map(\.key) == wanted.map(\.key), "\(place.path), \(second.path)")
                #expect(groups.map(\.values) == wanted.map { values($0.pieces) }, "\(place.path), \(second.path)")
                // Of the first in an order.
                let first = try snapshot.fetchRecords(of: ["Piece"]).sorted(using: [SortKey(second.path)]).limit(6).aggregate([.count], by: [place.path])
                let few = Self.groups(Array(Self.sorted(all, plain, [(second, .ascending)]).prefix(6)), plain, [place])
                #expect(first.map(\.key) == few.map(\.key) && first.map(\.values) == few.map { [stored($0.pieces.count)] }, "\(place.path) of \(second.path)")
            }
        }
    }

    @Test func closuresTextAndJSONSayTheSame() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        var random = RandomLibrary(seed: 35)
        try fixture.store.write { transaction in for _ in 0..<60 { try random.change(transaction) } }
        let (plain, store) = (PlainLibrary(library: random), fixture.store)
        let wanted = Self.sorted(Array(random.tunes.values), plain, [(Self.places[2], .ascending), (Self.places[1], .descending)])
        let fetch = store.fetch(Piece.self).sorted { $0.album.artist.name }.sorted(by: { $0.album.year }, .descending)
        #expect(try fetch.all() == wanted)
        #expect(try store.fetch(Piece.self).matching("order by album.artist.name, album.year desc").all() == wanted)
        let query = fetch.query
        #expect(try Query(json: query.json()) == query && Query("Piece", criteria: "order by album.artist.name, album.year desc") == query)
        #expect(try store.fetch(Piece.self).sorted(by: \.album?.id).ids() == store.fetch(Piece.self).sorted(using: [SortKey(FieldPath("album"))]).ids())
        let rows = try fetch.select { ($0.id, $0.album.artist.name, $0.writers[0].name, $0.roles["p"].born) }.all()
        #expect(rows.map { $0.0 } == wanted.map(\.id) && rows.map { $0.1 } == wanted.map { plain.composer(plain.disc($0.album)?.artist)?.name })
        #expect(rows.map { $0.2 } == wanted.map { plain.composer($0.writers.first)?.name } && rows.map { $0.3 } == wanted.map { plain.composer($0.roles["p"])?.born })
        let groups = try store.fetch(Piece.self).grouped { $0.album.title }.aggregate(.count, .maximum { $0.album.year })
        for group in groups {
            let pieces = random.tunes.values.filter { plain.disc($0.album)?.title == group.key }
            #expect(group.values.0 == pieces.count && group.values.1 == pieces.compactMap { plain.disc($0.album)?.year }.max(), "\(group)")
        }
        #expect(groups.reduce(0) { $0 + $1.values.0 } == random.tunes.count)
        let titles: [String?] = try store.fetch(Piece.self).distinct { $0.album.title }
        #expect(titles == groups.map(\.key))
        #expect(try store.fetch(Piece.self).aggregate(.sum { $0.album.year }) == random.tunes.values.reduce(0) { $0 + (plain.disc($1.album)?.year ?? 0) })
    }

    @Test func eachObjectIsReadOnceInAFewRequests() throws {
        let backend = CountingBackend(MemoryBackend())
        let store = try ObjectStore(backend, models: Piece.self)
        try store.save((0..<20).map { Composer(id: "c\($0)", name: "name \($0 % 7)") })
        try store.save((0..<100).map { Disc(id: $0, title: "disc \($0 % 30)", artist: Reference(id: "c\($0 % 21)")) })
        try store.save((0..<2_000).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0 * 7 % 101)), original: Reference(id: 1)) })
        /// The requests that a query takes more than one that reads the same records.
        func more(_ read: () throws -> Void) rethrows -> Int {
            let plain = try backend.trips { _ = try store.fetch(Piece.self).partial("title") }
            return try backend.trips(read).total - plain.total
        }
        let fetch = store.fetch(Piece.self)
        // The albums, the artists behind them, the keyspaces of both.
        #expect(try more { _ = try fetch.select { ($0.album.title, $0.album.artist.name) }.all() } <= 4)
        #expect(try more { _ = try fetch.grouped { $0.album.artist.name }.aggregate(.count) } <= 4)
        // Sorted results are read again, 1,024 at once.
        #expect(try more { _ = try fetch.sorted { $0.album.artist.name }.sorted { $0.album.title }.ids() } <= 6)
        let sorted = try fetch.sorted { $0.album.artist.name }.limit(10).explain()
        // 101 albums, of which one is not stored, and 21 artists, of which one is not.
        #expect(sorted.steps.first { $0.kind == .follow }?.actualRows == 122, "\(sorted)")
        #expect(sorted.description.contains("follow references: album.artist.name"), "\(sorted)")
        #expect(try fetch.select { $0.album.title }.explain().steps.first?.actualRows == 101)
        // A path that is named twice is followed once.
        let twice = try fetch.grouped { $0.album.title }.explain(.maximum { $0.album.title }, .minimum { $0.album.title })
        #expect(twice.description.contains("follow references: album.title") && !twice.description.contains("album.title, album.title"), "\(twice)")
        let step = try #require(try fetch.select { ($0.album.title, $0.album.artist.name, $0.album.title) }.explain().steps.first { $0.kind == .follow })
        #expect(step.summary == "follow references: album.title, album.artist.name")
        let rows = try fetch.limit(30).select { ($0.album.title, $0.album.title, $0.album.artist.name, $0.album.artist.name) }.all()
        #expect(rows.count == 30 && rows.allSatisfy { $0.0 != nil && $0.0 == $0.1 && $0.2 == $0.3 })
        #expect(try fetch.grouped { $0.album.title }.explain(.count).steps.map(\.kind).prefix(2) == [.group, .follow])
        let planned = try #require(try fetch.sorted { $0.album.title }.explain(running: false).steps.first { $0.kind == .follow })
        #expect(planned.actualRows == nil)
        #expect(try !fetch.sorted { $0.album.id }.explain().steps.contains { $0.kind == .follow })
    }

    @Test func indexesOfReferencesAnswerTheirIDs() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let store = fixture.store
        try store.save((0..<500).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0 % 9)), original: Reference(id: 1)) })
        let fetch = store.fetch(Piece.self).sorted { $0.album.id }.limit(3)
        #expect(try fetch.explain().indexes == ["references of album"])
        #expect(try fetch.ids() == [0, 9, 18])
        #expect(try store.fetch(Piece.self).grouped { $0.album.id }.aggregate().map(\.key) == (0..<9).map { Optional(Int16($0)) })
    }

    @Test(arguments: Engine.allCases)
    func writesSeeTheirOwnChanges(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine, Library.open)
        try fixture.store.write { transaction in
            try transaction.save((1...4).map { Disc(id: $0, title: "disc \(9 - $0)") })
            try transaction.save((1...8).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0 % 5)), original: Reference(id: 1)) })
            #expect(try transaction.fetch(Piece.self).sorted { $0.album.title }.ids() == [5, 4, 3, 8, 2, 7, 1, 6])
            try transaction.save(Disc(id: 1, title: "disc 0"))
            #expect(try transaction.fetch(Piece.self).sorted { $0.album.title }.ids() == [5, 1, 6, 4, 3, 8, 2, 7])
            #expect(try transaction.fetch(Piece.self).sorted(by: { $0.album.title }, .descending).limit(3).delete() == 3)
            #expect(try transaction.fetch(Piece.self).ids() == [1, 4, 5, 6, 8])
        }
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.allCases)
    func severalModelsAreSortedTogether(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: OneSide.self, OtherSide.self) }
        let store = fixture.store
        try store.save((1...6).map { Disc(id: $0, title: "disc \(($0 * 5) % 7)") })
        try store.save((0..<40).map { OneSide(id: $0, album: $0 % 4 == 0 ? nil : Reference(id: Int16($0 % 8))) })
        try store.save((0..<40).map { OtherSide(id: $0, album: Reference(id: Int16($0 * 3 % 8))) })
        func title(_ id: Int?) -> StoredValue { id.map { (1...6).contains($0) ? .string("disc \(($0 * 5) % 7)") : .null } ?? .null }
        let all = (0..<40).map { ("OneSide", $0, title($0 % 4 == 0 ? nil : $0 % 8)) } + (0..<40).map { ("OtherSide", $0, title($0 * 3 % 8)) }
        let wanted = all.sorted { left, right in
            let order = compare(left.2, right.2)
            return order != 0 ? order > 0 : (left.0, left.1) < (right.0, right.1)
        }.map { "\($0.0) \($0.1)" }
        let fetch = store.fetchModels(OneSide.self, OtherSide.self).sorted(using: [SortKey(FieldPath("album.title"), .descending)])
        func names(_ objects: [any Model]) -> [String] {
            objects.map { ($0 as? OneSide).map { "OneSide \($0.id)" } ?? "OtherSide \(($0 as? OtherSide)?.id ?? -1)" }
        }
        #expect(try names(fetch.all()) == wanted)
        var (found, token): ([String], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(7, after: token)
            found += names(page.objects)
            token = page.next
        } while token != nil
        #expect(found == wanted)
    }

    @Test func tokensTellTheTypeBehindReferences() throws {
        let backend = MemoryBackend()
        let store = try ObjectStore(backend, models: OneSide.self)
        try store.save((1...3).map { Disc(id: $0, title: "disc \($0)", year: 1950 + Int($0)) })
        try store.save((1...3).map { OneSide(id: $0, album: Reference(id: Int16($0))) })
        let byTitle = try #require(try store.fetch(OneSide.self).sorted { $0.album.title }.page(1).next)
        #expect(throws: TroveError.self) { try store.fetch(OneSide.self).sorted { $0.album.year }.page(1, after: byTitle) }
        #expect(try store.fetch(OneSide.self).sorted { $0.album.title }.page(2, after: byTitle).objects.map(\.id) == [2, 3])
        let binding = try store.read { try $0.open(OneSide.self).binding }
        func fingerprint(_ path: String) throws -> UInt64 {
            let query = Query("OneSide", sort: [SortKey(FieldPath("album.title"))])
            return try store.read { transaction in
                let (encoder, _) = try transaction.encoder(of: [SortKey(FieldPath(path))], transaction.open(OneSide.self))
                return try QueryFingerprint.of(query, in: binding.schema, sortedBy: encoder)
            }
        }
        #expect(try fingerprint("album.title") != fingerprint("album.year"))
    }

    @Test(arguments: Engine.allCases)
    func observersHearOfTheOrder(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine, Library.open)
        let store = fixture.store
        try await store.save([Disc(id: 1, title: "b"), Disc(id: 2, title: "c")])
        try await store.save([1, 2].map { Piece(id: $0, title: "Solar", album: Reference(id: Int16($0)), original: Reference(id: 1)) })
        var changes = store.observeChanges(of: store.fetch(Piece.self).sorted { $0.album.title }).makeAsyncIterator()
        #expect(try await changes.next()?.inserted.map(\.object.id) == [1, 2])
        try await store.save(Disc(id: 2, title: "a"))
        #expect(try await changes.next()?.moved.count == 1)
        withExtendedLifetime(fixture) {}
    }

    /// The reference and the id in it are values of the object: changes of what it points at concern nobody.
    @Test func referencesAloneLookAtNoOtherModel() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let core = fixture.store.core
        let binding = try fixture.store.read { try $0.open(Piece.self).binding }
        func models(_ criteria: String) throws -> Set<String> {
            var draft = QueryDraft("Piece")
            draft.query = try Query("Piece", criteria: criteria)
            let names = try ObservedModels(of: draft, core).names
            #expect(try Set(core.observedFilters(of: draft.query, binding).keys) == names, "\(criteria)")
            return names
        }
        for own in ["album.id = 1", "writers[0] = 'a'", "writers[0].id = 'a'", "roles.p = 'a'", "any guests = 'a'", "rank > 1 order by album.id, writers[0], roles.p.id"] {
            #expect(try models(own) == ["Piece"], "\(own)")
        }
        #expect(try models("album.title = 'a'") == ["Piece", "Disc"])
        #expect(try models("original.album.id = 1 and not writers[0].name = 'a'") == ["Piece", "Composer"])
        #expect(try models("album.artist.name = 'a'") == ["Piece", "Disc", "Composer"])
        #expect(try models("rank = 1 order by roles.p.mentor.name") == ["Piece", "Composer"])
    }

    @Test(arguments: Engine.allCases)
    func observersOfReferencesHearOfTheirObjects(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine, Library.open)
        let store = fixture.store
        var changes = store.observeChanges(of: store.fetch(Piece.self).where { $0.album.id == 1 }.sorted { $0.album.id }).makeAsyncIterator()
        #expect(try await changes.next()?.inserted.isEmpty == true)
        try await store.save(Piece(id: 1, title: "Solar", album: Reference(id: 2), original: Reference(id: 1)))
        try await store.save(Piece(id: 2, title: "Solar", album: Reference(id: 1), original: Reference(id: 1)))
        #expect(try await changes.next()?.inserted.map(\.object.id) == [2])
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.persistent)
    func recordsOfEarlierVersionsAreUpgraded(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Earlier.Tape.self) }
        try fixture.store.save((1...4).map { Earlier.Label(id: $0, name: "name \(9 - $0)") })
        try fixture.store.save((0..<10).map { Earlier.Tape(id: $0, label: Reference(id: $0 % 6)) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Later.Tape.self) }
        let store = fixture.store
        // Some are of the version of now.
        try store.save(Later.Label(id: 2, title: "Name 10"))
        let wanted = [0, 5, 6, 2, 8, 4, 3, 9, 1, 7]
        #expect(try store.fetch(Later.Tape.self).sorted { $0.label.title }.ids() == wanted)
        #expect(try store.fetch(Later.Tape.self).grouped { $0.label.title }.aggregate(.count).map(\.key) == [nil, "Name 10", "Name 5", "Name 6", "Name 8"])
    }

    @Test func aFailureOfAnyReadIsTold() throws {
        let faults = FaultInjector()
        let store = try ObjectStore(FaultInjectingBackend(MemoryBackend(), faults: faults), models: Piece.self)
        try store.save((0..<20).map { Composer(id: "c\($0)", name: "name") })
        try store.save((0..<300).map { Disc(id: $0, title: "disc \($0 % 30)", artist: Reference(id: "c\($0 % 20)")) })
        try store.save((0..<300).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0)), original: Reference(id: 1)) })
        let wanted = (0..<300).sorted { ("disc \($0 % 30)", $0) < ("disc \($1 % 30)", $1) }
        func expectRows(_ comment: Comment) throws {
            let rows = try store.fetch(Piece.self).sorted { $0.album.title }.select { ($0.id, $0.album.artist.name) }.all()
            #expect(rows.map { $0.0 } == wanted && rows.allSatisfy { $0.1 == "name" }, comment)
        }
        // What is read once for a store is known then.
        try expectRows("the first time")
        faults.arm(FaultPlan(.nth(.max), at: [.read]))
        try expectRows("no failure")
        let calls = faults.callCount
        faults.disarm()
        // A call of each album and each artist, and those for the records.
        #expect(calls >= 320)
        for number in 1...calls where number < 8 || number % 37 == 0 || number > calls - 3 {
            faults.arm(FaultPlan(.nth(number), at: [.read]))
            #expect(throws: (any Error).self, "call \(number)") { try expectRows("call \(number)") }
            #expect(faults.faultCount == 1, "call \(number)")
            faults.disarm()
            try expectRows("behind call \(number)")
        }
    }

    /// Also while it reads the last objects behind references, when all records are read.
    @Test(arguments: Engine.allCases) func aReadEndsWithItsTaskOrItsTime(engine: Engine) throws {
        let count = 250
        var opened: InterveningReadBackend?
        let fixture = try StoreFixture(engine) {
            let backend = InterveningReadBackend($0, at: "Disc")
            opened = backend
            return try Library.open(backend)
        }
        let (store, backend) = (fixture.store, try #require(opened))
        try store.save((0..<count).map { Disc(id: Int16($0), title: "disc \($0)") })
        try store.save((0..<count).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0)), original: Reference(id: 1)) })
        let fetch = store.fetch(Piece.self).sorted { $0.album.title }
        backend.intervene {}
        #expect(try fetch.ids().count == count && backend.valueCount == count)
        let interruption = Interruption()
        backend.intervene { interruption.raise() }
        #expect(throws: CancellationError.self) { try Interruption.$current.withValue(interruption) { _ = try fetch.ids() } }
        #expect((1..<count).contains(backend.valueCount))
        let deadline = Duration.milliseconds(200)
        // The read has begun before.
        backend.intervene {
            let end = ContinuousClock.now + deadline
            while ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.001) }
        }
        #expect {
            _ = try fetch.deadline(deadline).ids()
        } throws: {
            if case TroveError.deadlineExceeded = $0 { true } else { false }
        }
        #expect(backend.valueCount < count)
    }

    /// Objects of a request that ended early are not taken for read.
    @Test func whatWasNotReadIsReadTheNextTime() throws {
        let count = 250
        let backend = InterveningReadBackend(MemoryBackend(), at: "Disc")
        let store = try Library.open(backend)
        try store.save((0..<count).map { Disc(id: Int16($0), title: "disc \($0)") })
        try store.save((0..<count).map { Piece(id: $0, title: "piece", album: Reference(id: Int16($0)), original: Reference(id: 1)) })
        let interruption = Interruption()
        try store.read { snapshot in
            let (model, path) = (try snapshot.open(Piece.self), FieldPath("album.title"))
            let values = try #require(try snapshot.referencedValues(model, at: [path]))
            let reader = try values.reader(of: path)
            var (keys, records) = (KeyList(), KeyList())
            try snapshot.reader.scan(in: #require(model.keyspace)) { key, record in
                keys.append(key)
                records.append(record)
                return .next
            }
            func titles() throws -> [StoredValue] {
                var titles: [StoredValue] = []
                var watch = ReadWatch()
                _ = try values.visit(keys, records, &watch) { key, record in
                    try snapshot.withRecordView(record, key: key, model) { titles.append(try reader.value(values.looking($0))) }
                    return .next
                }
                return titles
            }
            backend.intervene { interruption.raise() }
            #expect(throws: CancellationError.self) { try Interruption.$current.withValue(interruption) { _ = try titles() } }
            #expect(values.readCount == 0)
            #expect(try titles() == (0..<count).map { .string("disc \($0)") })
            #expect(values.readCount == count)
        }
    }

    @Test func whatCannotBeReadIsAnError() throws {
        let fixture = try StoreFixture(.memory, Library.open)
        let store = fixture.store
        func reason(_ path: String) -> String {
            do { _ = try store.fetch(Piece.self).sorted(using: [SortKey(FieldPath(path))]).ids() } catch { return "\(error)" }
            return "no error"
        }
        #expect(reason("about.name").contains("any model"))
        #expect(reason("album.nothing").contains("nothing"))
        #expect(reason("album.labels").contains("no order"))
        #expect(reason("writers.name").contains("any of its elements"))
        #expect(reason("album.title.length").contains("nothing inside"))
        #expect(reason("original" + String(repeating: ".original", count: 40) + ".rank").contains("more than 32"))
        #expect(reason("original" + String(repeating: ".original", count: 31) + ".rank") == "no error")
        #expect {
            try store.fetchRecords(of: ["Piece", "Disc"]).forEach(with: [FieldPath("album.title")]) { _, _, _ in }
        } throws: {
            "\($0)".contains("values at paths are of one model")
        }
        #expect(throws: TroveError.self) { try store.fetchRecords(of: ["Piece"]).aggregate([.sum(FieldPath("album.title"))]) }
        #expect(throws: TroveError.self) { try store.fetchRecords(of: ["Piece"]).aggregate([.count], by: [FieldPath("album.labels")]) }
    }
}

private enum Earlier {
    @Model("Label") struct Label {
        var id: Int
        var name: String
    }

    @Model("Tape") struct Tape {
        var id: Int
        var label: Reference<Label>?
    }
}

private enum Later {
    @Model("Label", version: 2) struct Label {
        var id: Int
        var title: String = ""

        mutating func upgrade(from old: StoredRecord) throws { title = try old.value(of: "name", as: String.self).replacing("n", with: "N") }
    }

    @Model("Tape") struct Tape {
        var id: Int
        var label: Reference<Label>?
    }
}

@Model fileprivate struct OneSide: Equatable {
    var id: Int
    var album: Reference<Disc>?
}

@Model fileprivate struct OtherSide: Equatable {
    var id: Int
    var album: Reference<Disc>?
}

extension ReferencedValueTests {
    /// In an order of values at places, equal ones by id.
    fileprivate static func sorted(_ pieces: [Piece], _ plain: PlainLibrary, _ criteria: [(Place, SortDirection)]) -> [Piece] {
        pieces.sorted { left, right in
            for (place, direction) in criteria {
                let order = compare(place.value(left, plain), place.value(right, plain))
                if order != 0 { return direction == .ascending ? order < 0 : order > 0 }
            }
            return left.id < right.id
        }
    }

    /// Those that agree in the values at places, ascending by these.
    fileprivate static func groups(_ pieces: [Piece], _ plain: PlainLibrary, _ places: [Place]) -> [(key: [StoredValue], pieces: [Piece])] {
        Dictionary(grouping: pieces) { piece in places.map { $0.value(piece, plain) } }.map { (key: $0.key, pieces: $0.value) }.sorted { left, right in
            for (one, other) in zip(left.key, right.key) where compare(one, other) != 0 { return compare(one, other) < 0 }
            return false
        }
    }
}

private func stored(_ number: Int?) -> StoredValue { number.map { .int(Int64($0)) } ?? .null }

private func stored(_ text: String?) -> StoredValue { text.map { .string($0) } ?? .null }

/// Negative when the first value comes before the second, zero when they are equal; nil is the least.
private func compare(_ left: StoredValue, _ right: StoredValue) -> Int {
    switch (left, right) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.int(let left), .int(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.string(let left), .string(let right)): left == right ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    default: 0
    }
}
