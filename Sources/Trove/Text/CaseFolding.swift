/// Full case folding as Unicode defines it, the same in every language: what "ignoring case" compares.
///
/// Folding works scalar by scalar, so the folding of a part of a text is a part of the folding of the text.
///
/// ```swift
/// CaseFolding.folded("Straße") == CaseFolding.folded("STRASSE")
/// ```
enum CaseFolding {
    /// Marks a scalar that folds to several; the rest is its place in ``expansions``.
    private static let expansionMark: UInt32 = 0x8000_0000

    /// No scalar from here on folds to another.
    private static let limit: UInt32 = 0x1_EA00

    /// What a scalar folds to; 0 when it stays as it is.
    private static let table = ScalarTable<UInt32>(common: 0, limit: limit) { table in
        for run in stride(from: 0, to: runs.count, by: 4) {
            for index in 0..<runs[run + 1] {
                let distance = index * runs[run + 2]
                table[Int(runs[run] + distance)] = runs[run + 3] + distance
            }
        }
        for place in stride(from: 0, to: expansions.count, by: 4) {
            table[Int(expansions[place])] = expansionMark | UInt32(place)
        }
    }

    /// The folding of `text`.
    static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            if asciiPrefix(of: bytes) == bytes.count, !bytes.contains(where: { $0 &- 0x41 < 26 }) { return nil }
            var folded: [UInt8] = []
            append(bytes, to: &folded)
            return String(decoding: folded, as: UTF8.self)
        } ?? text
    }

    /// Appends the folding of UTF-8 text to `folded`; bytes that are no UTF-8 are appended as they are.
    static func append(_ bytes: UnsafeBufferPointer<UInt8>, to folded: inout [UInt8]) {
        let start = folded.count
        let plain = asciiPrefix(of: bytes)
        folded.reserveCapacity(start + bytes.count)
        folded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<plain]))
        folded.withUnsafeMutableBytes { foldASCII(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
        guard plain < bytes.count else { return }
        let table = table
        var position = plain
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
                position += 1
                continue
            }
            let scalar = UTF8Scalar(bytes, at: position)
            if scalar.isValid {
                append(scalar.value, table[scalar.value], to: &folded)
            } else {
                folded.append(byte)
            }
            position += scalar.length
        }
    }

    /// Calls `body` with each scalar of the folding of one scalar.
    @inline(__always)
    static func forEachScalar(ofFolding scalar: UInt32, _ body: (UInt32) -> Void) {
        let folding = table[scalar]
        if folding == 0 {
            body(scalar)
        } else if folding & expansionMark == 0 {
            body(folding)
        } else {
            let place = Int(folding & ~expansionMark)
            for index in place + 1...place + 3 where expansions[index] != 0 { body(expansions[index]) }
        }
    }

    /// The scalars that have one folding, by each of them; there where they are several.
    private static let classes: [UInt32: [UInt32]] = {
        var classes: [[UInt32]: [UInt32]] = [:]
        for scalar in 0..<limit where table[scalar] != 0 {
            var folding: [UInt32] = []
            forEachScalar(ofFolding: scalar) { folding.append($0) }
            // What others fold to folds to itself, and so is in no table.
            classes[folding, default: folding.count == 1 ? folding : []].append(scalar)
        }
        var byScalar: [UInt32: [UInt32]] = [:]
        for scalars in classes.values where scalars.count > 1 {
            for scalar in scalars { byScalar[scalar] = scalars }
        }
        return byScalar
    }()

    /// How many scalars have one folding at the most.
    static let maxClassSize = 4

    /// The scalars that have the folding of this one, itself among them; none where it is the only one.
    static func scalars(foldedAs scalar: UInt32) -> [UInt32] { classes[scalar] ?? [] }

    @inline(__always)
    private static func append(_ scalar: UInt32, _ folding: UInt32, to folded: inout [UInt8]) {
        if folding & expansionMark == 0 {
            folded.append(utf8: folding == 0 ? scalar : folding)
        } else {
            let place = Int(folding & ~expansionMark)
            for index in place + 1...place + 3 where expansions[index] != 0 { folded.append(utf8: expansions[index]) }
        }
    }

    // MARK: ASCII, eight bytes at a time

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// How many bytes at the beginning are ASCII.
    private static func asciiPrefix(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var count = 0
        while count + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: count, as: UInt64.self)
            if word & highBits != 0 { break }
            count += 8
        }
        while count < raw.count, raw[count] < 0x80 { count += 1 }
        return count
    }

    /// Lowers the capital letters among ASCII bytes.
    private static func foldASCII(_ bytes: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // No byte is above 0x7F, so adding carries into no neighbour: the high bit tells "at least A", and "above Z".
            let atLeastA = word &+ 0x3F3F_3F3F_3F3F_3F3F
            let aboveZ = word &+ 0x2525_2525_2525_2525
            let capitals = (atLeastA & ~aboveZ & highBits) >> 2
            bytes.storeBytes(of: word | capitals, toByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] &- 0x41 < 26 { bytes[offset] |= 0x20 }
            offset += 1
        }
    }
}
