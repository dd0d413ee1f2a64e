import Foundation

@testable import TestModels
@testable import Trove

/// What the keyspaces of Track's indexes have to hold, worked out from the objects without the code under test.
struct IndexOracle {
    /// An index's entries: keys and values.
    typealias Entries = [[UInt8]: [UInt8]]

    let tracks: [Track]

    /// The entries by the name of the index.
    var entries: [String: Entries] {
        [
            "artist": entries { [[part($0.artist)]] },
            "year and rating": entries(covered: { nested($0.artist) + nested($0.price) }) { track in
                [[inverted(part(Int64(track.year))), part(track.rating)]]
            },
            "serial": entries(isUnique: true) { [[part($0.serial.map(Int64.init))]] },
            "tags": entries { track in members(track.tags ?? []).map { [part(Int64(track.year)), $0] } },
            "folded tags": entries(covered: { nested($0.year) }) { track in
                members((track.tags ?? []).map { $0.lowercased() }).map { [inverted($0)] }
            },
            "labels": entries { track in members(Array(track.labels.keys)).map { [$0] } },
            "by year": entries { [[part(Int64($0.year))]] },
            "initial": entries { [[part(String($0.artist.prefix(1)))]] },
        ]
    }

    /// The groups of the index on years: how many tracks, of how many there is a price, and the sums.
    var years: [Int64: (count: Int, plays: Int128, priced: Int, price: Decimal)] {
        Dictionary(grouping: tracks, by: { Int64($0.year) }).mapValues { tracks in
            let prices = tracks.compactMap(\.price)
            return (tracks.count, tracks.reduce(Int128(0)) { $0 + Int128($1.plays) }, prices.count, prices.reduce(0, +))
        }
    }

    private func entries(
        isUnique: Bool = false, covered: (Track) -> [UInt8] = { _ in [] }, _ parts: (Track) -> [[[UInt8]]]
    ) -> Entries {
        var entries: Entries = [:]
        for track in tracks {
            let recordKey = RecordKey(track.id.keyBytes).bytes
            for list in parts(track) {
                var key = Array(list.joined())
                let hasNil = list.contains { $0[0] != 1 && $0[0] != 254 }
                var flags: UInt8 = 0
                if key.count > 240 {
                    key = Array(key[..<224]) + hash(key)
                    flags |= 1
                }
                var header = UInt8(key.count)
                var value: [UInt8] = []
                if isUnique && !hasNil {
                    flags |= 2
                } else if recordKey.count > 255 {
                    flags |= 4
                    key += hash(recordKey)
                } else {
                    key += recordKey
                }
                if flags != 0 { header = 240 + flags }
                if flags & 6 != 0 {
                    var count = ByteWriter()
                    count.append(varint: UInt64(recordKey.count))
                    value = count.bytes() + recordKey
                }
                entries[key] = [header] + value + covered(track)
            }
        }
        return entries
    }

    private func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt64(1), 2].flatMap { seed in withUnsafeBytes(of: Checksum.hash(bytes, seed: seed).bigEndian) { [UInt8]($0) } }
    }

    private func part(_ value: (some StorableKey)?) -> [UInt8] { value.keyBytes }

    private func members(_ values: [String]) -> [[UInt8]] {
        values.isEmpty ? [[2]] : Set(values).map { part($0) }
    }

    private func inverted(_ bytes: [UInt8]) -> [UInt8] { bytes.map { ~$0 } }

    private func nested(_ value: some Storable) -> [UInt8] {
        do { return try ByteWriter.nestedBytes(of: value, depth: 0) } catch { return [] }
    }
}
