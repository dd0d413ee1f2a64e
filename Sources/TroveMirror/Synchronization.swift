import Foundation
import Trove
import TroveBackendKit

/// One run that brings files and store into step.
struct Synchronization {
    private let store: ObjectStore
    private let storeSide: StoreSide
    private let directory: URL
    private let allowsDeletions: Bool
    private let waitForEditors: @Sendable () -> Void
    /// The permissions of files that are new.
    private let mode: mode_t?

    /// - Parameter waitForEditors: called once before a file that is not there is gone.
    init(_ store: ObjectStore, _ storeSide: StoreSide, _ directory: URL, allowsDeletions: Bool, waitForEditors: @escaping @Sendable () -> Void) {
        self.store = store
        self.storeSide = storeSide
        self.directory = directory
        self.allowsDeletions = allowsDeletions
        self.waitForEditors = waitForEditors
        mode = DirectoryFiles.mode(ofStoreAt: store.path)
    }

    func run(_ ledger: inout Ledger) throws -> MirrorReport {
        var report = MirrorReport()
        let side = DirectorySide(directory, ledger, try store.read { try MirroredModels($0) })
        try side.read(&report) { try storeSide.contents() }
        var blobs = try BlobMirror(store, directory, ledger, mode: mode)
        if side.hasGoneFiles || blobs.hasGoneFiles {
            waitForEditors()
            side.lookAgain()
            blobs.lookAgain()
        }
        // Before anything is changed.
        if !allowsDeletions { try blobs.checkFilesAreThere() }
        if side.hasChanges { try takeOver(side, ledger, &report) }
        if side.hasGoneFiles {
            // What is gone was deleted once: a run that is broken off from here on does not delete what the program stores anew.
            // What is in a file now that the store refused is still known by what its former file said.
            ledger.files = ledger.files.filter { path, file in
                !side.isGone(path) || side.isBlocked(path) || file.names.contains { name in side.path[name].map(side.isBlocked) ?? false }
            }
            try record(&ledger)
        }
        // What others commit after the files were taken over is newer, and goes to the files.
        let contents = try storeSide.contents()
        report.leftOut = contents.models.leftOut
        try writeFiles(contents, side, &ledger, &report)
        // A blob that ends the run leaves what was done with the files and with the blobs before it.
        if ledger.isNew || side.hasNewStamps || side.hasChanges || !report.isUnchanged { try record(&ledger) }
        let ending = Result { try blobs.run(&report) }
        report.written.sort()
        report.removed.sort()
        if blobs.ledger != ledger.blobs {
            ledger.blobs = blobs.ledger
            let writing = Result { try record(&ledger) }
            try ending.get()
            try writing.get()
        }
        try ending.get()
        return report
    }

    /// Writes down what both sides have in common. What it vouches for is durable in the store first, whatever durability its commits had: after a power
    /// loss what the store had lost would count as changed by it, and files would be deleted or go back.
    private func record(_ ledger: inout Ledger) throws {
        try store.synchronize()
        try ledger.write(in: directory, mode: mode)
    }

    /// Whether so many files are gone that the directory may not be what it was.
    static func isTooMany(_ gone: Int, of all: Int) -> Bool { gone >= 10 && gone * 2 > all }

    /// Merges what the directory changed into the store.
    private func takeOver(_ side: DirectorySide, _ ledger: Ledger, _ report: inout MirrorReport) throws {
        let before = report
        // The body may run again, so that nothing is kept of it but what it gives back.
        let done = try store.write { transaction in
            var run = try TakeOver(transaction, side, directory, before)
            if !allowsDeletions, Self.isTooMany(run.gone.count, of: ledger.objectCount) { throw MirrorError.manyFilesGone(directory, objects: run.gone.count) }
            try run.run()
            return run
        }
        report = done.report
        side.block(done.refused)
        // Before the files get what the store has: until then they themselves keep what loses, and so they do where it cannot be put aside.
        for (aside, outcome) in zip(done.asides, try DirectoryFiles.write(done.asides.map { ($0.url, $0.data) }, mode: mode)) {
            guard case .failed(let reason) = outcome else { continue }
            side.block([aside.source])
            report.conflicts.removeAll { $0.file == aside.path }
            report.problems.append(.init(file: aside.source, reason: "it waits, since its version cannot be put beside it as \(aside.path): \(reason)"))
        }
    }

