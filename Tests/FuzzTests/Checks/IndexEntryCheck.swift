import Foundation

@testable import Trove

/// Entries of ordered indexes and of their groups.
enum IndexEntryCheck {
    /// An input is a byte for what it is read as, a key with its size, and a value.
    static func run(_ input: inout FuzzInput) throws {
        let kind = input.choice(3)
        let key = input.chunk()
        let value = input.rest()
        switch kind {
        case 0: try checkEntry(key, value)
        case 1: try checkGroup(value)
        default:
            _ = try valueOrTypedError("a blob") { try BlobSpace.decode(value.span.bytes, name: String(decoding: key, as: UTF8.self)) }
            let stored = BlobSpace.encode(Data(value), name: "name")
            try require(try BlobSpace.decode(stored.span.bytes, name: "name") == Data(value), "another blob is read again")
        }
    }

    private static func checkEntry(_ key: [UInt8], _ value: [UInt8]) throws {
        _ = try valueOrTypedError("an entry") {
            try IndexEntry.read(key.span.bytes, value.span.bytes) { entry in
                try require(entry.parts.count <= key.count, "parts longer than the key")
                for count in 0...3 {
                    guard let covered = try valueOrTypedError("covered values", { try entry.coveredValues(count) }) else { continue }
                    for value in covered { try NestedCheck.checkAgain(value) }
                }
            }
        }
    }

    private static func checkGroup(_ value: [UInt8]) throws {
        try value.withUnsafeBytes { buffer in
            for isDecimal in [false, true] {
                let sums = try valueOrTypedError("a group's sum") { () -> GroupSum in
                    var reader = ByteReader(buffer)
                    return try GroupSum(from: &reader, isDecimal: isDecimal)
                }
                guard var sum = sums else { continue }
                var written = ByteWriter()
                try mustSucceed("writing a sum") { try sum.encode(into: &written, isDecimal: isDecimal) }
                // Adding to what was stored must not trap, whatever that was.
                do { try sum.add(sum) } catch is InexactSum {}
            }
        }
        let entry = GroupEntry(count: 1, sums: [], values: value)
        _ = try valueOrTypedError("a group's values") { try entry.storedValues(2) }
    }
}
