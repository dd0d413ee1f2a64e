import Foundation
import Trove
import TroveBackendKit

/// Named blobs as files, each as it is.
///
/// Blobs are told apart by the names that their files have (``FileName``): as text, two names are equal whatever form their accents have.
struct BlobMirror {
    static let folderName = "$blobs"

    private let store: ObjectStore
    private let directory: URL
    /// The permissions of files that are new.
    private let mode: mode_t?
    /// The blobs after what was done so far.
    private(set) var ledger: [String: Ledger.Blob]
    /// The blobs that anybody has, by the names of their files.
    private var names: [String: String] = [:]
    private var stored: Set<String> = []
    /// The paths of the files that are there.
    private var paths: [String: String] = [:]
    /// The blobs of which nothing is changed, on either side, since their files cannot be told or read.
    private var blocked: Set<String> = []
    private var problems: [MirrorReport.Problem] = []

    init(_ store: ObjectStore, _ directory: URL, _ ledger: Ledger, mode: mode_t?) throws {
        (self.store, self.directory, self.ledger, self.mode) = (store, directory, ledger.blobs, mode)
        for name in try store.blobNames() {
            names[FileName.of(name)] = name
            stored.insert(FileName.of(name))
        }
        for (file, blob) in ledger.blobs { names[file] = blob.name }
        let files = try DirectoryFiles.names(in: directory.path + "/" + Self.folderName).sorted()
        for file in files where !file.hasPrefix(".") && !FileName.isConflict(file) { find(file) }
        for file in files.compactMap(FileName.evicted) where !FileName.isConflict(file) { noteEvicted(file) }
    }

    /// A file that is not on this machine is not gone.
    private mutating func noteEvicted(_ file: String) {
        guard let key = (names[file] ?? FileName.text(of: file)).map({ FileName.of($0) }), paths[key] == nil else { return }
        problems.append(.init(file: Self.folderName + "/" + file, reason: "it is not on this machine; download it"))
        blocked.insert(key)
    }

    /// Finds out of which blob a file is.
    private mutating func find(_ file: String) {
        let path = Self.folderName + "/" + file
        guard let name = names[file] ?? FileName.text(of: file) else {
            problems.append(.init(file: path, reason: "its name is none of a blob; rename it"))
            return
        }
        let key = FileName.of(name)
        names[key] = names[key] ?? name
        if let other = paths[key] {
            problems.append(.init(file: path, reason: "\(other) is a file of the same blob; delete one of them"))
            blocked.insert(key)
        } else if FileStamp(directory.path + "/" + path, followsLinks: false) == nil {
            problems.append(.init(file: path, reason: "it is no regular file"))
            blocked.insert(key)
        }
        paths[key] = path
    }

    /// The blobs that have no file any more, and had one.
    private var gone: [String] { ledger.keys.filter { paths[$0] == nil && stored.contains($0) && !blocked.contains($0) } }

    var hasGoneFiles: Bool { !gone.isEmpty }

    /// Looks again for files that are not there. What is back is read by the next run, and so are those that may be what is gone, under another name.
    mutating func lookAgain() {
        let folder = directory.path + "/" + Self.folderName + "/"
        for key in gone
        where !problems.isEmpty || FileStamp(folder + key, followsLinks: false) != nil || FileStamp(folder + (names[key] ?? key), followsLinks: false) != nil {
            blocked.insert(key)
        }
    }

    /// - Throws: ``MirrorError/manyFilesGone(_:objects:)``.
    func checkFilesAreThere() throws {
        let gone = gone.count
        if Synchronization.isTooMany(gone, of: ledger.count) { throw MirrorError.manyFilesGone(directory, objects: gone) }
    }

    mutating func run(_ report: inout MirrorReport) throws {
        report.problems += problems
        for (key, name) in names.sorted(by: { $0.key < $1.key }) where !blocked.contains(key) {
            let path = paths[key] ?? Self.folderName + "/" + key
            do {
                try synchronize(key, name, path, &report)
            } catch where Self.isOfOneFile(error) {
                report.problems.append(.init(file: path, reason: (error as? DirectoryFiles.Failure)?.reason ?? FileFailure.reason(of: error)))
            }
        }
    }

