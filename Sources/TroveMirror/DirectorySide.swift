import Foundation
import Trove
import TroveBackendKit

/// What the directory has, compared with what it had at the last synchronization.
///
/// Only its own reading sets what it tells.
final class DirectorySide {
    /// A file that is new or was changed.
    struct Change {
        let path: String
        let objects: [(ObjectName, WrittenObject)]
        /// Those without an id, each with the id that it gets: the same as often as the file is read.
        let newObjects: [(ObjectID, WrittenObject)]
    }

    let directory: URL
    let ledger: Ledger
    let models: MirroredModels
    /// What is in the folders of models now.
    var found: [String: DirectoryFiles.Entry] = [:]
    /// The files of the last synchronization that are not there.
    var goneFiles: Set<String> = []
    /// What each file says, as compact JSON; none of one that cannot be read.
    var text: [String: String] = [:]
    /// The files whose objects are to be merged.
    var changes: [Change] = []
    /// The objects that were in files and are in none now.
    var goneNames: Set<ObjectName> = []
    /// The file that each of these was in.
    var goneFrom: [ObjectName: String] = [:]
    /// The objects of the last synchronization, of files that changed.
    var base: [ObjectName: WrittenObject] = [:]
    /// The file of each object.
    var path: [ObjectName: String] = [:]
    /// The files that nobody touches, since they could not be read or the store refused them.
    var blocked: Set<String> = []
    /// Whether a file was written without saying anything new.
    var hasNewStamps = false

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

    func stamp(of path: String) -> FileStamp? { if case .file(let stamp, _)? = found[path] { stamp } else { nil } }

    /// Leaves files that objects are gone from, and these, as they are.
    func keep(_ paths: Set<String>) {
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
}
