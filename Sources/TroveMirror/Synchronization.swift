import Foundation
import Trove
import TroveBackendKit

/// One run that brings files and store into step.
struct Synchronization {
    private let store: ObjectStore
    private let storeSide: StoreSide
    private let directory: URL
    private let allowsDeletions: Bool

    init(_ store: ObjectStore, _ storeSide: StoreSide, _ directory: URL, allowsDeletions: Bool) {
        self.store = store
        self.storeSide = storeSide
        self.directory = directory
        self.allowsDeletions = allowsDeletions
    }

    func run(_ ledger: inout Ledger) throws -> MirrorReport {
        var report = MirrorReport()
        let side = DirectorySide(directory, ledger, collections: Set(try store.collectionNames()))
        try side.read(&report)
        if side.hasChanges { try takeOver(side, &report) }
        // What others commit after the files were taken over is newer, and goes to the files.
        let contents = try store.read { try storeSide.contents($0) }
        report.leftOut = contents.leftOut
        try writeFiles(contents, side, &ledger, &report)
        try BlobMirror(store, directory).run(&ledger, &report)
        report.written.sort()
        report.removed.sort()
        if !report.isUnchanged || side.hasNewStamps || ledger.isNew { try ledger.write(in: directory) }
        return report
    }

    // MARK: - Files to store

    /// Merges what the directory changed into the store, in one transaction.
    private func takeOver(_ side: DirectorySide, _ report: inout MirrorReport) throws {
        let before = report
        var asides: [(url: URL, data: Data)] = []
        try store.write { transaction in
            // The body may run again.
            (report, asides) = (before, [])
            let contents = try storeSide.contents(transaction)
            var now: [ObjectName: WrittenObject] = [:]
            let wanted = side.changedNames
            for file in contents.files {
                for (name, object) in zip(file.names, file.objects) where wanted.contains(name) { now[name] = object }
            }
            let gone = side.goneNames.filter { now[$0] != nil }
            if !allowsDeletions, gone.count >= 10, gone.count * 2 > contents.count { throw MirrorError.manyFilesGone(directory, objects: gone.count) }
            /// Takes some files over, all or none.
            func take(_ changes: [DirectorySide.Change]) throws {
                let (former, formerAsides) = (report, asides)
                do {
                    try transaction.savepoint {
                        for change in changes {
                            // What is owned comes before its owner, which refers to it.
                            for (name, object) in change.objects.reversed() { try merge(name, object, side, now, contents, change.path, transaction, &report, &asides) }
                            for object in change.newObjects { try save(object, contents, transaction, &report) }
                        }
                    }
                } catch {
                    (report, asides) = (former, formerAsides)
                    throw error
                }
            }
            do {
                // Together, since an object may go from the one to the other.
                try take(side.changes)
            } catch is TroveError {
                for change in side.changes {
                    do {
                        try take([change])
                    } catch let error as TroveError {
                        report.problems.append(.init(file: change.path, reason: "the store did not take it: \(error)"))
                        side.block(change.path)
                    }
                }
            }
            for name in gone.sorted(by: { ($0.model, $0.id) < ($1.model, $1.id) }) where !side.isBlocked(name) {
                try remove(name, side, now, contents, transaction, &report)
            }
        }
        // Before the files get what the store has: until then they themselves keep what loses.
        try DirectoryFiles.write(asides)
    }

    private func merge(
        _ name: ObjectName, _ object: WrittenObject, _ side: DirectorySide, _ now: [ObjectName: WrittenObject], _ contents: StoreContents, _ path: String, _ transaction: WriteTransaction,
        _ report: inout MirrorReport, _ asides: inout [(url: URL, data: Data)]
    ) throws {
        let merge = Merge(base: side.base[name], store: now[name], file: object)
        if merge.isConflict {
            let conflict = DirectoryFiles.conflictPath(of: path, in: directory, besides: asides.map(\.url))
            asides.append((directory.appending(path: conflict), Data(try WrittenObject.text([object], .pretty).utf8)))
            report.conflicts.append(.init(object: name.reported, properties: merge.conflicts, file: conflict))
        }
        guard merge.result != now[name], let result = merge.result else { return }
        try save(result, contents, transaction, &report)
    }

