import Foundation
import Trove

/// The model that Core Data keeps in the store, by which it finds out what a later model has changed.
///
/// `Z_MODELCACHE` has it in one row as a keyed archive, packed with DEFLATE: an `NSManagedObjectModel` with an `NSEntityDescription` for each entity, and in
/// these the descriptions of properties by name, the inherited ones too. What stands in several entities may be a proxy of one description. Nothing of this is
/// documented; it is read as stores have it.
struct CoreDataStoredModel {
    struct Relationship {
        /// The entity that it leads to.
        let destination: String
        let isToMany: Bool
        let isOrdered: Bool
        /// The relationship of that entity which leads back; nil for none.
        let inverse: String?
        let deleteRule: DeleteRule
    }

    struct Property {
        enum Kind {
            /// - Parameter isExternal: whether large values are files beside the store.
            case attribute(CoreDataAttributeType, isExternal: Bool)
            case relationship(Relationship)
        }

        let name: String
        let isOptional: Bool
        let kind: Kind

        var relationship: Relationship? { if case .relationship(let relationship) = kind { relationship } else { nil } }
        /// Whether the table of the entity has a column for it.
        var hasColumn: Bool { relationship.map { !$0.isToMany } ?? true }
    }

    struct Entity {
        let name: String
        /// The name that it had in the model before, by which the store may still know it.
        let formerName: String?
        let parent: String?
        /// What the store has of it, by name, without what is only in memory.
        let properties: [String: Property]
    }

    private let entities: [String: Entity]

    /// The model of a store; nil when the store has none.
    ///
    /// - Throws: ``Unreadable`` when it cannot be read.
    init?(of database: ForeignDatabase) throws {
        guard try database.value("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'") != nil,
            case .data(let packed)? = try database.value("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1"), !packed.isEmpty
        else { return nil }
        do {
            let bytes = packed.starts(with: Array("bplist".utf8)) ? packed : try Deflate.unpacked(packed, limit: Self.maxSize)
            guard let list = try PropertyList(bytes), let archive = try KeyedArchive(list) else { throw Unreadable(reason: "it is no keyed archive") }
            try self.init(archive)
        } catch let fault as Deflate.Fault {
            throw Unreadable(reason: fault.reason)
        } catch let fault as PropertyListFault {
            throw Unreadable(reason: fault.description)
        }
    }

    struct Unreadable: Error {
        let reason: String
    }

    /// What a model may have unpacked; those of large programs have some hundred thousand bytes.
    private static let maxSize = 64 << 20

    private init(_ archive: KeyedArchive) throws {
        var entities: [String: Entity] = [:]
        // A sound model has no more properties than bytes.
        var room = archive.list.size
        for object in archive.objects.indices where archive.class(of: object)?.name == "NSEntityDescription" {
            guard let name = archive.text(archive.field("NSEntityName", of: object)) else { throw Unreadable(reason: "an entity has no name") }
            let parent = try archive.field("NSSuperentity", of: object).flatMap { try archive.object($0) }.flatMap {
                archive.text(archive.field("NSEntityName", of: $0))
            }
            var properties: [String: Property] = [:]
            if let list = try archive.field("NSProperties", of: object).flatMap({ try archive.object($0) }) {
                room -= 1 + archive.fieldCount(of: list)
                let entries = room < 0 ? [] : archive.entries(of: list) ?? []
                room -= entries.count
                if room < 0 { throw Unreadable(reason: "its entities have too many properties") }
                for entry in entries {
                    guard let name = archive.text(entry.key), let described = try archive.object(entry.value),
                        let property = try Self.property(name, described, archive)
                    else { continue }
                    properties[name] = property
                }
            }
            entities[name] = Entity(
                name: name, formerName: archive.text(archive.field("NSRenamingIdentifier", of: object)), parent: parent, properties: properties)
        }
        if entities.isEmpty { throw Unreadable(reason: "it has no entities") }
        self.entities = entities
    }

    /// A property of an entity; nil for what is only in memory, such as a fetched property.
    private static func property(_ name: String, _ object: Int, _ archive: KeyedArchive) throws -> Property? {
        guard let archivedClass = archive.class(of: object) else { return nil }
        if archivedClass.name == "_NSPropertyDescriptionProxy" {
            guard let described = try archive.field("NSUnderlyingProperty", of: object).flatMap({ try archive.object($0) }),
                archive.class(of: described)?.name != archivedClass.name
            else { return nil }
            return try property(name, described, archive)
        }
        func integer(_ field: String) -> Int64? {
            if case .value(.int(let number))? = archive.field(field, of: object).map({ archive.list[$0] }) { number } else { nil }
        }
        func isSet(_ field: String) -> Bool {
            if case .value(.bool(true))? = archive.field(field, of: object).map({ archive.list[$0] }) { true } else { integer(field) ?? 0 != 0 }
        }
        if isSet("NSIsTransient") { return nil }
        let kind: Property.Kind
        if archivedClass.names.contains("NSRelationshipDescription") {
            let named = archive.text(archive.field("_NSDestinationEntityName", of: object))
            let destination = try archive.field("NSDestinationEntity", of: object).flatMap { try archive.object($0) }.flatMap {
                archive.text(archive.field("NSEntityName", of: $0))
            }
            guard let destination = named ?? destination else { return nil }
            kind = .relationship(
                Relationship(
                    destination: destination, isToMany: integer("NSMaxCount") != 1, isOrdered: isSet("NSIsOrdered"),
                    inverse: archive.text(archive.field("_NSInverseRelationshipName", of: object)),
                    deleteRule: DeleteRule(coreData: integer("NSDeleteRule"))))
        } else if archivedClass.names.contains("NSAttributeDescription") {
            kind = .attribute(CoreDataAttributeType(rawValue: integer("NSAttributeType") ?? 0) ?? .undefined, isExternal: (integer("NSFlagsKey") ?? 0) & 4 != 0)
        } else {
            return nil
        }
        return Property(name: name, isOptional: isSet("NSIsOptional"), kind: kind)
    }

    /// An entity by its name in the store.
    subscript(name: String) -> Entity? { entities[name] ?? entities.values.filter { $0.formerName == name }.min { $0.name < $1.name } }

    /// The entity that declares a property which an entity has: itself, or the one it has it from.
    func owner(of property: String, in entity: Entity) -> Entity {
        var entity = entity
        for _ in 0..<entities.count {
            guard let parent = entity.parent.flatMap({ entities[$0] }), parent.properties[property] != nil else { break }
            entity = parent
        }
        return entity
    }
}

extension DeleteRule {
    /// By the numbers of `NSDeleteRule`, of which 1 is the usual one.
    fileprivate init(coreData number: Int64?) {
        self =
            switch number {
            case 0: .noAction
            case 2: .cascade
            case 3: .deny
            default: .nullify
            }
    }
}

/// The types of attributes, by the numbers of `NSAttributeType`.
enum CoreDataAttributeType: Int64 {
    case undefined = 0
    case integer16 = 100, integer32 = 200, integer64 = 300
    case decimal = 400
    case double = 500, float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binaryData = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100

    /// As a model is written down.
    var name: String {
        switch self {
        case .undefined: "undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binaryData: "Binary Data"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        }
    }
}
