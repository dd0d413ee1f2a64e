import Foundation
import Trove

/// What is in the stores of every format.
enum GoldenContents {
    /// In the order of their ids.
    static func things() throws -> [GoldenThing] {
        func value<Value>(_ value: Value?) throws -> Value {
            guard let value else { throw Unreadable() }
            return value
        }
        return [
            GoldenThing(
                id: GoldenKey(shelf: "A", number: -1), flag: true, tiny: -128, short: 65_535, medium: -2_147_483_648, number: .max, unsigned: .max,
                float: 1.5, double: -0.1, decimal: try value(Decimal(string: "-12345678901234567890.125")), text: "Blue in Green",
                data: Data([0, 1, 254, 255]), date: Date(timeIntervalSinceReferenceDate: -1_234.5),
                uuid: try value(UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0")), url: try value(URL(string: "https://example.org/a?b=c#d")),
                kind: .tape, size: GoldenSize(width: 12.25, unit: "cm", marks: [1, 2, 300]), maybe: 0, absent: nil, deep: .some(.some("inner")),
                list: [1, nil, -31], grid: [[], [1, 2.5]], tags: ["jazz", "modal"], counts: ["one": 1, "": -1], names: [7: "seven", -7: "minus"]),
            GoldenThing(
                // A key and values that are too long for what is short.
                id: GoldenKey(shelf: String(repeating: "long shelf ", count: 60), number: 3), flag: true, tiny: 0, short: 1, medium: 2, number: 3,
                unsigned: 4, float: 5, double: 6, decimal: 7, text: String(repeating: "ein langer Text · ", count: 5_000), data: Data(repeating: 9, count: 300),
                date: Date(timeIntervalSinceReferenceDate: 0), uuid: try value(UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")),
                url: try value(URL(string: "file:///tmp/a%20b")), kind: .disc, size: GoldenSize(width: -1, unit: "", marks: [0]), maybe: .max, absent: nil,
                deep: nil, list: [nil], grid: [[0]], tags: [""], counts: ["é": 5], names: [.min: "least"]),
            GoldenThing(
                id: GoldenKey(shelf: "Ü\0", number: 2), flag: false, tiny: 127, short: 0, medium: 31, number: .min, unsigned: 0, float: -.infinity,
                double: .greatestFiniteMagnitude, decimal: 0, text: "", data: Data(), date: .distantFuture,
                uuid: try value(UUID(uuidString: "00000000-0000-0000-0000-000000000000")), url: try value(URL(string: "a:")), kind: .disc,
                size: GoldenSize(width: 0, unit: nil, marks: []), maybe: nil, absent: 1, deep: .some(nil), list: [], grid: [], tags: [], counts: [:],
                names: [:]),
        ]
    }

    static let firstTracks = [
        GoldenTrack1(id: 1, title: "So What", seconds: 562, artist: "Miles Davis"), GoldenTrack1(id: 2, title: "Freddie Freeloader", seconds: 589, artist: nil),
    ]

    static let secondTracks = [GoldenTrack2(id: 3, title: "All Blues", duration: 695.5, artist: "Miles Davis", year: 1959)]

    static let blobs = ["cover": Data((0...255).map { UInt8($0) }), "empty": Data()]

    /// A value of the contents that cannot be made from its text.
    struct Unreadable: Error {}
}

extension GoldenContents {
    /// Writes what every format has, by opening the store as two versions of a program.
    static func write(_ open: () throws -> any StorageBackend) throws {
        let first = try ObjectStore(open(), models: GoldenThing.self, GoldenTrack1.self)
        try first.save(things())
        try first.save(firstTracks)
        for (name, data) in blobs { try first.setBlob(data, named: name) }
        try first.close()
        let second = try ObjectStore(open(), models: GoldenThing.self, GoldenTrack2.self)
        try second.save(secondTracks)
        try second.close()
    }
}
