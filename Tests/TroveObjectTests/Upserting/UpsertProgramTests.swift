import TestSupport
import Testing
import Trove

/// Random programs on one context with objects that are inserted, found and changed by unique values, against a plain list.
@Suite struct UpsertProgramTests {
    /// A song as the list has it.
    private struct Row: Hashable {
        var isrc: String?
        var number: Int?
        var title: String
        /// The album, and with it whether a deletion of that deletes the song.
        var album: String?
    }

    private struct Program {
        let fixture: StoreFixture
        let context: ObjectContext
        var random: SeededGenerator
        var rows: [Row] = []
        var saved: [Row] = []

        init(_ engine: Engine, _ seed: UInt64, _ options: ContextOptions) throws {
            fixture = try upsertFixture(engine)
            context = ObjectContext(fixture.store, options: options)
            random = SeededGenerator(seed: seed)
        }

        /// Values of which few are different, and some are nil.
        mutating func given() -> Row {
            let isrc = random.chance(1, in: 4) ? nil : "s\(Int.random(in: 0..<6, using: &random))"
            let number = random.chance(1, in: 3) ? nil : Int.random(in: 0..<6, using: &random)
            let album = random.chance(1, in: 2) ? nil : "b\(Int.random(in: 0..<2, using: &random))"
            return Row(isrc: isrc, number: number, title: "t\(Int.random(in: 0..<3, using: &random))", album: album)
        }

        /// The places of the rows that have unique values of one.
        func matches(_ given: Row) -> [Int] {
            rows.indices.filter { given.isrc != nil && rows[$0].isrc == given.isrc || given.number != nil && rows[$0].number == given.number }
        }

        func object(_ row: Row) throws -> UpsertSong {
            let song = UpsertSong(isrc: row.isrc, artist: "a", number: row.number, title: row.title)
            song.album = try row.album.map { try context.fetchOrInsert(UpsertAlbum($0)) }
            return song
        }

        /// The song of a row, one of those that are equal.
        func song(_ row: Row) throws -> UpsertSong {
            let songs = try context.fetch(UpsertSong.self).all()
            return try #require(songs.first { Self.row($0) == row })
        }

        static func row(_ song: UpsertSong) -> Row { Row(isrc: song.isrc, number: song.number, title: song.title, album: song.album?.name) }

        mutating func step() throws {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: try insert(isUpsert: true)
            case 4...5: try insert(isUpsert: false)
            case 6:
                guard !rows.isEmpty else { return }
                let place = Int.random(in: rows.indices, using: &random)
                try context.delete(song(rows[place]))
                rows.remove(at: place)
            case 7:
                guard !rows.isEmpty else { return }
                let place = Int.random(in: rows.indices, using: &random)
                let song = try song(rows[place])
                song.isrc = "n\(Int.random(in: 0..<1_000_000, using: &random))"
                rows[place].isrc = song.isrc
            case 8:
                guard let album = try context.fetch(UpsertAlbum.self).sorted(by: \.name).first() else { return }
                let name = album.name
                try context.delete(album)
                rows.removeAll { $0.album == name }
            case 9, 10:
                try context.save()
                saved = rows
            default:
                try context.rollback()
                rows = saved
            }
        }

        private mutating func insert(isUpsert: Bool) throws {
            let given = given()
            let matches = matches(given)
            do {
                let song = try isUpsert ? context.upsert(object(given)) : context.fetchOrInsert(object(given))
                #expect(matches.count < 2)
                #expect(song.modelContext === context)
                guard let place = matches.first else { return rows.append(given) }
                guard isUpsert else { return }
                // An album that is not set leaves the one that is there.
                rows[place] = Row(isrc: given.isrc, number: given.number, title: given.title, album: given.album ?? rows[place].album)
            } catch TroveError.ambiguousUpsert {
                #expect(matches.count == 2)
            } catch TroveError.deletionNotSaved {
                // The id is free with the next save.
            }
        }
    }

    @Test(arguments: TestShare.trials([1, 2, 3])) func program(engine: Engine, seed: UInt64) throws {
        try run(engine, seed, ContextOptions())
    }

    @Test(arguments: TestShare.engines(2)) func programWithUndo(engine: Engine) throws {
        try run(engine, 4, ContextOptions(undo: .unlimited))
    }

    private func run(_ engine: Engine, _ seed: UInt64, _ options: ContextOptions) throws {
        var program = try Program(engine, seed, options)
        for step in 0..<60 {
            try program.step()
            guard step % 4 == 0 else { continue }
            let found = try program.context.fetch(UpsertSong.self).all()
            #expect(Self.counts(found.map { Program.row($0) }) == Self.counts(program.rows), "seed \(seed), step \(step)")
        }
        try program.context.save()
        let other = ObjectContext(program.fixture.store)
        let stored = try other.fetch(UpsertSong.self).all()
        #expect(Self.counts(stored.map { Program.row($0) }) == Self.counts(program.rows), "seed \(seed)")
        withExtendedLifetime((program, other)) {}
    }

    private static func counts(_ rows: [Row]) -> [Row: Int] { Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +) }
}