    /// Whether an error is no matter of the store or the directory, as a full disk is.
    private static func isOfOneFile(_ error: any Error) -> Bool {
        switch error {
        case StorageError.inputOutput, StorageError.notAFile, StorageError.noSuchDirectory, StorageError.permissionDenied: true
        case let failure as DirectoryFiles.Failure: !failure.isOfDisk
        case is MirrorError: false
        default: TakeOver.isRefusal(error)
        }
    }

    private mutating func synchronize(_ key: String, _ name: String, _ path: String, _ report: inout MirrorReport) throws {
        let file = directory.appending(path: path)
        let base = ledger[key]
        let stored = try store.blobInfo(named: name)?.sha256Text
        let stamp = FileStamp(file.path, followsLinks: false)
        let known = stamp?.certain
        // A file that nobody wrote has what it had.
        let found = try stamp.map { stamp in try stamp == base?.stamp ? base?.hash : BlobInfo.sha256Text(ofFileAt: file.path) } ?? nil
        // A file that was listed and is away now is judged by the next run.
        guard found != nil || paths[key] == nil else { return }
        let reported = MirrorReport.Object(model: Self.folderName, id: try StoredValue.string(name).json())
        if found == stored {
            note(key, name, known, found)
        } else if found == base?.hash {
            // The store changed.
            if stored == nil {
                guard FileStamp(file.path, followsLinks: false) == stamp else { return }
                try DirectoryFiles.remove(file)
                report.removed.append(path)
                note(key, name, nil, nil)
            } else if try write(key, name, to: file, over: stamp) {
                report.written.append(path)
            }
        } else if stored == base?.hash {
            // What the program does with the blob meanwhile is seen by the next run.
            if found == nil {
                let isDeleted = try store.write { transaction in
                    guard try transaction.blobInfo(named: name)?.sha256Text == stored else { return false }
                    return try transaction.deleteBlob(named: name)
                }
                guard isDeleted else { return }
                report.deleted.append(reported)
                note(key, name, nil, nil)
            } else if let saved = try store.setBlob(contentsOf: file.path, named: name, replacing: stored) {
                report.saved.append(reported)
                note(key, name, known, saved.sha256Text)
            }
        } else {
            // Both changed: the store's stays.
            var conflict: String?
            if found != nil {
                let aside = DirectoryFiles.conflictPath(of: path, in: directory).path
                try DirectoryFiles.move(file, to: directory.appending(path: aside))
                conflict = aside
            }
            report.conflicts.append(.init(object: reported, properties: found == nil || stored == nil ? [] : ["contents"], file: conflict))
            note(key, name, nil, nil)
            if stored != nil, try write(key, name, to: file, over: nil) { report.written.append(path) }
        }
    }

    private mutating func note(_ key: String, _ name: String, _ stamp: FileStamp?, _ hash: String?) {
        guard let stamp, let hash else {
            ledger[key] = nil
            return
        }
        ledger[key] = Ledger.Blob(name: name, stamp: stamp, hash: hash)
    }

    /// Writes a blob's file; false when somebody wrote there meanwhile.
    private mutating func write(_ key: String, _ name: String, to file: URL, over stamp: FileStamp?) throws -> Bool {
        let folder = file.deletingLastPathComponent()
        let new = DirectoryFiles.newFile(in: folder)
        try DirectoryFiles.make(folder)
        let hash: String
        do {
            try DirectoryFiles.write(to: new, mode: DirectoryFiles.mode(for: file, else: mode)) { append in
                try store.forEachBlobChunk(named: name) { try $0.withUnsafeBytes(append) }
            }
            hash = try BlobInfo.sha256Text(ofFileAt: new.path)
        } catch {
            try? DirectoryFiles.remove(new)
            throw error
        }
        guard let known = try DirectoryFiles.place(new, at: file, unless: { FileStamp(file.path, followsLinks: false) != stamp }) else { return false }
        DirectoryFiles.synchronize(folder)
        note(key, name, known, hash)
        return true
    }
}
