import Foundation
import Trove

/// A store of Core Data or SwiftData.
///
/// `Z_PRIMARYKEY` has the entities with their numbers and parents. The table of an entity without a parent, `ZSONG`, has the objects of the entities below it too; `Z_ENT` tells which one each is. A column is `Z` and
/// the attribute's name in capitals, so names come in lower case. A relationship to one is the `Z_PK` of another row, of an entity that the column's name or its index tells; a relationship of many to many is
/// a table `Z_1TAGS`, with the order in `Z_FOK_…`. Dates are seconds since 2001.
final class CoreDataReader: SourceReader {
    private struct Table {
        let name: String
        /// The entity without a parent that the table is of.
        let root: CoreDataEntity
        let columns: [CoreDataColumn]
    }

    private let database: ForeignDatabase
    private let entities: [Int64: CoreDataEntity]
    private let tables: [Table]
    private let joins: [CoreDataJoin]
    private let externalData: String

    init(_ path: String) throws {
        let database = try ForeignDatabase(path)
        self.database = database
        let entities = try CoreDataEntity.all(in: database)
        self.entities = entities
        let url = URL(fileURLWithPath: path)
        externalData = url.deletingLastPathComponent().path + "/." + url.deletingPathExtension().lastPathComponent + "_SUPPORT/_EXTERNAL_DATA/"
        let names = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap { if case .string(let name) = $0[0] { name } else { nil } }
        let roots = entities.values.filter { $0.parent == 0 }.sorted { $0.number < $1.number }
        tables = try roots.compactMap { root in
            guard names.contains(root.table) else { return nil }
            return Table(name: root.table, root: root, columns: try CoreDataColumn.all(of: root.table, entities, in: database))
        }
        joins = try names.compactMap { try CoreDataJoin($0, entities, in: database) }
    }

    var rowCount: Int? {
        get throws {
            try tables.reduce(0) { sum, table in
                guard case .int(let count)? = try database.value("SELECT count(*) FROM \(table.name.asIdentifier)") else { return sum }
                return sum + Int(count)
            }
        }
    }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        for table in tables {
            let selected = table.columns.map { ", t.\($0.column.asIdentifier)" }.joined()
            try database.forEachRow("SELECT t.Z_PK, t.Z_ENT\(selected) FROM \(table.name.asIdentifier) t ORDER BY t.Z_PK") { row in
                let number = row.int(0)
                let place = "the row \(number) of \(table.name)"
                guard let entity = entities[row.int(1)] else {
                    return try body(.fault(ImportFault(collection: table.root.name, place: place, reason: "its entity, number \(row.int(1)), is not one of the store")))
                }
                var attributes: [String: SourceValue] = [:]
                for (position, column) in table.columns.enumerated() {
                    // What another entity of the same table has is nil in this one.
                    if row.isNull(position + 2) { if table.root.isAlone { attributes[column.name] = .plain(.null) }; continue }
                    if let target = column.target {
                        attributes[column.name] = .reference(SourceReference(space: target, key: .int(row.int(position + 2))))
                        continue
                    }
                    guard let value = value(row.value(position + 2), column) else {
                        try body(.loss(ImportFault(collection: entity.name, place: place, reason: "the file beside the store with its '\(column.name)' cannot be read; it is left out")))
                        continue
                    }
                    attributes[column.name] = .plain(value)
                }
                for join in joins { if let (name, references) = try join.references(of: entity, entities, number, database) { attributes[name] = .references(references) } }
                try body(
                    .row(
                        SourceRow(
                            collection: entity.name, id: SourceReference(space: table.root.name, key: .int(number)), attributes: attributes, className: entity.name, place: place)))
            }
        }
    }

    /// The value of an attribute; nil when it is in a file that cannot be read.
    private func value(_ value: StoredValue, _ column: CoreDataColumn) -> StoredValue? {
        switch (column.kind, value) {
        case (.date, .double(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .int(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.decimal, .double(let number)): return .decimal(Decimal(string: "\(number)") ?? Decimal(number))
        case (.decimal, .int(let number)): return .decimal(Decimal(number))
        case (.decimal, .string(let text)): return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? value
        case (.uuid, .data(let data)): return UUID(bytes: data).map { .uuid($0) } ?? value
        case (.external, .data(let data)) where data.first == 1: return .data(Data(data.dropFirst()))
        case (.external, .data(let data)) where data.first == 2:
            let name = String(decoding: data.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            guard UUID(uuidString: name) != nil, let found = try? Data(contentsOf: URL(fileURLWithPath: externalData + name)) else { return nil }
            return .data(found)
        default: return value
        }
    }
}
