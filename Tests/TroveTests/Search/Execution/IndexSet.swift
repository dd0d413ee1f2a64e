import TestSupport
@testable import Trove

/// Which indexes a store of tracks has.
enum IndexSet: String, CaseIterable, Sendable, CustomStringConvertible {
    case none

    var description: String { rawValue }

    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    var indexes: [Index<Tune>] {
        switch self {
        case .none: []
        }
    }

    /// A store with random tracks, which come ascending by id.
    func fixture(_ engine: Engine, count: Int, _ random: inout SeededGenerator) throws -> (StoreFixture, [Tune]) {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, models: Tune.self) } }
        let tracks = (0..<count).map { _ in Tune.random(&random) }
        try fixture.store.save(tracks)
        return (fixture, tracks.sorted { $0.id < $1.id })
    }
}
