import Foundation
import Trove

/// An entity of a store of Core Data.
struct CoreDataEntity {
    let number: Int64
    let name: String
    /// The number of its parent; 0 for none.
    let parent: Int64
    /// Whether no entity has it as parent, and it has none.
    var isAlone = true

    /// The table of an entity without a parent.
    var table: String { "Z" + name.uppercased() }

    static func all(in database: ForeignDatabase) throws -> [Int64: CoreDataEntity] {
        var entities: [Int64: CoreDataEntity] = [:]
        for row in try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
            guard case .int(let number) = row[0], case .string(let name) = row[1], case .int(let parent) = row[2] else { continue }
            entities[number] = CoreDataEntity(number: number, name: name, parent: parent)
        }
        for entity in entities.values where entity.parent != 0 {
            entities[entity.parent]?.isAlone = false
            entities[entity.number]?.isAlone = false
        }
        return entities
    }

    /// The entity without a parent that this one is below; nil where parents go round in a circle.
    func root(_ entities: [Int64: CoreDataEntity]) -> CoreDataEntity? {
        var entity = self
        for _ in 0...entities.count {
            guard entity.parent != 0, let parent = entities[entity.parent] else { return entity }
            entity = parent
        }
        return nil
    }

    /// Whether it is this entity, or one below it.
    func isKind(of number: Int64, _ entities: [Int64: CoreDataEntity]) -> Bool {
        var entity = self
        for _ in 0...entities.count {
            if entity.number == number { return true }
            guard let parent = entities[entity.parent] else { return false }
            entity = parent
        }
        return false
    }
}

/// A column of a table of Core Data that has an attribute or a relationship to one.
struct CoreDataColumn {
    enum Kind {
        case plain, bool, double, date, decimal, uuid, url
        /// Data that is a keyed archive.
        case archive
    }

    let column: String
    /// The attribute's name; without a model that of the column in lower case.
    let name: String
    let kind: Kind
    /// Whether a first byte tells if data is here or in a file beside the store.
    let isExternal: Bool
    /// What numbers the rows that it refers to, for a relationship.
    let target: String?

    static func all(of table: String, _ entities: [Int64: CoreDataEntity], in database: ForeignDatabase) throws -> [CoreDataColumn] {
        let declared = try database.rows("SELECT name, type FROM pragma_table_info(?)", [.string(table)])
        let indexes = Set(
            try database.rows("SELECT name FROM pragma_index_list(?)", [.string(table)]).compactMap {
                if case .string(let name) = $0[0] { name.uppercased() } else { nil }
            })
        let names = Set(declared.compactMap { if case .string(let name) = $0[0] { name } else { nil } })
        return try declared.compactMap { row in
            // Those of Core Data itself have an underscore.
            guard case .string(let column) = row[0], column.hasPrefix("Z"), !column.hasPrefix("Z_"), column.first?.isASCII == true else { return nil }
            let isNumbered = column.dropFirst().first?.isNumber ?? false
            if isNumbered { return nil }
            let type: String
            if case .string(let text) = row[1] { type = text.uppercased() } else { type = "" }
            let name = column.dropFirst().lowercased()
            let isIndexed =
                indexes.contains("\(table)_\(column)_INDEX") || indexes.contains("Z_\(table)_\(column)")
                || names.contains { $0.hasPrefix("Z_FOK_\(column.dropFirst())") }
            let target = type == "INTEGER" && isIndexed ? try self.target(of: column, in: table, entities, database) : nil
            let kind = try kind(type, column, table, database)
            return CoreDataColumn(column: column, name: name, kind: kind.kind, isExternal: kind.isExternal, target: target)
        }
    }

