import Foundation
import Trove

/// The changes of the files, merged into the store in one transaction.
struct TakeOver {
    private let transaction: WriteTransaction
    private let side: DirectorySide
    private let directory: URL
    private let models: MirroredModels
    /// The objects of the changed files as the store had them before any was taken over.
    private let before: [ObjectName: WrittenObject]
    private(set) var report: MirrorReport
    /// The versions that lost, and where they go.
    private(set) var asides: [(url: URL, data: Data, path: String, source: String)] = []
    private var asidePaths: Set<String> = []
    /// What the files made of each object that they have.
    private var taken: [(path: String, name: ObjectName, object: WrittenObject)] = []
    /// The objects that files have which do not tell their ids: none of them is gone.
    private var recognized: [ObjectName] = []
    /// The files that the store refused, as a whole or in a part that is to be taken again.
    private(set) var refused: Set<String> = []

    /// - Parameter report: what was done so far.
    init(_ transaction: WriteTransaction, _ side: DirectorySide, _ directory: URL, _ report: MirrorReport) throws {
        (self.transaction, self.side, self.directory, self.report) = (transaction, side, directory, report)
        models = try MirroredModels(transaction)
        var before: [ObjectName: WrittenObject] = [:]
        for name in side.changedNames { before[name] = try Self.fetch(name, transaction, models) }
        self.before = before
    }

    /// The objects of the store whose files are gone.
    var gone: [ObjectName] { side.goneNames.filter { before[$0] != nil }.sorted { ($0.model, $0.id) < ($1.model, $1.id) } }

    mutating func run() throws {
        do {
            // Together, since an object may go from the one to the other.
            try take(side.changes)
        } catch where Self.isRefusal(error) {
            for change in side.changes {
                do {
                    try take([change])
                } catch where Self.isRefusal(error) {
                    report.problems.append(.init(file: change.path, reason: "the store did not take it: \(error)"))
                    refused.insert(change.path)
                }
            }
        }
        let recognized = Set(recognized)
        let left = gone.filter { !recognized.contains($0) }
        let files = Dictionary(grouping: left, by: side.source).sorted { $0.key < $1.key }
        for (path, names) in files where !side.isBlocked(path) && !refused.contains(path) {
            // What is in one file is deleted together: an owner takes along what it owns, changed or not.
            let changed = Set(names.filter { !before[$0].isSame(as: side.base[$0]) })
            for name in names where changed.contains(name) { report.conflicts.append(.init(object: name.reported, properties: [], file: nil)) }
            if changed.isEmpty || !side.isGone(path) { for name in names where !changed.contains(name) { try remove(name) } }
        }
        try restoreTaken()
    }

    /// Stores again what was put into another file, and went along with an owner that is gone or let go of it.
    private mutating func restoreTaken() throws {
        for (path, name, object) in taken where try side.hasMoved(name, to: path) && Self.fetch(name, transaction, models) == nil {
            do {
                try transaction.savepoint { _ = try store(object) }
            } catch where Self.isRefusal(error) {
                report.problems.append(.init(file: path, reason: "the store did not take it: \(error)"))
                refused.insert(path)
            }
        }
    }

    /// Whether an error is about an object that the store, or its delegate, does not take. Any other, such as a full disk, ends the run.
    static func isRefusal(_ error: any Error) -> Bool {
        switch error as? StorageError {
        case nil, .emptyKey, .keyTooLarge, .valueTooLarge: true
        default: false
        }
    }

    /// Takes some files over, all or none.
    private mutating func take(_ changes: [DirectorySide.Change]) throws {
        let mark = mark
        do {
            try transaction.savepoint {
                for change in changes {
                    // What is owned comes before its owner, which refers to it.
                    for (name, object) in change.objects.reversed() { try merge(name, object, change.path, before[name]) }
                    for (id, object) in change.newObjects { try insert(object, id, change.path) }
                }
            }
        } catch {
            undo(to: mark)
            throw error
        }
    }

    /// What grows while files are taken over. A copy of all of it for each file would be work in proportion to their square.
    private struct Mark { let taken, recognized, asides, saved, conflicts: Int }

    private var mark: Mark {
        Mark(taken: taken.count, recognized: recognized.count, asides: asides.count, saved: report.saved.count, conflicts: report.conflicts.count)
    }

    private mutating func undo(to mark: Mark) {
        taken.removeSubrange(mark.taken...)
        recognized.removeSubrange(mark.recognized...)
        for aside in asides[mark.asides...] { asidePaths.remove(aside.url.path) }
        asides.removeSubrange(mark.asides...)
        report.saved.removeSubrange(mark.saved...)
        report.conflicts.removeSubrange(mark.conflicts...)
    }

