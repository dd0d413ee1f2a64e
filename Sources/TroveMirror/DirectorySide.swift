import Foundation
import Trove
import TroveBackendKit

/// What the directory has, compared with what it had at the last synchronization.
final class DirectorySide {
    /// A file that is new or was changed.
    struct Change {
        let path: String
        let objects: [(ObjectName, WrittenObject)]
        /// Those without an id, each with the id that it gets: the same as often as the file is read.
        let newObjects: [(ObjectID, WrittenObject)]
    }

    private let directory: URL
    private let ledger: Ledger
    private let models: MirroredModels
    /// What is in the folders of models now.
    private var found: [String: DirectoryFiles.Entry] = [:]
    /// The files of the last synchronization that are not there.
    private var goneFiles: Set<String> = []
    /// What each file says, as compact JSON; none of one that cannot be read.
    private(set) var text: [String: String] = [:]
    /// The files whose objects are to be merged.
    private(set) var changes: [Change] = []
    /// The objects that were in files and are in none now.
    private(set) var goneNames: Set<ObjectName> = []
    /// The file that each of these was in.
    private var goneFrom: [ObjectName: String] = [:]
    /// The objects of the last synchronization, of files that changed.
    private(set) var base: [ObjectName: WrittenObject] = [:]
    /// The file of each object.
    private(set) var path: [ObjectName: String] = [:]
    /// The files that nobody touches, since they could not be read or the store refused them.
    private(set) var blocked: Set<String> = []
    /// Whether a file was written without saying anything new.
    private(set) var hasNewStamps = false

    init(_ directory: URL, _ ledger: Ledger, _ models: MirroredModels) {
        self.directory = directory
        self.ledger = ledger
        self.models = models
    }

    /// The objects whose files changed or are gone.
    var changedNames: Set<ObjectName> { goneNames.union(changes.flatMap { $0.objects.map(\.0) }) }

    var hasChanges: Bool { !changes.isEmpty || !goneNames.isEmpty }

    /// Leaves files alone that the store refused.
    func block(_ paths: Set<String>) { blocked.formUnion(paths) }

    func isBlocked(_ path: String) -> Bool { blocked.contains(path) }

    var hasGoneFiles: Bool { !goneFiles.isEmpty }

    /// Whether a file is not there any more.
    func isGone(_ path: String) -> Bool { goneFiles.contains(path) }

    /// Looks again for files that are not there: many editors put a file aside for a moment when they save it. What is back is read by the next run.
    func lookAgain() {
        keep(goneFiles.filter { FileStamp(directory.path + "/" + $0, followsLinks: false) != nil })
    }

    /// The files that are there now and could be read, but for those that nobody touches.
    var readFiles: [String] { text.keys.filter { !blocked.contains($0) } }

    /// What is written down of a file once it was read: see ``FileStamp/certain``.
    func knownStamp(of path: String) -> FileStamp? { if case .file(_, let known)? = found[path] { known } else { nil } }

    private func stamp(of path: String) -> FileStamp? { if case .file(let stamp, _)? = found[path] { stamp } else { nil } }

    /// Leaves files that objects are gone from, and these, as they are.
    private func keep(_ paths: Set<String>) {
        goneFiles.subtract(paths)
        blocked.formUnion(paths)
        for name in goneNames {
            guard let from = goneFrom[name], paths.contains(from) else { continue }
            path[name] = from
            goneNames.remove(name)
        }
    }

    /// Whether an object of a changed file was in another one, which is gone or was changed too.
    func hasMoved(_ name: ObjectName, to path: String) -> Bool { goneFrom[name].map { $0 != path } ?? false }

    /// The file that an object is gone from.
    func source(of name: ObjectName) -> String { goneFrom[name] ?? name.model }

    /// Whether a file is as it was when it was read, or is not there still.
    func isAsRead(_ path: String) -> Bool { FileStamp(directory.path + "/" + path, followsLinks: false) == stamp(of: path) }

    /// A file that says something else than at the last synchronization.
    private struct Reading {
        let path: String
        let names: [ObjectName]
        /// All of it as compact JSON.
        let text: String
        let objects: [WrittenObject]
    }

