import Foundation
import TestSupport
import Trove
import TroveLMDB
import TroveSQLite
import TroveTokyoCabinet

/// The stores in the folder `Stores`: a folder for each format, a file for each engine that keeps one.
///
/// `make golden` adds those of the present format when there are none; after a release the ones that are there are never written again.
enum GoldenStores {
    static let formats = [1]

    static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Stores")

    static func file(_ engine: Engine, format: Int) -> URL {
        folder.appendingPathComponent("format-\(format)/" + engine.fileName)
    }

    /// Opens a store that is to be kept as a file; so that it is small.
    static func openSmall(_ engine: Engine, _ path: String) throws -> any StorageBackend {
        switch engine {
        case .tokyoCabinet: try TokyoCabinetBackend(path: path, options: .init(bucketCount: 127))
        default: try engine.open(path)
        }
    }
}

extension Engine {
    /// The name of the engine's stores.
    var fileName: String { rawValue.lowercased().replacing(" ", with: "-") }
}
