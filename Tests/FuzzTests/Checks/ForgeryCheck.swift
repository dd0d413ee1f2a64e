import Foundation

@testable import Trove

/// A small sound store in memory of whose entries a forger has changed fields to extremes, all checksums made to fit: records, catalogue, entries of
/// indexes, groups, blocks and totals of full text. Opened, verified, read, searched and written to.
enum ForgeryCheck {
    /// What is done to an entry.
    enum Kind: CaseIterable {
        /// Bytes of the value are overwritten by a number, little-endian or big-endian.
        case byte, pair, word, double, bigEndian
        /// A varint takes the place of the one at a byte of the value, and may be longer.
        case varint
        /// A number of a key takes the place of the key's first.
        case keyNumber
        /// Bytes of the key are overwritten.
        case keyBytes
        /// A leaf of a catalogue entry becomes another value.
        case leaf
        /// A leaf of a catalogue entry is there many times over.
        case crowd
        /// Many zeros, each of which is a nil, come into the value.
        case zeros
        /// The value is cut off.
        case cut
        /// The entry is gone.
        case removal
        /// The entry is there many times, under the keys that follow.
        case copies
    }

    static let extremes: [UInt64] = [
        0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, 1 << 40, 1 << 48, 1 << 56, .max >> 1, 1 << 63,
        .max - 1, .max, Double.nan.bitPattern, Double.infinity.bitPattern,
    ]

    /// An input is, for one to three changes, two bytes for the entry, one for what is done, two for the place and one for the extreme.
    static func run(_ input: inout FuzzInput) throws {
        let contents = try StoreCheck.contents.get()
        var entries = contents.entries
        for _ in 0...input.choice(3) {
            let number = (Int(input.byte()) | Int(input.byte()) << 8) % entries.count
            let kind = Kind.allCases[input.choice(Kind.allCases.count)]
            let place = Int(input.byte()) | Int(input.byte()) << 8
            forge(&entries, number, kind, place, extremes[input.choice(extremes.count)], contents)
        }
        try StoreCheck.check(entries)
    }

    /// Inputs of which each does one kind of thing to one entry.
    static func seeds() throws -> [[UInt8]] {
        let count = try StoreCheck.contents.get().entries.count
        return Kind.allCases.indices.map { kind in
            let number = kind * 17 % count
            return [0, UInt8(number & 0xFF), UInt8(number >> 8), UInt8(kind), UInt8(kind * 3), 0, UInt8(kind * 5 % extremes.count)]
        }
    }

    /// Changes one entry, or puts more beside it.
    static func forge(
        _ entries: inout [StoreCheck.Entry], _ number: Int, _ kind: Kind, _ place: Int, _ extreme: UInt64, _ contents: StoreCheck.Contents
    ) {
        var entry = entries[number]
        let body = body(of: entry, contents)
        let isCatalogue = entry.keyspace == Catalogue.keyspaceName
        switch kind {
        case .removal:
            if entries.count > 1 { entries.remove(at: number) }
            return
        case .copies:
            for step in 1...64 {
                var copy = entry
                copy.key = storable(following(entry.key, step, isCatalogue: isCatalogue))
                StoreCheck.seal(&copy, contents)
                entries.append(copy)
            }
            return
        case .byte: overwrite(&entry.value, body, place, withUnsafeBytes(of: extreme.littleEndian) { Array($0.prefix(1)) })
        case .pair: overwrite(&entry.value, body, place, withUnsafeBytes(of: extreme.littleEndian) { Array($0.prefix(2)) })
        case .word: overwrite(&entry.value, body, place, withUnsafeBytes(of: extreme.littleEndian) { Array($0.prefix(4)) })
        case .double: overwrite(&entry.value, body, place, withUnsafeBytes(of: extreme.littleEndian) { Array($0) })
        case .bigEndian: overwrite(&entry.value, body, place, withUnsafeBytes(of: extreme.bigEndian) { Array($0) })
        case .varint:
            guard !body.isEmpty else { break }
            let start = body.lowerBound + place % body.count
            let end = entry.value[start..<body.upperBound].firstIndex { $0 < 0x80 }.map { $0 + 1 } ?? body.upperBound
            var bytes = ByteWriter(capacity: 16)
            bytes.append(varint: extreme)
            entry.value.replaceSubrange(start..<end, with: bytes.bytes())
        case .keyNumber:
            var key: [UInt8] = []
            OrderedNumber.append(extreme, to: &key)
            let first = Int(entry.key.first ?? 0)
            entry.key = key + entry.key.dropFirst(first <= 8 ? first + 1 : 1)
        case .keyBytes: overwrite(&entry.key, entry.key.indices, place, withUnsafeBytes(of: extreme.bigEndian) { Array($0) })
        case .leaf, .crowd: forgeLeaf(&entry, kind, place, extreme)
        case .zeros:
            guard !body.isEmpty else { break }
            entry.value.insert(contentsOf: [UInt8](repeating: 0, count: 5_000), at: body.lowerBound + place % body.count)
        case .cut: entry.value.removeSubrange((body.lowerBound + place % (body.count + 1))..<body.upperBound)
        }
        entry.key = storable(entry.key)
        StoreCheck.seal(&entry, contents)
        entries[number] = entry
    }

