import Foundation

/// Where the demo's stores lie: a directory to keep, or a temporary one that is removed in the end.
struct StoreDirectory {
    private let url: URL
    let isTemporary: Bool

    var path: String { url.path }

    /// Makes the directory unless it exists.
    ///
    /// - Parameter kept: the directory to keep the stores in; nil for a temporary one.
    /// - Throws: ``CatalogueError/storeExists(path:)`` when there are files in it; ``CatalogueError/directoryFailed(path:reason:)``.
    init(kept: String?) throws {
        let files = FileManager.default
        isTemporary = kept == nil
        url = kept.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? files.temporaryDirectory.appending(path: "PackageCatalogue-\(UUID().uuidString)", directoryHint: .isDirectory)
        let contents: [String]
        do {
            try files.createDirectory(at: url, withIntermediateDirectories: true)
            contents = try files.contentsOfDirectory(atPath: url.path)
        } catch {
            throw CatalogueError.directoryFailed(path: url.path, reason: error.localizedDescription)
        }
        // The demo begins with empty stores, and it never empties one that somebody may need.
        if let first = contents.min() { throw CatalogueError.storeExists(path: url.appending(path: first).path) }
    }

    /// The file of an engine's store.
    func path(of engine: EngineChoice) -> String { path(named: "catalogue", engine) }

    /// The file that the store of `source` is copied to.
    func path(ofCopyOf source: EngineChoice) -> String { path(named: "copy-of-\(source.rawValue)", source.successor) }

    private func path(named name: String, _ engine: EngineChoice) -> String {
        url.appending(path: "\(name).\(engine.rawValue)").path
    }

    /// Removes a temporary directory with all that is in it.
    func removeIfTemporary() throws {
        if isTemporary { try FileManager.default.removeItem(at: url) }
    }
}
