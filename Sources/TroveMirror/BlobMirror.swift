import Foundation
import Trove
import TroveBackendKit

/// Named blobs as files, each as it is.
struct BlobMirror {
    private let store: ObjectStore
    private let directory: URL

    static let folderName = "$blobs"

    init(_ store: ObjectStore, _ directory: URL) {
        self.store = store
        self.directory = directory
    }

    func run(_ ledger: inout Ledger, _ report: inout MirrorReport) throws {
        let folder = directory.path + "/" + Self.folderName
        var files: [String: String] = [:]
        for file in try DirectoryFiles.names(in: folder) where !file.hasPrefix(".") && !file.contains(".conflict") {
            // A name that is not the one of its text belongs to the ledger's, or to nobody.
            let known = ledger.blobs.keys.first { FileName.of($0) == file }
            guard let name = known ?? file.removingPercentEncoding.flatMap({ FileName.of($0) == file ? $0 : nil }) else { continue }
            files[name] = Self.folderName + "/" + file
        }
        for name in Set(ledger.blobs.keys).union(files.keys).union(try store.blobNames()).sorted() {
            do {
                try synchronize(name, files[name] ?? Self.folderName + "/" + FileName.of(name), &ledger, &report)
            } catch let error as TroveError {
                report.problems.append(.init(file: files[name] ?? name, reason: "\(error)"))
            }
        }
    }

    private func synchronize(_ name: String, _ path: String, _ ledger: inout Ledger, _ report: inout MirrorReport) throws {
        let file = directory.appending(path: path)
        let base = ledger.blobs[name]
        let stored = storedHash(name)
        let stamp = FileStamp(file.path)
        let reported = MirrorReport.Object(model: Self.folderName, id: try StoredValue.string(name).json())
        // A file that nobody wrote has what it had.
        let isSame = stamp != nil && stamp == base?.stamp
        func hash() throws -> String? {
            guard stamp != nil else { return nil }
            return isSame ? base?.hash : try BlobInfo.sha256Text(ofFileAt: file.path)
        }
        let found = try hash()
        func settle() {
            ledger.blobs[name] = FileStamp(file.path).flatMap { stamp in storedHash(name).map { Ledger.Blob(stamp: stamp, hash: $0) } }
        }
        if found == stored {
            if !isSame { settle() }
        } else if found == base?.hash || found == nil && base == nil {
            // The store changed.
            if stored == nil {
                try DirectoryFiles.remove(file)
                report.removed.append(path)
            } else {
                try write(name, to: file)
                report.written.append(path)
            }
            settle()
        } else if stored == base?.hash {
            if found == nil {
                try store.deleteBlob(named: name)
                report.deleted.append(reported)
            } else {
                _ = try store.setBlob(contentsOf: file.path, named: name)
                report.saved.append(reported)
            }
            settle()
        } else {
            // Both changed: the store's stays.
            var conflict: String?
            if found != nil {
                let aside = DirectoryFiles.conflictPath(of: path, in: directory)
                try DirectoryFiles.move(file, to: directory.appending(path: aside))
                conflict = aside
            }
            if stored != nil {
                try write(name, to: file)
                report.written.append(path)
            }
            report.conflicts.append(.init(object: reported, properties: [], file: conflict))
            settle()
        }
    }

    private func storedHash(_ name: String) -> String? { try? store.blobInfo(named: name)?.sha256Text }

    private func write(_ name: String, to file: URL) throws {
        let new = file.deletingLastPathComponent().appending(path: ".writing")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try DirectoryFiles.remove(new)
        try store.saveBlob(named: name, to: new.path)
        try DirectoryFiles.move(new, to: file)
    }
}