    private func save(_ object: WrittenObject, _ contents: StoreContents, _ transaction: WriteTransaction, _ report: inout MirrorReport) throws {
        let saved: WrittenObject
        guard let isCollection = contents.isCollection[object.model] ?? (object.id.map { if case .objectID = $0 { true } else { false } } ?? true ? true : nil) else {
            throw TroveError.unknownType(object.model)
        }
        if isCollection {
            var document = Document(object.value, className: object.className)
            if let id = object.id {
                guard case .objectID(let id) = id else { throw TroveError.invalidProperty(model: object.model, property: "$id", reason: "is not the id of a document") }
                document.id = id
            }
            try transaction.documents(object.model).save(document)
            saved = WrittenObject(document, in: object.model)
        } else {
            guard case .object(let properties) = object.value, object.className == nil else {
                throw TroveError.invalidProperty(model: object.model, property: "$value", reason: "is for documents of collections")
            }
            let objects = transaction.documents(of: object.model)
            if let id = object.id, var known = try objects.fetch(id: id) {
                known.value = object.value
                saved = WrittenObject(try objects.save(known))
            } else {
                saved = WrittenObject(try objects.save(ModelDocument(properties.dictionary, id: object.id)))
            }
        }
        if let name = try saved.name() { report.saved.append(name.reported) }
    }

    /// Deletes an object whose file is gone, unless the store changed it meanwhile.
    private func remove(
        _ name: ObjectName, _ side: DirectorySide, _ now: [ObjectName: WrittenObject], _ contents: StoreContents, _ transaction: WriteTransaction, _ report: inout MirrorReport
    ) throws {
        guard let object = now[name], let id = object.id else { return }
        guard object == side.base[name] else {
            report.conflicts.append(.init(object: name.reported, properties: [], file: nil))
            return
        }
        do {
            try transaction.savepoint {
                let isDeleted: Bool
                if contents.isCollection[name.model] == true, case .objectID(let id) = id {
                    isDeleted = try transaction.documents(name.model).delete(ids: [id]) > 0
                } else {
                    isDeleted = try transaction.documents(of: name.model).delete(id: id)
                }
                if isDeleted { report.deleted.append(name.reported) }
            }
        } catch let error as TroveError {
            report.problems.append(.init(file: side.path[name] ?? name.model, reason: "the store did not delete it: \(error)"))
        }
    }

    // MARK: - Store to files

    /// Writes the files that differ from what the store has, and removes those of objects that are gone.
    private func writeFiles(_ contents: StoreContents, _ side: DirectorySide, _ ledger: inout Ledger, _ report: inout MirrorReport) throws {
        var files: [String: Ledger.File] = [:]
        var new: [(path: String, data: Data, names: [ObjectName], text: String)] = []
        var used: Set<String> = []
        for file in contents.files {
            let path = side.path[file.root] ?? Self.path(of: file.root, in: contents.folders[file.root.model] ?? "")
            guard used.insert(path).inserted else { continue }
            let objects = file.text
            if side.isBlocked(path) {
                files[path] = ledger.files[path]
                continue
            }
            // What a person wrote in another form stays, when it says the same.
            if side.text[path] == objects, let stamp = side.stamps[path] {
                files[path] = Ledger.File(stamp: stamp, file.names, objects)
            } else if side.isAsRead(path) {
                new.append((path, Data(try WrittenObject.text(file.objects, .pretty).utf8), file.names, objects))
            } else {
                // Somebody wrote the file meanwhile; the next run reads it.
                files[path] = ledger.files[path]
            }
        }
        try DirectoryFiles.write(new.map { (directory.appending(path: $0.path), $0.data) })
        for (path, _, names, text) in new {
            if let stamp = FileStamp(directory.path + "/" + path) { files[path] = Ledger.File(stamp: stamp, names, text) }
            report.written.append(path)
        }
        for (path, stamp) in side.stamps where files[path] == nil && !side.isBlocked(path) && side.text[path] != nil {
            guard side.isAsRead(path), FileStamp(directory.path + "/" + path) == stamp else { continue }
            try DirectoryFiles.remove(directory.appending(path: path))
            report.removed.append(path)
        }
        for path in side.blocked where files[path] == nil { files[path] = ledger.files[path] }
        ledger.files = files
    }

    /// The path of the file of an object that has none yet.
    private static func path(of name: ObjectName, in folder: String) -> String {
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
        return folder + "/" + FileName.of(id ?? name.id) + ".json"
    }
}