    /// - Parameter contents: what the store has, which is asked only when a file lost an object or two files have the same.
    func read(_ report: inout MirrorReport, _ contents: () throws -> StoreContents) throws {
        found = try DirectoryFiles.all(in: directory)
        var unread: Set<ObjectName> = []
        func refuse(_ path: String, _ error: any Error) {
            report.problems.append(.init(file: path, reason: Self.reason(error)))
            blocked.insert(path)
            for name in ledger.files[path]?.names ?? [] {
                self.path[name] = path
                unread.insert(name)
            }
        }
        var seen: [ObjectName: String] = [:]
        var written: [String] = []
        for (path, entry) in found {
            if case .file(let stamp, _) = entry, let known = ledger.files[path], known.stamp == stamp {
                note(path, known.names, known.objects, &seen)
            } else {
                written.append(path)
            }
        }
        var readings: [Reading] = []
        // In the order of the names, so that of two files with one object it is always the same that counts.
        for path in written.sorted() {
            do {
                if let reading = try reading(path) {
                    readings.append(reading)
                } else if let known = ledger.files[path] {
                    note(path, known.names, known.objects, &seen)
                }
            } catch {
                refuse(path, error)
            }
        }
        for (path, reason) in copies(readings) { refuse(path, reason) }
        readings.removeAll { blocked.contains($0.path) }
        let finished = try finishedFiles(readings, seen, contents)
        for reading in readings where finished.contains(reading.path) {
            // An object that came from another file is in both until the next run.
            for name in reading.names { seen[name] = nil }
            note(reading.path, reading.names, reading.text, &seen)
            hasNewStamps = true
        }
        for reading in readings where !finished.contains(reading.path) {
            do { try take(reading, &seen) } catch { refuse(reading.path, error) }
        }
        for (path, file) in ledger.files where found[path] == nil {
            goneFiles.insert(path)
            for (name, object) in Self.named(file) {
                base[name] = base[name] ?? object
                goneNames.insert(name)
                goneFrom[name] = path
                if seen[name] == nil, !unread.contains(name) { self.path[name] = path }
            }
        }
        // What moved from file to file is gone from neither.
        goneNames = goneNames.filter { seen[$0] == nil && !unread.contains($0) }
        // What is gone may be in a file that could not be read, whatever its name: it is judged when all can be, and the file that it is gone from waits as a whole.
        if !blocked.isEmpty {
            keep(Set(goneNames.map(source)))
            for change in changes where blocked.contains(change.path) {
                report.problems.append(.init(file: change.path, reason: "an object is not in it any more, and may be in a file that cannot be read; it waits until all can be"))
            }
            changes.removeAll { blocked.contains($0.path) }
        }
    }

    /// Files that were written since the last synchronization and have one object: nobody knows which of them it is.
    private func copies(_ readings: [Reading]) -> [(String, Fault)] {
        let paths = Dictionary(grouping: readings.flatMap { reading in Set(reading.names).map { ($0, reading.path) } }) { $0.0 }.mapValues { $0.map(\.1) }
        return readings.compactMap { reading in
            for name in reading.names {
                if let other = paths[name]?.first(where: { $0 != reading.path }) {
                    return (reading.path, Fault(reason: "\(name.reported) is in \(other) too; delete one of them"))
                }
            }
            return nil
        }
    }

    /// What a file says that was written since the last synchronization; nil when that is what it said then.
    private func reading(_ path: String) throws -> Reading? {
        if case .refused(let reason)? = found[path] { throw Fault(reason: reason) }
        let objects = try objects(in: directory.path + "/" + path, path)
        let text = try WrittenObject.text(objects, .compact)
        if let known = ledger.files[path], known.objects == text {
            // Written in another form, or so lately that only reading tells.
            hasNewStamps = true
            return nil
        }
        return Reading(path: path, names: try objects.compactMap { try $0.name() }, text: text, objects: objects)
    }

