import Trove

/// What a table declares, also when it has no rows.
extension SQLiteTable {
    var declaration: SourceDeclaration {
        var declaration = SourceDeclaration(space: name, indexes: indexes)
        for (position, column) in columns.enumerated() {
            declaration.attributes[column.attribute] = .init(
                type: column.type.isEmpty ? "no type" : column.type, isOptional: !column.isRequired && !key.contains(position), position: position)
        }
        for (place, foreignKey) in foreignKeys.enumerated() {
            let isRequired = foreignKey.columns.allSatisfy { columns[$0].isRequired || key.contains($0) }
            let own = foreignKey.columns.count == 1 ? columns[foreignKey.columns[0]].type : ""
            declaration.attributes[foreignKey.attribute] = .init(
                type: own.isEmpty ? "foreign key" : own, isOptional: !isRequired, target: foreignKey.target,
                position: foreignKey.columns.count == 1 ? foreignKey.columns[0] : columns.count + place)
        }
        if key.count == 1 {
            let column = columns[key[0]]
            declaration.key = .init(attribute: column.attribute, kind: column.kindOfKeys)
        } else {
            declaration.key = .init(attribute: nil, kind: key.isEmpty ? "integer" : nil)
        }
        return declaration
    }

    /// The indexes that are as Trove's could be: of columns alone and of all rows, and unique ones that compare bytes.
    static func indexes(of table: String, _ columns: [SQLiteColumn], in database: ForeignDatabase) throws -> [ImportDescription.Index] {
        var indexes: [ImportDescription.Index] = []
        for row in try database.rows("SELECT name, \"unique\" FROM pragma_index_list(?) WHERE partial = 0 ORDER BY seq", [.string(table)]) {
            guard case .string(let name) = row[0] else { continue }
            let isUnique = row[1] != 0
            let parts = try database.rows("SELECT name, coll FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno", [.string(name)])
            let attributes = parts.compactMap { part -> String? in
                guard case .string(let name) = part[0], !isUnique || part[1] == "BINARY" else { return nil }
                return columns.first { $0.name == name }?.attribute
            }
            if attributes.isEmpty || attributes.count < parts.count { continue }
            let index = ImportDescription.Index(attributes: attributes, isUnique: isUnique)
            if !indexes.contains(index) { indexes.append(index) }
        }
        return indexes
    }
}

extension SQLiteColumn {
    /// The kind that keys in the column have, as far as its declaration tells.
    fileprivate var kindOfKeys: String? {
        let name = type.uppercased()
        return name.contains("INT") ? "integer" : name.contains("CHAR") || name.contains("TEXT") || name == "UUID" ? "text" : nil
    }
}
