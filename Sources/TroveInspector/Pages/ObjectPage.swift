import Foundation
import Trove
import TroveStoreTools

/// One object: its values by type, what it refers to and what refers to it, and its bytes.
struct ObjectPage: InspectorPage {
    /// How many references to the object are shown, and how many of each of its relationships.
    private static let sources = 100

    private struct Property {
        let name: String
        let type: String?
        let value: StoredValue?
        /// What it refers to, when it is a relationship; the first of them.
        var references: [Target]
        /// How many references it has in all.
        var referenceCount = 0
        let isEncrypted: Bool
    }

    /// An object that is referred to.
    private struct Target {
        let model: String
        let id: StoredValue
        let isStored: Bool
    }

    private struct Source {
        let model: String
        let id: StoredValue
        let field: String
    }

    private let request: PageRequest
    private let model: StoredModel
    private let id: StoredValue
    private let record: StoredRecord
    private let properties: [Property]
    private let referring: [Source]
    private let bags: [(name: String?, id: ObjectID)]
    private let anatomy: RecordAnatomy?

    let title: String
    let section = PageSection.models

    init(_ request: PageRequest) throws {
        self.request = request
        (model, id, record, properties, referring, bags, anatomy) = try request.store.read { transaction in
            let models = try StoreModels(transaction)
            let model = try models[request.required("model")]
            let key = try model.key(of: request.required("id"))
            guard let record = try transaction.storedRecord(of: model.name, key: key) else {
                throw HTTPRefusal(404, "there is no such object of \(model.name); it may have been deleted")
            }
            let reference = AnyReference(modelName: model.name, keyBytes: key)
            let sources = try transaction.sources(of: reference, limit: Self.sources).map { source in
                Source(model: source.modelName, id: try models[source.modelName].ids.value(of: source.keyBytes), field: source.field)
            }
            return (
                model, try model.ids.value(of: key), record, try Self.properties(of: record, model, models, transaction), sources,
                try transaction.bags(containing: reference).map { ($0.name, $0.id) },
                try transaction.recordAnatomy(of: model.name, key: key)
            )
        }
        title = "\(model.name) \(try CellText.plain(id) ?? "")"
    }

