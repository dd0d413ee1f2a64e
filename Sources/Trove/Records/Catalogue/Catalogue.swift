import Synchronization

/// The layouts of an open store, read from its catalogue keyspace when they are first met.
///
/// Entries are only ever added (or retired) in the store, also by other processes, so a layout once read stays right.
final class Catalogue: Sendable {
    /// Trove's own keyspaces begin with this character; models' names do not.
    static let reservedPrefix: Character = "$"
    static let keyspaceName = "$catalogue"

    private let layouts = Mutex<[UInt16: RecordLayout]>([:])

    /// The layout with this number.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)`` when the store has none or it is damaged.
    func layout(_ number: UInt16, reader: any StorageReader) throws -> RecordLayout {
        if let layout = layouts.withLock({ $0[number] }) { return layout }
        let name = LayoutEntry.name(number)
        guard let keyspace = try reader.keyspace(named: Self.keyspaceName),
            let bytes = try reader.value(of: Array(name.utf8), in: keyspace)
        else { throw TroveError.corruptCatalogue(entry: name, reason: "a record names this layout, but there is none") }
        let layout = try LayoutEntry(bytes, name: name).layout
        layouts.withLock { $0[number] = layout }
        return layout
    }

    /// All entries about layouts, by number.
    static func entries(_ reader: any StorageReader) throws -> [LayoutEntry] {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return [] }
        var entries: [LayoutEntry] = []
        try reader.scan(.prefix(Array(LayoutEntry.namePrefix.utf8)), in: keyspace) { key, value in
            let name = String(decoding: [UInt8](copying: key), as: UTF8.self)
            entries.append(try LayoutEntry([UInt8](copying: value), name: name))
            return .next
        }
        return entries
    }

    /// The entry about the layout with this number; nil when there is none.
    static func entry(_ number: UInt16, _ reader: any StorageReader) throws -> LayoutEntry? {
        let name = LayoutEntry.name(number)
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return nil }
        return try reader.value(of: Array(name.utf8), in: keyspace).map { try LayoutEntry($0, name: name) }
    }

    static func write(_ entry: LayoutEntry, _ writer: any StorageWriter) throws {
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        try writer.put(Array(LayoutEntry.name(entry.layout.number).utf8), try entry.encode(), in: keyspace)
    }

    /// The store's header; nil when there is none.
    static func header(_ reader: any StorageReader) throws -> StoreHeader? {
        guard let keyspace = try reader.keyspace(named: keyspaceName) else { return nil }
        return try reader.value(of: Array(StoreHeader.name.utf8), in: keyspace).map(StoreHeader.init)
    }

    static func write(_ header: StoreHeader, _ writer: any StorageWriter) throws {
        let keyspace = try writer.createKeyspace(named: keyspaceName)
        try writer.put(Array(StoreHeader.name.utf8), try header.encode(), in: keyspace)
    }
}
