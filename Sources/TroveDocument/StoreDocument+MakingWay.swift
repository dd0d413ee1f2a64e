import Foundation
import TroveBackendKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension StoreDocument {
    /// Takes away what an engine has beside the old file. A log belongs to the file that it was written for, and would damage another.
    ///
    /// Only what is the engine's: a folder, or a file beside a place where the document has not been, may be anybody's and only have such a name.
    ///
    /// - Parameter new: what the new file is; nil of an engine that is not Trove's.
    /// - Throws: ``DocumentError/fileSystem(_:reason:)`` for something that the engine of the new file would take for its own; nothing is changed then.
    func makeWay(for new: EngineFile?, at url: URL, engine: DocumentEngine) throws {
        let (own, original) = state.withLock { ($0.url, $0.original) }
        // The document's own file is not opened to look.
        let old = own == url ? original?.kind : EngineFile(at: url.path)
        let hasOldFile = FileStamp(url.path) != nil
        var owned = Set(old?.companionEndings ?? [])
        if own == url, let new { owned.formUnion(new.companionEndings) }
        // Logs of an unknown file are put aside with it.
        try requireRoom(for: new, at: url, owned.union(hasOldFile && old == nil ? EngineFile.everyLogEnding : []))
        if hasOldFile, FileState(of: url, kind: old).hasLogs {
            // Opening takes a log into its file. The backend closes itself when it goes: close() would wait for a snapshot that this program has open there.
            _ = try? engine.open(url.path)
            if FileState(of: url, kind: old).hasLogs {
                let aside = "\(url.path)-unreadable-\(UUID().uuidString)"
                for file in FileState.companions(of: url, kind: old) { try file.rename(to: URL(filePath: aside + file.path.dropFirst(url.path.count))) }
                try url.rename(to: URL(filePath: aside))
            }
        }
        for ending in owned.sorted() where FileStamp(url.path + ending, followsLinks: false) != nil { try URL(filePath: url.path + ending).unlink() }
    }

    /// Throws when there is something beside the place that the engine of the new file would use, and that is not of the old one.
    private func requireRoom(for kind: EngineFile?, at url: URL, _ owned: Set<String>) throws(DocumentError) {
        let logs = kind?.logEndings ?? EngineFile.everyLogEnding
        for ending in kind?.companionEndings ?? logs {
            let path = url.path + ending
            guard let stamp = FileStamp(path, followsLinks: false) else {
                var information = stat()
                if lstat(path, &information) != 0 { continue }
                throw Self.isInTheWay(path)
            }
            // The engine looks whether what is not a log is its own. An empty log says nothing.
            if !owned.contains(ending), logs.contains(ending), stamp.size > 0 { throw Self.isInTheWay(path) }
        }
    }

    private static func isInTheWay(_ path: String) -> DocumentError {
        .fileSystem(URL(filePath: path), reason: "the document's engine would take it for its own; move it away, or save the document under another name")
    }
}
