import Foundation
import TestSupport
import Testing

@testable import Trove

/// Random objects that refer to each other and to what is not there, kept in dictionaries as in a store.
struct RandomLibrary {
    struct Rollback: Error {}

    var artists: [String: Composer] = [:]
    var albums: [Int16: Disc] = [:]
    var tunes: [Int: Piece] = [:]
    var editions: [PrintingID: Printing] = [:]
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    mutating func chance(_ count: Int) -> Bool { number(1...count) == 1 }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...values.count - 1)] }

    // MARK: Objects

    static let artistIDs = ["", "a", "b", "c", "d", "e\u{0}", Library.long("long", 290) + "x", Library.long("long", 290) + "y", Library.long("z", 300)]
    static let editionIDs = [PrintingID("", 1), PrintingID("w", 1), PrintingID("w", 2), PrintingID(Library.long("v", 150), 1)]

    mutating func artist() -> Reference<Composer> { Reference(id: pick(Self.artistIDs)) }
    mutating func album() -> Reference<Disc> { Reference(id: Int16(number(-3...6))) }
    mutating func edition() -> Reference<Printing> { Reference(id: pick(Self.editionIDs)) }
    mutating func tune() -> Reference<Piece> { Reference(id: number(1...25)) }

    mutating func anything() -> AnyReference {
        switch number(1...5) {
        case 1: AnyReference(artist())
        case 2: AnyReference(album())
        case 3: AnyReference(edition())
        case 4: AnyReference(tune())
        default: AnyReference(modelName: pick(["Elsewhere", "$index/00001"]), keyBytes: [UInt8(number(1...3))])
        }
    }

    mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? { chance(3) ? nil : value(&self) }

    mutating func some<Value>(_ most: Int, _ value: (inout Self) -> Value) -> [Value] {
        let count = number(0...most)
        return (0..<count).map { _ in value(&self) }
    }

    mutating func newComposer() -> Composer {
        Composer(id: artist().id, name: pick(["A", "B", "C", "a"]), born: optional { $0.number(1920...1924) }, mentor: optional { $0.artist() })
    }

    mutating func newDisc() -> Disc {
        Disc(
            id: album().id, title: pick(["Blue", "Green", "Red"]), year: optional { $0.number(1957...1960) }, artist: optional { $0.artist() },
            labels: some(2) { $0.pick(["x", "y"]) })
    }

    mutating func newPrinting() -> Printing { Printing(id: edition().id, printed: number(1...4), of: optional { $0.album() }) }

    mutating func newPiece() -> Piece {
        Piece(
            id: tune().id, title: pick(["So What", "Nardis", "Solar"]), album: optional { $0.album() }, writers: some(4) { $0.artist() },
            guests: Set(some(2) { $0.artist() }),
            roles: Dictionary(some(2) { ($0.pick(["p", "b"]), $0.artist()) }, uniquingKeysWith: { first, _ in first }),
            edition: optional { $0.edition() }, original: tune(), about: optional { $0.anything() }, links: some(3) { $0.anything() },
            rank: number(0...3))
    }

    // MARK: Changes

    /// Makes one change in a transaction and in the dictionaries. No object is removed that a rule has to look after.
    mutating func change(_ transaction: WriteTransaction, depth: Int = 0) throws {
        switch number(1...12) {
        case 1...4:
            let batch = some(6) { $0.newPiece() }
            try transaction.save(batch)
            for tune in batch { tunes[tune.id] = tune }
        case 5:
            let artist = newComposer()
            try transaction.save(artist)
            artists[artist.id] = artist
        case 6, 7:
            let album = newDisc()
            try transaction.save(album)
            albums[album.id] = album
        case 8:
            let edition = newPrinting()
            try transaction.save(edition)
            editions[edition.id] = edition
        case 9, 10:
            // Tunes are pointed at by the rule that leaves references behind, and by references to any.
            for tune in tunes.values.sorted(by: { $0.id < $1.id }) where chance(6) && !isPointedAtByRule(tune) {
                try transaction.delete(tune)
                tunes[tune.id] = nil
            }
        case 11 where depth < 2:
            let before = self
            let isUndone = chance(2)
            do {
                try transaction.savepoint {
                    for _ in 0..<number(1...3) { try change(transaction, depth: depth + 1) }
                    if isUndone { throw Rollback() }
                }
            } catch is Rollback {
                (artists, albums, tunes, editions) = (before.artists, before.albums, before.tunes, before.editions)
            }
        default:
            guard var tune = tunes.values.min(by: { $0.id < $1.id }) else { return }
            tune.writers.reverse()
            tune.roles["p"] = tune.writers.first
            try transaction.save(tune)
            tunes[tune.id] = tune
        }
    }

    private func isPointedAtByRule(_ tune: Piece) -> Bool {
        tunes.values.contains { $0.about == AnyReference(tune) || $0.links.contains(AnyReference(tune)) }
    }

    // MARK: What is expected

    /// Every pair of a place and what it points at.
    var pairs: Set<DanglingReference> {
        var pairs: Set<DanglingReference> = []
        func add(_ source: some Model, _ field: String, _ targets: [AnyReference]) {
            let source = AnyReference(source)
            for target in targets {
                pairs.insert(
                    DanglingReference(source: ReferenceSource(modelName: source.modelName, keyBytes: source.keyBytes, field: field), target: target))
            }
        }
        for artist in artists.values { add(artist, "mentor", artist.mentor.targets) }
        for album in albums.values { add(album, "artist", album.artist.targets) }
        for edition in editions.values { add(edition, "of", edition.of.targets) }
        for tune in tunes.values {
            add(tune, "album", tune.album.targets)
            add(tune, "writers", tune.writers.targets)
            add(tune, "guests", tune.guests.targets)
            add(tune, "roles", tune.roles.targets)
            add(tune, "edition", tune.edition.targets)
            add(tune, "original", tune.original.targets)
            add(tune, "about", tune.about.targets)
            add(tune, "links", tune.links.targets)
        }
        return pairs
    }

    var stored: Set<AnyReference> {
        Set(
            artists.values.map { AnyReference($0) } + albums.values.map { AnyReference($0) } + tunes.values.map { AnyReference($0) }
                + editions.values.map { AnyReference($0) })
    }

    var dangling: Set<DanglingReference> {
        let stored = stored
        return pairs.filter { !stored.contains($0.target) }
    }

    /// Checks who points at each thing that could be pointed at.
    func expectSources(_ transaction: ReadTransaction) throws {
        let bySource = Dictionary(grouping: pairs, by: \.target).mapValues { Set($0.map(\.source)) }
        var targets = Self.artistIDs.map { AnyReference(Reference<Composer>(id: $0)) } + Self.editionIDs.map { AnyReference(Reference<Printing>(id: $0)) }
        targets += (-3...6).map { AnyReference(Reference<Disc>(id: $0)) } + (1...25).map { AnyReference(Reference<Piece>(id: $0)) }
        targets += [1, 2, 3].map { AnyReference(modelName: "Elsewhere", keyBytes: [$0]) }
        for target in targets {
            let sources = try transaction.referencing(target)
            #expect(Set(sources) == bySource[target] ?? [], "\(target)")
            #expect(sources.count == Set(sources).count)
            #expect(try transaction.referenceCount(of: target) == sources.count)
        }
        let referenced = Set(pairs.map(\.target))
        #expect(try transaction.fetch(Composer.self).unreferenced().ids() == artists.values.filter { !referenced.contains(AnyReference($0)) }.map(\.id).sortedAsStored)
        #expect(try transaction.fetch(Printing.self).unreferenced().ids() == editions.values.filter { !referenced.contains(AnyReference($0)) }.map(\.id).sortedAsStored)
        let dangling = Set(dangling.map(\.source.reference))
        #expect(try transaction.fetch(Piece.self).withDanglingReferences().ids() == tunes.values.filter { dangling.contains(AnyReference($0)) }.map(\.id).sorted())
    }
}

extension Array where Element: StorableKey {
    var sortedAsStored: [Element] { sorted { RecordKey($0.keyBytes).bytes.lexicographicallyPrecedes(RecordKey($1.keyBytes).bytes) } }
}
