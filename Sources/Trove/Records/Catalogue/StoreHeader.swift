import Foundation

/// The catalogue's entry about the store as a whole.
struct StoreHeader {
    /// The newest format of catalogue and records that this version reads and writes.
    static let currentFormat = 2
    static let name = "store"

    /// The format the store was written in.
    var format: Int
    /// Tells stores apart; a copy has its original's.
    var identity: UUID
    /// Whether the store is the target of a copy that runs or was broken off.
    var isCopying: Bool

    func encode() throws -> [UInt8] {
        try CatalogueEntry.encode(
            .object(["format": .int(Int64(format)), "identity": .uuid(identity), "copying": .bool(isCopying)]), name: Self.name)
    }

    init(format: Int = currentFormat, identity: UUID = UUID(), isCopying: Bool = false) {
        self.format = format
        self.identity = identity
        self.isCopying = isCopying
    }

    /// - Throws: ``TroveError/newerFormat(stored:supported:)``, ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8]) throws {
        let value = try CatalogueEntry.decode(bytes, name: Self.name)
        guard case .int(let format) = value.value(at: "format") else {
            throw TroveError.corruptCatalogue(entry: Self.name, reason: "it has no format number")
        }
        guard format <= Self.currentFormat else {
            throw TroveError.newerFormat(stored: Int(format), supported: Self.currentFormat)
        }
        guard case .uuid(let identity) = value.value(at: "identity"), case .bool(let isCopying) = value.value(at: "copying") else {
            throw TroveError.corruptCatalogue(entry: Self.name, reason: "a part is missing")
        }
        self.init(format: Int(format), identity: identity, isCopying: isCopying)
    }
}
