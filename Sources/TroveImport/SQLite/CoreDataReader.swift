import Foundation
import Trove

/// A store of Core Data or SwiftData.
///
/// `Z_PRIMARYKEY` has the entities with their numbers and parents. The table of an entity without a parent, `ZSONG`, has the objects of the entities below it
/// too; `Z_ENT` tells which one each is. A column is `Z` and the attribute's name in capitals; the names as they are written, and the types, are in the model
/// that the store keeps. Without it names come in lower case, and a relationship to one is the `Z_PK` of another row, of an entity that the column's name or
/// its index tells. A relationship of many to many is a table `Z_1TAGS`, with the order in `Z_FOK_…`. Dates are seconds since 2001.
final class CoreDataReader: SourceReader {
    private struct Table {
        let name: String
        /// The entity without a parent that the table is of.
        let root: CoreDataEntity
        let columns: [CoreDataColumn]
        /// How the objects of each entity are read, by its number.
        let plans: [Int64: CoreDataPlan]
    }

    private let database: ForeignDatabase
    private let entities: [Int64: CoreDataEntity]
    private let tables: [Table]
    private let joins: [CoreDataJoin]
    private let externalData: String
    /// Why the model of the store cannot be read, when there is one that cannot.
    private let modelFault: String?

    init(_ database: ForeignDatabase) throws {
        self.database = database
        let entities = try CoreDataEntity.all(in: database)
        self.entities = entities
        let url = URL(fileURLWithPath: database.file)
        externalData = url.deletingLastPathComponent().path + "/." + url.deletingPathExtension().lastPathComponent + "_SUPPORT/_EXTERNAL_DATA/"
        let names = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap {
            if case .string(let name) = $0[0] { name } else { nil }
        }
        var model: CoreDataStoredModel?
        var modelFault: String?
        do {
            model = try CoreDataStoredModel(of: database)
        } catch let unreadable as CoreDataStoredModel.Unreadable {
            modelFault = unreadable.reason
        }
        self.modelFault = modelFault
        let roots = entities.values.filter { $0.parent == 0 && names.contains($0.table) }.sorted { $0.number < $1.number }
        let columns = try Dictionary(roots.map { ($0.table, Set(try database.columns(of: $0.table))) }, uniquingKeysWith: { first, _ in first })
        let schema = CoreDataSchema(entities, model, columns)
        tables = try roots.map { root in
            let columns = try CoreDataColumn.all(of: root.table, entities, in: database)
            return Table(name: root.table, root: root, columns: columns, plans: Self.plans(root, schema, columns))
        }
        joins = try names.compactMap { try CoreDataJoin($0, entities, in: database) }
    }

    private static func plans(_ root: CoreDataEntity, _ schema: CoreDataSchema, _ columns: [CoreDataColumn]) -> [Int64: CoreDataPlan] {
        var plans: [Int64: CoreDataPlan] = [:]
        var known: Set<String> = []
        for (number, entity) in schema.entities where entity.root(schema.entities)?.number == root.number {
            guard let described = schema.model?[entity.name] else {
                plans[number] = CoreDataPlan(columns, isAlone: root.isAlone)
                continue
            }
            let plan = CoreDataPlan(described, number, schema, columns)
            known.formUnion(plan.attributes.map(\.column.column))
            plans[number] = plan
        }
        for (number, entity) in schema.entities where schema.model?[entity.name] != nil { plans[number]?.add(unknown: columns, besides: known) }
        return plans
    }

    var rowCount: Int? {
        get throws { try database.rowCount(of: tables.lazy.map(\.name)) }
    }

    var declarations: [String: SourceDeclaration] {
        var declarations: [String: SourceDeclaration] = [:]
        for table in tables {
            for (number, plan) in table.plans where !plan.declarations.isEmpty {
                guard let entity = entities[number] else { continue }
                declarations[entity.name] = SourceDeclaration(
                    space: table.root.name, attributes: plan.declarations, hasSubcollections: entities.values.contains { $0.parent == number })
            }
        }
        return declarations
    }

    var collectionNames: Set<String>? { Set(entities.values.map(\.name)) }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        if let modelFault {
            try body(
                .loss(
                    ImportFault(collection: "", place: "the table Z_MODELCACHE", reason: "the model cannot be read, so names come in lower case: \(modelFault)")
                ))
        }
        for table in tables {
            for (number, plan) in table.plans.sorted(by: { $0.key < $1.key }) {
                guard let entity = entities[number] else { continue }
                let found = Set(joins.flatMap { $0.names(of: entity, entities) })
                let lost = plan.joined.filter { !found.contains($0.key) }.values.sorted().map {
                    "the model has '\($0)', and no table was found that must be its; what it refers to is left out"
                }
                for note in plan.notes + lost { try body(.loss(ImportFault(collection: entity.name, place: "the table \(table.name)", reason: note))) }
            }
            let selected = table.columns.map { ", t.\($0.column.asIdentifier)" }.joined()
            try database.forEachRow("SELECT t.Z_PK, t.Z_ENT\(selected) FROM \(table.name.asIdentifier) t ORDER BY t.Z_PK") { row in
                let place = "the row \(row.int(0)) of \(table.name)"
                guard let entity = entities[row.int(1)], let plan = table.plans[entity.number] else {
                    return try body(
                        .fault(ImportFault(collection: table.root.name, place: place, reason: "its entity, number \(row.int(1)), is not one of the store")))
                }
                try body(.row(self.row(row, entity, plan, table, place, body)))
            }
        }
    }

    private func row(
        _ row: ForeignRow, _ entity: CoreDataEntity, _ plan: CoreDataPlan, _ table: Table, _ place: String, _ body: (SourceEvent) throws -> Void
    ) throws -> SourceRow {
        let number = row.int(0)
        var attributes: [String: SourceValue] = [:]
        for attribute in plan.attributes {
            let (position, column) = (attribute.position + 2, attribute.column)
            if row.isNull(position) {
                if attribute.keepsNil { attributes[column.name] = .plain(.null) }
            } else if let target = column.target {
                attributes[column.name] = .reference(SourceReference(space: target, key: .int(row.int(position))))
            } else {
                do {
                    attributes[column.name] = .plain(try column.value(row.value(position), externalData))
                } catch let loss as CoreDataColumn.Loss {
                    try body(.loss(ImportFault(collection: entity.name, place: place, reason: loss.reason)))
                    if let value = loss.value { attributes[column.name] = .plain(value) }
                }
            }
        }
        for list in plan.lists {
            var references: [SourceReference] = []
            try database.forEachRow(list.sql, [.int(number)]) { references.append(SourceReference(space: list.target, key: .int($0.int(0)))) }
            attributes[list.name] = .references(references)
        }
        for join in joins {
            for (name, references) in try join.references(of: entity, entities, number, database) {
                attributes[plan.joined[name] ?? name] = .references(references)
            }
        }
        return SourceRow(
            collection: entity.name, id: SourceReference(space: table.root.name, key: .int(number)), attributes: attributes, className: entity.name,
            place: place)
    }
}