    private static func properties(of record: StoredRecord, _ model: StoredModel, _ models: StoreModels, _ transaction: ReadTransaction) throws -> [Property] {
        if model.isCollection {
            return DocumentRecord.attributes(of: record).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
                Property(name: $0, type: nil, value: DocumentRecord.attribute($0, of: record), references: [], isEncrypted: false)
            }
        }
        let facts =
            try model.layouts.first.map { Dictionary(try PropertyFacts.all(of: $0).map { ($0.property, $0) }, uniquingKeysWith: { first, _ in first }) } ?? [:]
        return try record.presentNames.map { name in
            let value = try record.value(of: name)
            var property = Property(
                name: name, type: record.type(of: name).map { "\($0)" }, value: value, references: [], isEncrypted: record.isSealed(name))
            if let fact = facts[name], fact.isRelationship {
                let keys = try fact.targetModel.map { Self.references(in: value, to: $0, models) } ?? Self.references(of: record, name)
                property.references = try targets(keys.first, models, transaction)
                property.referenceCount = keys.count
            }
            return property
        }
    }

    /// The first references of a relationship to one model, in its order, and how many there are: each is the id of an object, or the bytes of one.
    private static func references(in value: StoredValue, to model: String, _ models: StoreModels) -> (first: [AnyReference], count: Int) {
        guard let ids = models.all.first(where: { $0.name == model })?.ids else { return ([], 0) }
        let values: [StoredValue] =
            switch value {
            case .null: []
            case .array(let elements): elements.array
            case .object(let fields): fields.sorted { $0.key < $1.key }.map(\.value)
            default: [value]
            }
        let first: [AnyReference] = values.prefix(sources).compactMap { value in
            if let key = ids.key(of: value) { return AnyReference(modelName: model, keyBytes: key) }
            guard case .data(let data) = value else { return nil }
            return AnyReference(modelName: model, keyBytes: [UInt8](data))
        }
        return (first, values.count)
    }

    /// The same of a relationship to objects of any model; none where it has another shape.
    private static func references(of record: StoredRecord, _ field: String) throws -> (first: [AnyReference], count: Int) {
        let all: [AnyReference]
        do {
            all = try record.value(of: field, as: AnyReference?.self).map { [$0] } ?? []
        } catch TroveError.decodingFailed {
            do { all = try record.value(of: field, as: [AnyReference].self) } catch TroveError.decodingFailed { return ([], 0) }
        }
        return (Array(all.prefix(sources)), all.count)
    }

    /// The objects that are referred to, stored or not.
    private static func targets(_ references: [AnyReference], _ models: StoreModels, _ transaction: ReadTransaction) throws -> [Target] {
        try references.compactMap { reference in
            guard let model = models.all.first(where: { $0.name == reference.modelName }) else { return nil }
            let id = try model.ids.value(of: reference.keyBytes)
            return Target(model: model.name, id: id, isStored: try transaction.storedRecord(of: model.name, key: reference.keyBytes) != nil)
        }
    }

    // MARK: - HTML

    func body() throws -> HTML {
        var table = HTMLTable(["property", "value"])
        for property in properties {
            let type: HTML? = property.type.map { "<span class=\"type\">\($0)</span>" }
            let edit = request.link("/edit", [("model", model.name), ("id", try id.written), ("property", property.name)])
            let change: HTML? = request.site.allowsWrites ? " <a class=\"act\" href=\"\(edit)\">Change</a>" : nil
            table.add(try ["<bdi>\(property.name)</bdi><br>\(type)\(change)", value(of: property)])
        }
        return """
            <p>Of <a href="\(request.link("/objects", [("model", model.name)]))"><bdi>\(model.name)</bdi></a>, id \(try ValueText.whole.html(id))</p>
            \(table.html)
            \(try changes())
            <h2>Who points here</h2>\(try sourceList())
            \(bagList)
            <h2>The record's bytes</h2>\(try anatomy.map { try RecordBytes($0).html() } ?? "<p class=\"note\">They cannot be read.</p>")
            \(request.jsonLink)
            """
    }

    private func value(of property: Property) throws -> HTML {
        if property.isEncrypted { return "<span class=\"aside\">encrypted, and the store was opened without its keys</span>" }
        if property.references.isEmpty { return try ValueText.whole.html(property.value) }
        let links = try property.references.map { target -> HTML in
            let text = try ValueText.cell.html(target.id)
            return target.isStored
                ? "<a href=\"\(try request.link(to: target.id, of: target.model))\"><bdi>\(target.model)</bdi> \(text)</a> "
                : "<span class=\"bad\"><bdi>\(target.model)</bdi> \(text), which is not stored</span> "
        }.joined()
        guard property.referenceCount > Self.sources else { return links }
        return "\(links)<p class=\"note\">The first \(Self.sources) of \(property.referenceCount.grouped).</p>"
    }

    private func changes() throws -> HTML? {
        guard request.site.allowsWrites else { return nil }
        let fields = [("model", model.name), ("id", try id.written)]
        return """
            <div class="row"><a class="button" href="\(request.link("/edit", fields))">Change as JSON</a>
            <form method="post" action="\(request.link("/preview"))">\(request.formToken)\(request.exact(fields + [("action", "delete")]))<button class="danger">Delete…</button></form></div>
            """
    }

    private func sourceList() throws -> HTML {
        if referring.isEmpty { return "<p class=\"note\">Nothing.</p>" }
        var table = HTMLTable(["model", "object", "by its property"])
        for source in referring {
            table.add([
                "<bdi>\(source.model)</bdi>", "<a href=\"\(try request.link(to: source.id, of: source.model))\">\(try ValueText.cell.html(source.id))</a>",
                "<bdi>\(source.field)</bdi>",
            ])
        }
        let more: HTML? = referring.count == Self.sources ? "<p class=\"note\">The first \(Self.sources); there may be more.</p>" : nil
        return "\(table.html)\(more)"
    }

    private var bagList: HTML? {
        if bags.isEmpty { return nil }
        let list = bags.map { bag in
            "<li><a href=\"\(request.link("/bag", [("id", bag.id.description)]))\"><bdi>\(bag.name ?? bag.id.description)</bdi></a></li>" as HTML
        }
        return "<h2>Bags it is in</h2><ul>\(list)</ul>"
    }

    // MARK: - JSON

    func json() throws -> JSONAnswer {
        var bytes: [UInt8] = []
        try RecordJSON(model, JSONText(isForTerminal: false)).append(record, to: &bytes)
        var members: [(String, JSONAnswer)] = [
            ("model", .text(model.name)), ("id", .value(id)), ("object", .members(bytes)), ("version", .number(record.version)),
            ("encrypted", .array(record.sealedFields.map { .text($0) })),
            (
                "references",
                .array(
                    properties.flatMap { property in
                        property.references.map { target in
                            .object([
                                ("property", .text(property.name)), ("model", .text(target.model)), ("id", .value(target.id)),
                                ("isStored", .flag(target.isStored)),
                            ])
                        }
                    })
            ),
            ("referenceCount", .value(.object(properties.filter { $0.referenceCount > 0 }.map { ($0.name, .int(Int64($0.referenceCount))) }))),
            ("referredToBy", .array(referring.map { .object([("model", .text($0.model)), ("id", .value($0.id)), ("property", .text($0.field))]) })),
            ("bags", .array(bags.map { .object([("name", .text($0.name)), ("id", .value(.objectID($0.id)))]) })),
        ]
        if let anatomy { members.append(("record", RecordBytes(anatomy).json())) }
        return .object(members)
    }
}
