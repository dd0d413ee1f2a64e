import Foundation
import Trove
import TroveLMDB
import TroveSQLite
import TroveTokyoCabinet

/// A small program that does one thing which applications do, on any engine.
protocol Recipe: Sendable {
    /// What it shows, in a line.
    static var title: String { get }
    /// What it prints, a line each.
    static var printed: [String] { get }

    /// Runs it on a store that is not there yet; calls `print` for each line.
    static func run(in place: Place, print: @Sendable (String) -> Void) async throws
}

/// Where a recipe keeps its store.
struct Place {
    enum Engine: String, CaseIterable {
        case memory, sqlite, lmdb, tokyocabinet
    }

    let engine: Engine
    /// An empty directory of the recipe's own.
    let directory: String
    /// A store in memory is there as long as somebody has it.
    private let memory: MemoryBackend

    init(engine: Engine, directory: String) {
        self.engine = engine
        self.directory = directory
        memory = MemoryBackend(name: directory + "/store")
    }

    /// A file of this name in the directory.
    func path(_ name: String) -> String { directory + "/" + name }

    /// The engine of the recipe's store, each time the same one.
    func backend() throws -> any StorageBackend {
        switch engine {
        case .memory: MemoryBackend(name: path("store"))
        case .sqlite: try SQLiteBackend(path: path("store"))
        case .lmdb: try LMDBBackend(path: path("store"))
        case .tokyocabinet: try TokyoCabinetBackend(path: path("store"))
        }
    }
}
