import Foundation

/// The catalogue's entry about the store as a whole.
struct StoreHeader {
    /// The format of catalogue, records and indexes that this version reads and writes.
    static let currentFormat = 1
    static let name = "store"
    /// What a store may use that a program has to know before it opens it, by name; this version knows of nothing.
    private static let knownFeatures: Set<String> = []

    /// The format the store was written in.
    var format: Int
    /// Tells stores apart; a copy has its original's.
    var identity: UUID
    /// Tells apart the copies of a store that are written to; each has its own.
    var replica: UUID
    /// Whether the store is the target of a copy that runs or was broken off.
    var isCopying: Bool
    /// What later versions have written besides, which is kept.
    private var others: [String: StoredValue] = [:]

    init(format: Int = currentFormat, identity: UUID = UUID(), replica: UUID = UUID(), isCopying: Bool = false) {
        self.format = format
        self.identity = identity
        self.replica = replica
        self.isCopying = isCopying
    }

    func encode() throws -> [UInt8] {
        let values: [String: StoredValue] = [
            "format": .int(Int64(format)), "identity": .uuid(identity), "replica": .uuid(replica), "copying": .bool(isCopying), "features": .array([]),
        ]
        return try CatalogueEntry.encode(.object(others.merging(values) { _, known in known }), name: Self.name)
    }

    /// - Throws: ``TroveError/newerFormat(stored:supported:)``, ``TroveError/newerFeatures(_:)``, ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8]) throws {
        guard case .object(let parts) = try CatalogueEntry.decode(bytes, name: Self.name), case var values = parts.dictionary, case .int(let stored) = values.removeValue(forKey: "format"),
            let format = Int(exactly: stored), format > 0
        else { throw TroveError.corruptCatalogue(entry: Self.name, reason: "it has no format number") }
        guard format <= Self.currentFormat else { throw TroveError.newerFormat(stored: format, supported: Self.currentFormat) }
        guard case .uuid(let identity) = values.removeValue(forKey: "identity"), case .uuid(let replica) = values.removeValue(forKey: "replica"),
            case .bool(let isCopying) = values.removeValue(forKey: "copying"), case .array(let features) = values.removeValue(forKey: "features")
        else { throw TroveError.corruptCatalogue(entry: Self.name, reason: "a part is missing") }
        let names = try features.map { feature in
            guard case .string(let name) = feature else {
                throw TroveError.corruptCatalogue(entry: Self.name, reason: "a feature has no name")
            }
            return name
        }
        let unknown = names.filter { !Self.knownFeatures.contains($0) }
        guard unknown.isEmpty else { throw TroveError.newerFeatures(unknown) }
        self.init(format: format, identity: identity, replica: replica, isCopying: isCopying)
        others = values
    }
}