    /// The part of a value that a checksum does not take.
    private static func body(of entry: StoreCheck.Entry, _ contents: StoreCheck.Contents) -> Range<Int> {
        let count = entry.value.count
        switch entry.keyspace {
        case Catalogue.keyspaceName, PathDictionary.keyspaceName: return 0..<max(0, count - 8)
        case BlobSpace.keyspaceName, BlobSpace.headersName, BlobSpace.chunksName, BlobSpace.uploadsName: return min(8, count)..<count
        case _ where contents.inverted.contains(entry.keyspace): return min(4, count)..<count
        default: return 0..<count
        }
    }

    private static func overwrite(_ bytes: inout [UInt8], _ range: Range<Int>, _ place: Int, _ new: [UInt8]) {
        guard !range.isEmpty else { return }
        let start = range.lowerBound + place % range.count
        let count = min(new.count, range.upperBound - start)
        bytes.replaceSubrange(start..<start + count, with: new.prefix(count))
    }

    /// A key that engines take, which no forger gets around.
    private static func storable(_ key: [UInt8]) -> [UInt8] { key.isEmpty ? [0] : Array(key.prefix(StorageLimits.maxKeySize)) }

    /// A key behind another: of the catalogue with the next numbers, else the same with more bytes.
    private static func following(_ key: [UInt8], _ step: Int, isCatalogue: Bool) -> [UInt8] {
        let name = String(decoding: key, as: UTF8.self)
        guard isCatalogue, let slash = name.lastIndex(of: "/"), let number = Int(name[name.index(after: slash)...]) else { return key + [UInt8(step)] }
        let digits = String(number + step)
        return Array((name[...slash] + String(repeating: "0", count: max(0, 5 - digits.count)) + digits).utf8)
    }

    // MARK: Catalogue

    private static func forgeLeaf(_ entry: inout StoreCheck.Entry, _ kind: Kind, _ place: Int, _ extreme: UInt64) {
        let name = String(decoding: entry.key, as: UTF8.self)
        guard entry.keyspace == Catalogue.keyspaceName, let value = try? CatalogueEntry.decode(entry.value, name: name) else { return }
        var left = place % max(1, leaves(value))
        let forged = replacing(value, &left) { old in
            if kind == .crowd { return .array([StoredValue](repeating: old, count: 2_000)) }
            let number = Int64(bitPattern: extreme)
            return switch old {
            case .int: place.isMultiple(of: 3) ? .double(Double(bitPattern: extreme)) : .int(number)
            case .string where place.isMultiple(of: 4): .string("Int64" + String(repeating: "?", count: 10_000))
            case .string where place.isMultiple(of: 3): .string(String(repeating: "[", count: 10_000))
            case .string where place.isMultiple(of: 5): .string("")
            case .string: .int(number)
            case .bool: .null
            default: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: extreme)))
            }
        }
        if let bytes = try? CatalogueEntry.encode(forged, name: name) { entry.value = bytes }
    }

    private static func leaves(_ value: StoredValue) -> Int {
        switch value {
        case .array(let values): values.reduce(0) { $0 + leaves($1) }
        case .object(let values): values.values.reduce(0) { $0 + leaves($1) }
        default: 1
        }
    }

    /// The value with another leaf in the place of the one that `left` others come before.
    private static func replacing(_ value: StoredValue, _ left: inout Int, _ body: (StoredValue) -> StoredValue) -> StoredValue {
        switch value {
        case .array(let values): return .array(values.map { replacing($0, &left, body) })
        case .object(let values):
            var forged = values.dictionary
            for name in values.keys.sorted() { forged[name] = values[name].map { replacing($0, &left, body) } }
            return .object(forged)
        default:
            defer { left -= 1 }
            return left == 0 ? body(value) : value
        }
    }
}
