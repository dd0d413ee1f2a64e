/// What an import has done.
public struct ImportReport: Sendable, Codable {
    /// What became of the objects of one collection.
    public struct Collection: Sendable, Codable, Hashable {
        /// The name of the collection.
        public let name: String
        /// The number of objects that the source has.
        public internal(set) var read = 0
        /// The number of those that were stored, the replaced ones among them.
        public internal(set) var stored = 0
        /// The number of those that took the place of stored ones.
        public internal(set) var replaced = 0
        /// The number of those of which the stored ones stayed.
        public internal(set) var skipped = 0
        /// The number of those that could not be stored.
        public internal(set) var refused = 0
        /// Whether what was read back from the store is what the source has: as many objects, and the same sum of hashes. nil where nothing was stored.
        public internal(set) var isVerified: Bool?

        init(_ name: String) { self.name = name }
    }

    /// The collections, by their names.
    public internal(set) var collections: [Collection] = []
    /// The bags, in the order of the source.
    public internal(set) var bags: [Bag] = []
    /// The first hundred of what could not be taken, or not as it was.
    public internal(set) var faults: [ImportFault] = []
    /// The number of all.
    public internal(set) var faultCount = 0
    /// Whether nothing was stored, since that was asked for.
    public internal(set) var isDryRun = false

    /// The number of objects that were stored, bags not among them.
    public var stored: Int { collections.reduce(0) { $0 + $1.stored } }
    /// Whether all objects and bags of the source were stored or skipped, nothing is at fault, and what was stored reads back as it was.
    public var isComplete: Bool { faultCount == 0 && counted.allSatisfy { $0.refused == 0 && $0.isVerified != false } }
}

extension ImportReport: CustomStringConvertible {
    public var description: String {
        var lines = counted.map { collection in
            var parts = ["\(collection.name): \(collection.stored) of \(collection.read) \(isDryRun ? "would be stored" : "stored")"]
            if collection.replaced > 0 { parts.append("\(collection.replaced) of them replaced") }
            if collection.skipped > 0 { parts.append("\(collection.skipped) there already") }
            if collection.refused > 0 { parts.append("\(collection.refused) refused") }
            if let isVerified = collection.isVerified { parts.append(isVerified ? "read back and equal" : "READ BACK AND DIFFERENT") }
            return parts.joined(separator: ", ")
        }
        if faultCount > 0 { lines.append("faults: \(faultCount)") }
        lines += faults.map { "  \($0)" }
        if faultCount > faults.count { lines.append("  … and \(faultCount - faults.count) more") }
        return lines.joined(separator: "\n")
    }
}