    private mutating func merge(_ name: ObjectName, _ object: WrittenObject, _ path: String, _ stored: WrittenObject?) throws {
        let merge = Merge(base: side.base[name], store: stored, file: object)
        if merge.isConflict {
            let data = Data(try WrittenObject.text([object], .pretty).utf8)
            let (conflict, isThere) = DirectoryFiles.conflictPath(of: path, in: directory, for: data) { asidePaths.contains($0) }
            if !isThere {
                let url = directory.appending(path: conflict)
                asidePaths.insert(url.path)
                asides.append((url, data, conflict, path))
            }
            report.conflicts.append(.init(object: name.reported, properties: merge.conflicts, file: conflict))
        }
        guard let result = merge.result else { return }
        taken.append((path, name, result))
        guard !WrittenObject?.some(result).isSame(as: stored) else { return }
        // What other objects of this run made of it, as the other side of a relationship, stays unless this file says otherwise.
        let now = try Self.fetch(name, transaction, models)
        try save(now.isSame(as: stored) ? result : Merge(base: stored, store: result, file: now).result ?? result)
    }

    // MARK: - Objects

    private static func fetch(_ name: ObjectName, _ transaction: ReadTransaction, _ models: MirroredModels) throws -> WrittenObject? {
        guard models.names.contains(name.model), let id = try? StoredValue(json: name.id) else { return nil }
        if models.collections.contains(name.model) {
            guard case .objectID(let id) = id else { return nil }
            return try transaction.documents(name.model).fetch(id: id).map { WrittenObject($0, in: name.model) }
        }
        do {
            return try transaction.documents(of: name.model).fetch(id: id).map { WrittenObject($0).withoutNils }
        } catch TroveError.invalidProperty(_, "$id", _) {
            // An id of another type than the model's has no object. Saving it tells its file why.
            return nil
        }
    }

    /// Stores an object whose file does not tell its id, unless a run that was broken off has done so. One whose properties are the id of an object that
    /// there is says what a file says that nobody knew: it is merged, and does not take that one's place.
    private mutating func insert(_ object: WrittenObject, _ id: ObjectID, _ path: String) throws {
        var object = object
        if models.isCollection(object.model) {
            object.id = .objectID(id)
        } else if case .object(let properties) = object.value, let made = try transaction.documents(of: object.model).identity(of: properties) {
            object.id = made
            if let name = try object.name(), let stored = try Self.fetch(name, transaction, models) {
                recognized.append(name)
                return try merge(name, object, path, stored)
            }
        } else {
            switch models.idTypes[object.model] {
            case "ObjectID": object.id = .objectID(id)
            case "UUID": object.id = .uuid(id.uuid)
            // The store says which it takes.
            default: break
            }
        }
        if let name = try object.name(), try Self.fetch(name, transaction, models) != nil { return }
        try save(object)
    }

    private mutating func save(_ object: WrittenObject) throws {
        if let name = try store(object).name() { report.saved.append(name.reported) }
    }

    /// - Returns: the object as it is stored.
    private func store(_ object: WrittenObject) throws -> WrittenObject {
        if models.leftOut.contains(object.model) {
            throw TroveError.invalidProperty(model: object.model, property: "$model", reason: "is not mirrored, since some of its properties are encrypted")
        }
        return try models.isCollection(object.model) ? saveDocument(object) : saveObject(object)
    }

    private func saveDocument(_ object: WrittenObject) throws -> WrittenObject {
        var document = Document(object.value, className: object.className)
        if let id = object.id {
            guard case .objectID(let id) = id else {
                guard models.collections.contains(object.model) else { throw TroveError.unknownType(object.model, known: models.collections.sorted()) }
                throw TroveError.invalidProperty(model: object.model, property: "$id", reason: "is not the id of a document")
            }
            document.id = id
        }
        try transaction.documents(object.model).save(document)
        return WrittenObject(document, in: object.model)
    }

    private func saveObject(_ object: WrittenObject) throws -> WrittenObject {
        guard case .object(let properties) = object.value, object.className == nil else {
            throw TroveError.invalidProperty(model: object.model, property: "$value", reason: "is for documents of collections")
        }
        let objects = transaction.documents(of: object.model)
        guard let id = object.id, var known = try objects.fetch(id: id) else {
            return WrittenObject(try objects.save(ModelDocument(properties.dictionary, id: object.id)))
        }
        known.value = object.value
        return WrittenObject(try objects.save(known))
    }

    /// Deletes an object whose file is gone.
    private mutating func remove(_ name: ObjectName) throws {
        guard let id = before[name]?.id else { return }
        do {
            let isDeleted = try transaction.savepoint {
                if models.collections.contains(name.model), case .objectID(let id) = id { return try transaction.documents(name.model).delete(ids: [id]) > 0 }
                return try transaction.documents(of: name.model).delete(id: id)
            }
            if isDeleted { report.deleted.append(name.reported) }
        } catch where Self.isRefusal(error) {
            report.problems.append(.init(file: side.source(of: name), reason: "the store did not delete it: \(error)"))
        }
    }
}
