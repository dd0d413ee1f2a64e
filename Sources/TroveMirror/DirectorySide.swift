import Foundation
import Trove
import TroveBackendKit

/// What the directory has, compared with what it had at the last synchronization.
final class DirectorySide {
    /// A file that is new or was changed.
    struct Change {
        let path: String
        let objects: [(ObjectName, WrittenObject)]
        /// Those without an id.
        let newObjects: [WrittenObject]
    }

    private let directory: URL
    private let ledger: Ledger
    /// The collections of documents.
    private let collections: Set<String>
    /// The files that are there now.
    private(set) var stamps: [String: FileStamp] = [:]
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

    init(_ directory: URL, _ ledger: Ledger, collections: Set<String>) {
        self.directory = directory
        self.ledger = ledger
        self.collections = collections
    }

    /// The objects whose files changed or are gone.
    var changedNames: Set<ObjectName> { goneNames.union(changes.flatMap { $0.objects.map(\.0) }) }

    var hasChanges: Bool { !changes.isEmpty || !goneNames.isEmpty }

    func block(_ path: String) { blocked.insert(path) }

    /// Whether an object is gone from a file of which nothing was taken over.
    func isBlocked(_ name: ObjectName) -> Bool { goneFrom[name].map { blocked.contains($0) } ?? false }
    func isBlocked(_ path: String) -> Bool { blocked.contains(path) }

    /// Whether a file is as it was when it was read, or is not there still.
    func isAsRead(_ path: String) -> Bool { FileStamp(directory.path + "/" + path) == stamps[path] }

    func read(_ report: inout MirrorReport) throws {
        let found = try DirectoryFiles.all(in: directory)
        stamps = found.compactMapValues(\.self)
        var seen: [ObjectName: String] = [:]
        var unread: Set<ObjectName> = []
        // In the order of the names, so that of two files with one object it is always the same that counts.
        for (path, stamp) in found.sorted(by: { $0.key < $1.key }) {
            if let known = ledger.files[path], known.stamp == stamp {
                text[path] = known.objects
                note(known, path, &seen)
                continue
            }
            do {
                guard let stamp else { throw Fault(reason: "it is no regular file") }
                let objects = try objects(in: directory.path + "/" + path, path, stamp)
                try take(objects, path, &seen)
            } catch {
                report.problems.append(.init(file: path, reason: Self.reason(error)))
                blocked.insert(path)
                for name in names(ledger.files[path]) {
                    self.path[name] = path
                    unread.insert(name)
                }
            }
        }
        for (path, file) in ledger.files where found[path] == nil {
            for (name, object) in Self.named(file) {
                base[name] = object
                goneNames.insert(name)
                goneFrom[name] = path
                if seen[name] == nil, !unread.contains(name) { self.path[name] = path }
            }
        }
        // What moved from file to file is gone from neither.
        goneNames = goneNames.filter { seen[$0] == nil && !unread.contains($0) }
    }

    /// Notes what an unchanged file has; its objects are read when they are needed.
    private func note(_ file: Ledger.File, _ path: String, _ seen: inout [ObjectName: String]) {
        for name in names(file) {
            seen[name] = path
            self.path[name] = path
        }
    }

    private func take(_ objects: [WrittenObject], _ path: String, _ seen: inout [ObjectName: String]) throws {
        let known = Self.named(ledger.files[path])
        var named: [(ObjectName, WrittenObject)] = []
        for object in objects {
            guard let name = try object.name() else { continue }
            if let other = seen[name] { throw Fault(reason: "\(name.reported) is in \(other) too; delete one of them") }
            named.append((name, object))
        }
        if Set(named.map(\.0)).count < named.count { throw Fault(reason: "an object is in it twice") }
        for (name, object) in known { base[name] = object }
        for (name, _) in named {
            seen[name] = path
            self.path[name] = path
        }
        let written = try WrittenObject.text(objects, .compact)
        text[path] = written
        hasNewStamps = true
        if written == ledger.files[path]?.objects { return }
        let present = Set(named.map(\.0))
        for (name, _) in known where !present.contains(name) {
            goneNames.insert(name)
            goneFrom[name] = path
        }
        changes.append(Change(path: path, objects: named, newObjects: objects.filter { $0.id == nil }))
    }

    private struct Fault: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    private static func reason(_ error: any Error) -> String {
        if case TroveError.invalidJSON(let line, let column, _, let reason) = error { return "line \(line), column \(column): \(reason)" }
        return "\(error)"
    }

    /// The largest file that is read.
    private static let maxSize = 256 << 20

    private func objects(in file: String, _ path: String, _ stamp: FileStamp) throws -> [WrittenObject] {
        guard stamp.size <= Self.maxSize else { throw Fault(reason: "it has more than \(Self.maxSize) bytes") }
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
            return collections.contains(object.model) ? object : object.withoutNils
        }
    }

    private static func named(_ file: Ledger.File?) -> [(ObjectName, WrittenObject)] {
        guard let file, let objects = try? WrittenObject.all(json: file.objects) else { return [] }
        return objects.compactMap { object in (try? object.name()).flatMap { $0 }.map { ($0, object) } }
    }

    private func names(_ file: Ledger.File?) -> [ObjectName] { file?.names ?? [] }
}
