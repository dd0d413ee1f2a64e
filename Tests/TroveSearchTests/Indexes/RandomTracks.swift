import Foundation
import TestSupport

@testable import TestModels
@testable import Trove

/// Random changes of tracks, made in a transaction and in a dictionary alike.
struct RandomTracks {
    struct Rollback: Error {}

    var tracks: [String: Track] = [:]
    private var generator: SeededGenerator
    private var nextSerial = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

    mutating func chance(_ count: Int) -> Bool { number(1...count) == 1 }

    /// Makes one change or several that belong together.
    mutating func change(_ transaction: WriteTransaction, _ changed: inout [String: Track], depth: Int = 0) throws {
        switch number(1...16) {
        case 1...5:
            let track = track()
            try transaction.save(track)
            changed[track.id] = track
        case 6...8:
            let batch = (0..<number(1...40)).map { _ in track() }
            try transaction.save(batch)
            for track in batch { changed[track.id] = track }
        case 9:
            let batch = (0..<number(1...10)).map { position in
                var track = track()
                track.id += "/\(nextSerial)/\(position)"
                return track
            }
            try transaction.insert(batch)
            for track in batch { changed[track.id] = track }
        case 10, 11:
            let ids = Array(changed.keys.sorted().shuffled(using: &generator).prefix(number(0...20)))
            _ = try transaction.delete(Track.self, ids: ids)
            for id in ids { changed[id] = nil }
        case 12:
            // One field of an object, which leaves the entries of most indexes alone.
            guard let id = changed.keys.min(), var track = changed[id] else { return }
            track.plays += 1
            try transaction.save(track)
            changed[id] = track
        case 13:
            guard var record = try changed.keys.max().flatMap({ try transaction.storedRecord(of: "Track", key: $0.keyBytes) }) else { return }
            try record.set("artist", to: .string("dynamic \(number(1...3))"))
            try transaction.save(record)
            changed[try String(keyBytes: record.key)]?.artist = "dynamic " + (record["artist"].map { $0.shownInErrors } ?? "").suffix(1)
        case 14 where chance(3):
            _ = try transaction.deleteAll(Track.self)
            changed = [:]
        case 15 where depth < 2, 16 where depth < 2:
            let before = changed
            let isUndone = chance(2)
            do {
                try transaction.savepoint {
                    for _ in 0..<number(1...3) { try change(transaction, &changed, depth: depth + 1) }
                    if isUndone { throw Rollback() }
                }
            } catch is Rollback {
                changed = before
            }
        default:
            guard let id = changed.keys.sorted().randomElement(using: &generator) else { return }
            _ = try transaction.delete(Track.self, id: id)
            changed[id] = nil
        }
    }

    private mutating func track() -> Track {
        nextSerial += 1
        let long = String(repeating: "long ", count: 60)
        let words = ["a", "B", "b", "ä", "", long + "x", long + "y"]
        // The last two are long: one is kept in the value of an entry, the other shortened as a record's key too.
        let id = [
            "\(number(1...120))", "\(number(1...120))", "\(number(1...120))", String(repeating: "i", count: 300) + "\(number(1...3))",
            String(repeating: "j", count: 700) + "\(number(1...3))",
        ][number(0...4)]
        return Track(
            id: id, artist: words[number(0...6)] + ["", "1"][number(0...1)], year: Int32(number(1_950...1_956)),
            rating: [nil, 1.5, -0.0, 0, .infinity][number(0...4)], serial: chance(3) ? nil : nextSerial,
            tags: chance(4) ? nil : (0..<number(0...4)).map { _ in words[number(0...6)] },
            labels: chance(2) ? [:] : ["k\(number(1...3))": 1, "l": 2],
            price: chance(3) ? nil : Decimal(number(-500...500)) / 100, plays: UInt64(number(0...1_000_000_000)))
    }
}
