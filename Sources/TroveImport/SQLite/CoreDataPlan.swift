import Foundation
import Trove

/// How the objects of one entity are read from its table: by the model of the store, and where there is none by the columns.
struct CoreDataPlan {
    struct Attribute {
        /// The position among the columns of the table.
        let position: Int
        let column: CoreDataColumn
        /// Whether nil is a value of it: a table has columns that only other entities have.
        let keepsNil: Bool
    }

    /// A relationship to many whose objects have a column that leads back.
    struct List {
        let name: String
        /// Gives the numbers of the objects, by the number of the one that has the relationship.
        let sql: String
        /// What numbers the objects.
        let target: String
    }

    private(set) var attributes: [Attribute] = []
    private(set) var lists: [List] = []
    /// The names of relationships that have tables of their own, by these names in lower case.
    private(set) var joined: [String: String] = [:]
    private(set) var declarations: [String: ImportDescription.Declaration] = [:]
    /// What the model has and the store has not.
    private(set) var notes: [String] = []

    /// By the columns.
    init(_ columns: [CoreDataColumn], isAlone: Bool) {
        attributes = columns.enumerated().map { Attribute(position: $0, column: $1, keepsNil: isAlone) }
    }

    /// By the model.
    init(_ entity: CoreDataStoredModel.Entity, _ number: Int64, _ schema: CoreDataSchema, _ columns: [CoreDataColumn]) {
        for property in entity.properties.values.sorted(by: { $0.name < $1.name }) {
            declarations[property.name] = ImportDescription.Declaration(property)
            switch property.kind {
            case .attribute(let type, let isExternal):
                add(property, CoreDataColumn.Kind(type), isExternal: isExternal, target: nil, entity, schema, columns)
            case .relationship(let relationship) where !relationship.isToMany:
                add(property, .plain, isExternal: false, target: schema.rootName(of: relationship.destination), entity, schema, columns)
            case .relationship(let relationship): add(relationship, property.name, entity, number, schema)
            }
        }
    }

    private mutating func add(
        _ property: CoreDataStoredModel.Property, _ kind: CoreDataColumn.Kind, isExternal: Bool, target: String?, _ entity: CoreDataStoredModel.Entity,
        _ schema: CoreDataSchema, _ columns: [CoreDataColumn]
    ) {
        guard let name = schema.column(of: property.name, in: entity), let position = columns.firstIndex(where: { $0.column == name }) else {
            notes.append("the model has '\(property.name)', and the table has no column that must be its")
            return
        }
        let column = CoreDataColumn(column: name, name: property.name, kind: kind, isExternal: isExternal, target: target)
        attributes.append(Attribute(position: position, column: column, keepsNil: true))
    }

    /// A relationship to many. Objects that lead back by a reference of their own are found by it, and only an order is more than that.
    private mutating func add(
        _ relationship: CoreDataStoredModel.Relationship, _ name: String, _ entity: CoreDataStoredModel.Entity, _ number: Int64, _ schema: CoreDataSchema
    ) {
        guard let destination = schema.model?[relationship.destination], let target = schema.rootName(of: relationship.destination) else { return }
        let column: String
        if let inverse = relationship.inverse {
            guard let back = destination.properties[inverse]?.relationship else { return }
            if back.isToMany {
                joined[name.lowercased()] = name
                return
            }
            guard relationship.isOrdered, let found = schema.column(of: inverse, in: destination) else { return }
            column = found
        } else {
            // Without an inverse the objects have a column with the number of the entity that has the relationship.
            let owner = schema.model?.owner(of: name, in: entity).name
            column = "Z\(owner.flatMap { schema.numbers[$0] } ?? number)\(name.uppercased())"
        }
        let columns = schema.columns["Z" + target.uppercased()] ?? []
        guard columns.contains(column) else {
            if relationship.inverse == nil { joined[name.lowercased()] = name }
            return
        }
        let order = "Z_FOK_" + column.dropFirst()
        lists.append(
            List(
                name: name,
                sql: "SELECT Z_PK FROM \(("Z" + target.uppercased()).asIdentifier) WHERE \(column.asIdentifier) = ? ORDER BY \(columns.contains(order) ? order.asIdentifier + ", " : "")Z_PK",
                target: target))
    }

    /// Takes in columns that the model does not tell of, such as the parts of composite attributes, under the names that they have.
    mutating func add(unknown columns: [CoreDataColumn], besides known: Set<String>) {
        for (position, column) in columns.enumerated() where !known.contains(column.column) {
            attributes.append(Attribute(position: position, column: column, keepsNil: false))
        }
    }
}

/// What a store and its model have together.
struct CoreDataSchema {
    let entities: [Int64: CoreDataEntity]
    let model: CoreDataStoredModel?
    /// The columns of each table.
    let columns: [String: Set<String>]
    /// The numbers of entities by their names in the model.
    let numbers: [String: Int64]

    init(_ entities: [Int64: CoreDataEntity], _ model: CoreDataStoredModel?, _ columns: [String: Set<String>]) {
        self.entities = entities
        self.model = model
        self.columns = columns
        numbers = Dictionary(entities.values.compactMap { entity in (model?[entity.name]?.name).map { ($0, entity.number) } }, uniquingKeysWith: min)
    }

    /// What numbers the objects of an entity: the one above it without a parent.
    func rootName(of entity: String) -> String? { numbers[entity].flatMap { entities[$0] }?.root(entities)?.name }

    /// The column of a property: `Z` and the name in capitals. Where several entities of a table declare a property of the name, those after the first,
    /// by their numbers, have a number behind it.
    ///
    /// nil when it cannot be told, since for one of them it is no column.
    func column(of property: String, in entity: CoreDataStoredModel.Entity) -> String? {
        guard let model else { return nil }
        let owner = model.owner(of: property, in: entity).name
        let root = rootName(of: owner)
        var declaring: [(number: Int64, name: String)] = []
        for (name, number) in numbers where rootName(of: name) == root {
            guard let other = model[name], let declared = other.properties[property], model.owner(of: property, in: other).name == name else { continue }
            if !declared.hasColumn { return nil }
            declaring.append((number, name))
        }
        declaring.sort { $0.number < $1.number }
        guard let place = declaring.firstIndex(where: { $0.name == owner }) else { return nil }
        return "Z\(property.uppercased())\(place == 0 ? "" : "\(place)")"
    }
}

extension ImportDescription.Declaration {
    fileprivate init(_ property: CoreDataStoredModel.Property) {
        switch property.kind {
        case .attribute(let type, _): self.init(type: type.name, isOptional: property.isOptional)
        case .relationship(let relationship):
            self.init(
                type: relationship.isToMany ? "to many" : "to one", isOptional: property.isOptional, isOrdered: relationship.isOrdered,
                inverse: relationship.inverse.map { "\(relationship.destination).\($0)" }, target: relationship.destination,
                deleteRule: relationship.deleteRule)
        }
    }
}

extension CoreDataColumn.Kind {
    fileprivate init(_ type: CoreDataAttributeType) {
        self =
            switch type {
            case .boolean: .bool
            case .double, .float: .double
            case .date: .date
            case .decimal: .decimal
            case .uuid: .uuid
            case .uri: .url
            case .transformable: .archive
            default: .plain
            }
    }
}