    /// The files that say what the store says, of a run that was broken off after it wrote them: an object that went from one file to another is then in both, or in none.
    private func finishedFiles(_ readings: [Reading], _ seen: [ObjectName: String], _ contents: () throws -> StoreContents) throws -> Set<String> {
        let isDoubtful = readings.contains { reading in
            reading.names.contains { seen[$0] != nil } || !Set(ledger.files[reading.path]?.names ?? []).isSubset(of: reading.names)
        }
        guard isDoubtful else { return [] }
        let texts = Dictionary(try contents().files.map { ($0.root, $0.text) }) { first, _ in first }
        // Of a file that somebody copied, neither is: no run writes one object's file twice.
        return Set(readings.filter { reading in
            guard let root = reading.names.first, seen[root].flatMap({ ledger.files[$0]?.names.first }) != root else { return false }
            return texts[root] == reading.text
        }.map(\.path))
    }

    /// Notes what a file has that needs no merge; its objects are read when they are needed.
    private func note(_ path: String, _ names: [ObjectName], _ text: String, _ seen: inout [ObjectName: String]) {
        self.text[path] = text
        for name in names where seen[name] == nil {
            seen[name] = path
            self.path[name] = path
        }
    }

    private func take(_ reading: Reading, _ seen: inout [ObjectName: String]) throws {
        let path = reading.path
        let known = Self.named(ledger.files[path])
        let present = Set(reading.names)
        for name in reading.names {
            if let other = seen[name] { throw Fault(reason: "\(name.reported) is in \(other) too; delete one of them") }
        }
        if present.count < reading.names.count { throw Fault(reason: "an object is in it twice") }
        for (name, object) in known { base[name] = object }
        for name in reading.names {
            seen[name] = path
            self.path[name] = path
        }
        text[path] = reading.text
        hasNewStamps = true
        for (name, _) in known where !present.contains(name) {
            goneNames.insert(name)
            goneFrom[name] = path
        }
        let named = try reading.objects.compactMap { object in try object.name().map { ($0, object) } }
        let new = reading.objects.enumerated().filter { $0.element.id == nil }.map { (newID(path, $0.offset), $0.element) }
        changes.append(Change(path: path, objects: named, newObjects: new))
    }

    /// The id of an object of a file that tells none, made of what the file is, so that a run that was broken off after it stored the object does not store it twice.
    private func newID(_ path: String, _ position: Int) -> ObjectID {
        guard let stamp = stamp(of: path) else { return ObjectID() }
        let text = "\(stamp.device) \(stamp.inode) \(stamp.size) \(stamp.seconds) \(stamp.nanoseconds) \(position) \(path)"
        // As any other id: 48 bits of milliseconds, the version 7, the variant, and what is by chance there.
        let milliseconds = UInt64(max(0, stamp.seconds)) &* 1000 &+ UInt64(stamp.nanoseconds / 1_000_000)
        let halves = [milliseconds << 16 | 0x7000 | FileName.hash(text) & 0xFFF, 1 << 63 | FileName.hash("id " + text) >> 2]
        return halves.map(\.bigEndian).withUnsafeBytes { ObjectID(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
    }

    private struct Fault: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    private static func reason(_ error: any Error) -> String {
        if case TroveError.invalidJSON(let line, let column, _, let reason) = error { return "line \(line), column \(column): \(reason)" }
        return FileFailure.reason(of: error)
    }

    /// The largest file that is read.
    private static let maxSize = 256 << 20

    private func objects(in file: String, _ path: String) throws -> [WrittenObject] {
        guard let size = stamp(of: path)?.size, size <= Self.maxSize else { throw Fault(reason: "it has more than \(Self.maxSize) bytes") }
        let data = try Data(contentsOf: URL(filePath: file))
        guard let text = String(validating: data, as: UTF8.self) else { throw Fault(reason: "it is not UTF-8") }
        let folder = path.prefix { $0 != "/" }
        return try WrittenObject.all(json: text).map { object in
            var object = object
            if object.model.isEmpty {
                guard let model = String(folder).removingPercentEncoding, FileName.of(model, isFolder: true) == folder else {
                    throw Fault(reason: "it does not say of which model the object is, as \"$model\"")
                }
                object.model = model
            }
            return models.isCollection(object.model) ? object : object.withoutNils
        }
    }

    private static func named(_ file: Ledger.File?) -> [(ObjectName, WrittenObject)] {
        guard let file, let objects = try? WrittenObject.all(json: file.objects) else { return [] }
        return objects.compactMap { object in (try? object.name()).flatMap { $0 }.map { ($0, object) } }
    }
}
