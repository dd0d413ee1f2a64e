import Foundation
import TestSupport

extension Recording {
    /// Recordings in which every property takes a few values, nil among them, so that conditions are true of some.
    static func samples(_ count: Int, seed: UInt64) -> [Recording] {
        var random = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func some<Value>(_ values: [Value]) -> [Value] { values.filter { _ in Bool.random(using: &random) } }
        func place() -> Place {
            Place(
                city: pick(["Oslo", "Paris", "New York"]), zip: pick([nil, 1, 75_001]), country: pick(["Norway", "France"]),
                geo: pick([nil, .init(latitude: pick([48.85, 59.9]), longitude: 2)]))
        }
        return (0..<count).map { _ in
            Recording(
                artist: pick(["Bill Evans", "bill evans", "Chet Baker", "Ella", ""]), title: pick(["Autumn Leaves", "Blue in Green", "Étude", "50% off", "live"]),
                year: pick([1949, 1950, 1959, 1960, 1990, 2001]), plays: pick([0, 7, .max]), minutes: pick([0, 3, 255]), rating: pick([nil, 0, 2.5, 4, 4.5]),
                price: pick([0, 1.5, 99]), isLive: pick([true, false]), isPublic: pick([nil, true, false]),
                recorded: Date(timeIntervalSinceReferenceDate: pick([-1e9, 0, 5e8])), code: pick([nil, UUID()]),
                cover: pick([nil, URL(string: "https://example.org/a.png")]), image: pick([Data(), Data([1, 2])]), format: pick([.vinyl, .tape, .disc]),
                other: pick([nil, .vinyl, .disc]), mood: pick([.calm, .lively]), place: place(), home: pick([nil, place()]),
                tags: some(["live", "studio", "alternate take"]), scores: Set(some([1, 5, 9])), notes: pick([nil, [], some(["x", "yy"])]),
                lines: some([1.0, 6, 10]).map { Line(price: $0, quantity: pick([0, 1, 3]), parts: some(["a", "b"])) },
                labels: Dictionary(uniqueKeysWithValues: some([("genre", pick(["Jazz", "Pop"])), ("mood", "blue")])),
                counts: Dictionary(uniqueKeysWithValues: some([(1, 0.5), (7, 7)])), default: pick([1, 2]), limit: pick([1950, 1990]))
        }
    }
}
