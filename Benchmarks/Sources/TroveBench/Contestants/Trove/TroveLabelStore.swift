import Trove

/// Tracks with an index on the label on any of Trove's engines.
final class TroveLabelStore: LabelStore {
    private let store: ObjectStore
    private let data: TrackData

    init(_ backend: any StorageBackend, durability: Durability, _ data: TrackData) throws {
        self.data = data
        store = try ObjectStore(backend, durability: durability, models: LabelledTrack.self)
    }

    func insertion() throws -> () throws -> Void {
        let tracks = (0..<data.count).map { LabelledTrack(number: $0, data) }
        return { try self.store.save(tracks) }
    }

    func countingByLabel() throws -> () throws -> Tally {
        {
            var tally = Tally()
            for group in try self.store.fetch(LabelledTrack.self).grouped(by: \.label).aggregate(.count) {
                tally.add(label: group.key, tracks: group.values)
            }
            return tally
        }
    }

    func count() throws -> Int { try store.fetch(LabelledTrack.self).count() }

    func close() throws { try store.close() }
}