    private static func kind(_ type: String, _ column: String, _ table: String, _ database: ForeignDatabase) throws -> (kind: Kind, isExternal: Bool) {
        switch type {
        case "TIMESTAMP": return (.date, false)
        case "DECIMAL": return (.decimal, false)
        case "BLOB":
            let (column, table) = (column.asIdentifier, table.asIdentifier)
            // The name of a file: a byte 2, a UUID as text, a byte 0.
            if try database.value("SELECT 1 FROM \(table) WHERE substr(\(column), 1, 1) = x'02' AND length(\(column)) = 38 LIMIT 1") != nil {
                return (.plain, true)
            }
            let hasOthers = try database.value("SELECT 1 FROM \(table) WHERE \(column) IS NOT NULL AND length(\(column)) <> 16 LIMIT 1") != nil
            let hasValues = try database.value("SELECT 1 FROM \(table) WHERE \(column) IS NOT NULL LIMIT 1") != nil
            return (hasValues && !hasOthers ? .uuid : .plain, false)
        default: return (.plain, false)
        }
    }

    /// What numbers the rows that a relationship refers to: the entity of its name, or the only one that has all of its numbers.
    private static func target(of column: String, in table: String, _ entities: [Int64: CoreDataEntity], _ database: ForeignDatabase) throws -> String? {
        let name = column.dropFirst().uppercased()
        if let named = entities.values.first(where: { $0.name.uppercased() == name }) { return named.root(entities)?.name }
        var candidates: [String] = []
        for root in entities.values where root.parent == 0 {
            guard try database.value("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.string(root.table)]) != nil else { continue }
            let missing = try database.value(
                "SELECT 1 FROM \(table.asIdentifier) WHERE \(column.asIdentifier) IS NOT NULL AND \(column.asIdentifier) NOT IN (SELECT Z_PK FROM \(root.table.asIdentifier)) LIMIT 1")
            if missing == nil { candidates.append(root.name) }
        }
        return candidates.count == 1 ? candidates[0] : nil
    }
}

/// A table of a relationship of many to many: `Z_1TAGS` with the columns `Z_1SONGS` and `Z_2TAGS`, and perhaps `Z_FOK_2TAGS`.
struct CoreDataJoin {
    private struct Side {
        let column: String
        let entity: Int64
        /// The name of the relationship of the other side's objects.
        let name: String
        let order: String?
    }

    private let table: String
    private let sides: [Side]

    /// nil for another table.
    init?(_ table: String, _ entities: [Int64: CoreDataEntity], in database: ForeignDatabase) throws {
        guard table.hasPrefix("Z_"), table.dropFirst(2).first?.isNumber == true else { return nil }
        self.table = table
        let columns = try database.columns(of: table)
        sides = columns.compactMap { column in
            guard column.hasPrefix("Z_"), !column.hasPrefix("Z_FOK_") else { return nil }
            let digits = column.dropFirst(2).prefix { $0.isNumber }
            guard let entity = Int64(digits), entities[entity] != nil else { return nil }
            let order = "Z_FOK_" + column.dropFirst(2)
            return Side(column: column, entity: entity, name: column.dropFirst(2 + digits.count).lowercased(), order: columns.contains(order) ? order : nil)
        }
        if sides.count != 2 { return nil }
    }

    /// The relationships that objects of an entity have through the table, in lower case: both, when it refers to itself.
    func names(of entity: CoreDataEntity, _ entities: [Int64: CoreDataEntity]) -> [String] { ways(of: entity, entities).map(\.target.name) }

    private func ways(of entity: CoreDataEntity, _ entities: [Int64: CoreDataEntity]) -> [(source: Side, target: Side)] {
        sides.indices.filter { entity.isKind(of: sides[$0].entity, entities) }.map { (sides[$0], sides[1 - $0]) }
    }

    /// What an object refers to through the table, by the names of the relationships in lower case; nothing for an object of another entity.
    func references(
        of entity: CoreDataEntity, _ entities: [Int64: CoreDataEntity], _ number: Int64, _ database: ForeignDatabase
    ) throws -> [(name: String, references: [SourceReference])] {
        try ways(of: entity, entities).compactMap { source, target in
            guard let space = entities[target.entity]?.root(entities)?.name else { return nil }
            let order = (target.order ?? target.column).asIdentifier
            var references: [SourceReference] = []
            try database.forEachRow(
                "SELECT \(target.column.asIdentifier) FROM \(table.asIdentifier) WHERE \(source.column.asIdentifier) = ? ORDER BY \(order)", [.int(number)]
            ) { row in
                references.append(SourceReference(space: space, key: .int(row.int(0))))
            }
            return (target.name, references)
        }
    }
}
