import Synchronization
import TestSupport
import TroveBackendKit

@testable import TestModels
@testable import Trove

extension Engine {
    /// The engines that keep snapshots open.
    static var keepingSnapshots: [Engine] { allCases.filter { $0 != .tokyoCabinet } }
}

extension StoreFixture {
    /// A store of songs and countries, with so many songs.
    static func ofSongs(_ engine: Engine, count: Int = 100) throws -> (fixture: StoreFixture, songs: [Song]) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self, Track.self) }
        let songs = (0..<count).map(Song.sample)
        try fixture.store.save(songs)
        return (fixture, songs)
    }
}

/// An engine that keeps fewer snapshots open than the one it is around.
final class LimitedSnapshotBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let limit: Int

    init(_ backend: any StorageBackend, limit: Int) { (wrappedBackend, self.limit) = (backend, limit) }

    var capabilities: StorageCapabilities {
        var capabilities = wrappedBackend.capabilities
        capabilities.maxSnapshots = limit
        return capabilities
    }
}

/// An engine that is told how many snapshots are open.
final class ToldBackend: ForwardingBackend {
    final class Told: HeldReadsRefusing {
        let heldReads = HeldReads()
    }

    let wrappedBackend: any StorageBackend
    let told = Told()

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    var sharedEngine: any AnyObject & Sendable { told }
}

/// An engine that does something else in the middle of a compaction.
final class CompactingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// Runs `body` in the next compaction.
    func duringCompaction(_ body: @escaping @Sendable () -> Void) { meanwhile.withLock { $0 = body } }

    func compact() throws {
        meanwhile.withLock { $0.take() }?()
        try wrappedBackend.compact()
    }
}