    // MARK: - Store to files

    /// Writes the files that differ from what the store has, and removes those of objects that are gone.
    private func writeFiles(_ contents: MirroredContents, _ side: DirectorySide, _ ledger: inout Ledger, _ report: inout MirrorReport) throws {
        let places = Self.places(of: contents, side)
        var files: [String: Ledger.File] = [:]
        var new: [(path: String, file: MirroredContents.File)] = []
        for (path, file) in places {
            if side.isBlocked(path) {
                files[path] = ledger.files[path]
            } else if side.text[path]?.hasBytes(of: file.text) == true, let stamp = side.knownStamp(of: path) {
                // What a person wrote in another form stays, when it says the same.
                files[path] = Ledger.File(names: file.names, objects: file.text, stamp: stamp)
            } else if side.isAsRead(path) {
                new.append((path, file))
            } else {
                // Who wrote the file meanwhile is read by the next run.
                files[path] = ledger.files[path]
            }
        }
        var texts: [(url: URL, data: Data)] = []
        var written: [(path: String, file: MirroredContents.File)] = []
        for (path, file) in new {
            let data = Data(try WrittenObject.text(file.objects, .pretty).utf8)
            if data.count <= DirectorySide.maxSize {
                texts.append((directory.appending(path: path), data))
                written.append((path, file))
            } else {
                // What no run would read again would keep both sides waiting.
                files[path] = ledger.files[path]
                report.problems.append(.init(file: path, reason: "it would have \(data.count) bytes; files have at most \(DirectorySide.maxSize)"))
            }
        }
        for ((path, file), outcome) in zip(written, try DirectoryFiles.write(texts, mode: mode, unless: { !side.isAsRead(written[$0].path) })) {
            switch outcome {
            case .written(let stamp):
                files[path] = Ledger.File(names: file.names, objects: file.text, stamp: stamp)
                report.written.append(path)
            case .stale: files[path] = ledger.files[path]
            case .failed(let reason):
                files[path] = ledger.files[path]
                report.problems.append(.init(file: path, reason: "it cannot be written: \(reason)"))
            }
        }
        let present = Set(places.map(\.path))
        for path in side.readFiles where !present.contains(path) {
            guard side.isAsRead(path) else {
                files[path] = ledger.files[path]
                continue
            }
            do {
                try DirectoryFiles.remove(directory.appending(path: path))
                report.removed.append(path)
            } catch let failure as DirectoryFiles.Failure where !failure.isOfDisk {
                files[path] = ledger.files[path]
                report.problems.append(.init(file: path, reason: "it cannot be removed: \(failure.reason)"))
            }
        }
        for (path, file) in ledger.files where files[path] == nil && (side.isBlocked(path) || side.isGone(path)) { files[path] = file }
        ledger.files = files
    }

    /// The paths of the files of a store's objects: what has a file keeps it, and of several in one file, the first.
    ///
    /// What stands in a file that nobody touches gets no second one.
    private static func places(of contents: MirroredContents, _ side: DirectorySide) -> [(path: String, file: MirroredContents.File)] {
        var used: Set<String> = []
        let kept = contents.files.map { file in side.path[file.root].flatMap { used.insert($0).inserted ? $0 : nil } }
        return zip(kept, contents.files).compactMap { kept, file in
            if let kept { return (kept, file) }
            if let path = side.path[file.root], side.isBlocked(path) { return nil }
            let stem = stem(of: file.root, in: contents.models.folders[file.root.model] ?? "")
            var (path, number) = (stem + ".json", 1)
            while !used.insert(path).inserted {
                number += 1
                path = "\(stem)~\(number).json"
            }
            return (path, file)
        }
    }

    /// The path of the file of an object that has none yet, without its ending.
    private static func stem(of name: ObjectName, in folder: String) -> String {
        // A text is its own name, without the quotes of its JSON.
        let id = (try? StoredValue(json: name.id)).flatMap { value -> String? in
            switch value {
            case .string(let text): text
            case .objectID(let id): id.description
            case .uuid(let id): id.uuidString.lowercased()
            case .int(let number): String(number)
            default: nil
            }
        }
        return folder + "/" + FileName.of(id ?? name.id)
    }
}
