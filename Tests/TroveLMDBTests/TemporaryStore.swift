import Foundation
import TroveLMDB
import TroveStorage

/// A path in a temporary directory of its own, removed with the value.
final class TemporaryStore: Sendable {
    let directory: String
    var path: String { directory + "/store.lmdb" }

    init() throws {
        directory = NSTemporaryDirectory() + "/trove-lmdb-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        // A directory that cannot be removed is the system's to clean.
        do { try FileManager.default.removeItem(atPath: directory) } catch {}
    }
}
