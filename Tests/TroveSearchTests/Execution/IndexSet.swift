import TestSupport
@testable import Trove

/// Which indexes a store of tracks has.
enum IndexSet: String, CaseIterable, Sendable, CustomStringConvertible {
    case none, year, rating, artistDown, artistFolded, artistYear, yearRating, title, tags, tagsYear, unique, seconds, artistPlain, artistUnmarked, all

    var description: String { rawValue }

    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    var indexes: [Index<Tune>] {
        switch self {
        case .none: []
        case .year: [Index(\.year)]
        case .rating: [Index(\.rating, name: "rating")]
        case .artistDown: [Index([.descending(\.artist)], name: "artist down")]
        case .artistFolded: [Index([.ignoringCase(\.artist)], name: "artist folded")]
        case .artistYear: [Index(\.artist, \.year)]
        case .yearRating: [Index([.ascending(\.year), .descending(\.rating)], name: "year, rating down")]
        case .title: [Index(\.title)]
        case .tags: [Index(\.tags)]
        case .tagsYear: [Index(\.tags, \.year)]
        case .unique: [Index([.ascending(\.year), .ascending(\.rating), .path("id")], unique: true, name: "unique")]
        case .seconds: [Index([.descending(\.seconds)], name: "seconds down", covering: [\.artist, \.year])]
        case .artistPlain: [Index([.ascending(\.artist, ignoring: [.case, .diacritics]), .descending(\.year)], name: "artist plain")]
        case .artistUnmarked: [Index([.descending(\.artist, ignoring: .diacritics)], name: "artist unmarked")]
        case .all: Self.allCases.filter { $0 != .all }.flatMap(\.indexes)
        }
    }

    /// A store with random tracks, which come ascending by id.
    func fixture(_ engine: Engine, count: Int, _ random: inout SeededGenerator) throws -> (StoreFixture, [Tune]) {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
        let tracks = (0..<count).map { _ in Tune.random(&random) }
        try fixture.store.save(tracks)
        return (fixture, tracks.sorted { $0.id < $1.id })
    }
}
