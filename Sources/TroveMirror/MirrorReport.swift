import Trove

/// What a synchronization of files and store did.
public struct MirrorReport: Sendable, Equatable {
    /// An object, as people name it.
    public struct Object: Sendable, Hashable, CustomStringConvertible {
        /// The name of the model or collection.
        public let model: String
        /// The id as JSON.
        public let id: String

        public var description: String { "\(model) \(id)" }
    }

    /// A change of both sides that do not fit together. The store's value stays.
    public struct Conflict: Sendable, Hashable, CustomStringConvertible {
        /// The object that both sides changed.
        public let object: Object
        /// The properties that both sides changed to different values; none when one side deleted what the other changed.
        public let properties: [String]
        /// The file that has what the directory had, by its path in the directory; nil when the directory had deleted the object.
        public let file: String?

        public var description: String {
            let what = properties.isEmpty ? "deleted on one side and changed on the other" : "\(properties.joined(separator: ", ")) changed on both sides"
            return "\(object): \(what)\(file.map { "; the directory's version is in \($0)" } ?? "")"
        }
    }

    /// A file that could not be read, or whose objects the store did not take. It stays as it is, and the store too.
    public struct Problem: Sendable, Equatable, CustomStringConvertible {
        /// The path in the directory.
        public let file: String
        /// Why, in words.
        public let reason: String

        public var description: String { "\(file): \(reason)" }
    }

    /// The files that were written, by their paths in the directory, ascending.
    public internal(set) var written: [String] = []
    /// The files that were removed.
    public internal(set) var removed: [String] = []
    /// The objects that the store took over from files.
    public internal(set) var saved: [Object] = []
    /// The objects that the store deleted because they are gone from the files.
    public internal(set) var deleted: [Object] = []
    /// What both sides changed.
    public internal(set) var conflicts: [Conflict] = []
    /// What could not be read or taken over.
    public internal(set) var problems: [Problem] = []
    /// The models that are not mirrored because some of their properties are encrypted.
    public internal(set) var leftOut: [String] = []

    /// Adds what a run did that followed at once: what is a problem after it is one.
    mutating func add(_ next: MirrorReport) {
        written = Set(written + next.written).sorted()
        removed = Set(removed + next.removed).sorted()
        saved += next.saved
        deleted += next.deleted
        // One that waits for a file that cannot be written is in both.
        let known = Set(conflicts)
        conflicts += next.conflicts.filter { !known.contains($0) }
        (problems, leftOut) = (next.problems, next.leftOut)
    }

    /// Whether nothing was changed on either side.
    public var isUnchanged: Bool { isIdle && conflicts.isEmpty }

    private var isIdle: Bool { written.isEmpty && removed.isEmpty && saved.isEmpty && deleted.isEmpty }

    /// Whether it tells what the run before did not: what was done, or that other problems or conflicts wait.
    ///
    /// - Parameter last: the report of that run; nil of the first.
    package func isNews(after last: MirrorReport?) -> Bool {
        guard let last, isIdle else { return true }
        return problems != last.problems || !conflicts.isEmpty && conflicts != last.conflicts
    }
}

extension MirrorReport: CustomStringConvertible {
    /// The numbers in a line, then conflicts and problems with a line each.
    public var description: String {
        let numbers = [(written.count, "written"), (removed.count, "removed")].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "file" : "files") \($0.1)" }
        let objects = [(saved.count, "saved"), (deleted.count, "deleted")].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "object" : "objects") \($0.1)" }
        let first = (numbers + objects).isEmpty ? "nothing to do" : (numbers + objects).joined(separator: ", ")
        let left = leftOut.isEmpty ? [] : ["not mirrored, since encrypted: " + leftOut.joined(separator: ", ")]
        return ([first] + conflicts.map { "conflict: \($0)" } + problems.map { "problem: \($0)" } + left).joined(separator: "\n")
    }
}
