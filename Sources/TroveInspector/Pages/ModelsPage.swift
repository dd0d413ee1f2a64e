import Trove
import TroveStoreTools

/// All models and collections, and what refers to what.
struct ModelsPage: InspectorPage {
    /// How many models are drawn.
    private static let drawn = 60

    private let request: PageRequest
    private let facts: StoreFacts
    private let drawing: String

    let title = "Models"
    let section = PageSection.models

    init(_ request: PageRequest) throws {
        self.request = request
        facts = try StoreFacts(request.store)
        let counts = Dictionary(facts.models.map { ($0.model.name, $0.count) }, uniquingKeysWith: { first, _ in first })
        let graph = try ModelGraph(facts.models.prefix(Self.drawn).map(\.model), in: request.store, counts: counts)
        drawing = graph.svg(title: "The models and what refers to what", isStyled: false)
    }

    static func graph(of store: ObjectStore) throws -> ModelGraph { try ModelGraph(Array(StoreModels(store).all.prefix(drawn)), in: store) }

    static func table(_ facts: StoreFacts, _ request: PageRequest) -> HTMLTable {
        var table = HTMLTable(["name", "kind", "objects", "indexes", "layouts"])
        for (model, count, indexes) in facts.models {
            table.add([
                "<a href=\"\(request.link("/model", [("name", model.name)]))\"><bdi>\(model.name)</bdi></a>",
                HTML(model.isCollection ? "collection" : "model" as String),
                "<a class=\"number\" href=\"\(request.link("/objects", [("model", model.name)]))\">\(count.grouped)</a>",
                "<span class=\"number\">\(indexes)</span>",
                "<span class=\"number\">\(model.layouts.count)</span>",
            ])
        }
        return table
    }

    func body() throws -> HTML {
        if facts.models.isEmpty { return "<p class=\"note\">The store has no models.</p>\(request.jsonLink)" }
        let more: HTML? = facts.models.count > Self.drawn ? "<p class=\"note\">The first \(Self.drawn) of \(facts.models.count) are drawn.</p>" : nil
        return """
            \(Self.table(facts, request).html)
            <h2>What refers to what</h2>\(more)
            <div class="drawing">\(HTML(drawing: drawing))</div>
            <p class="note">An arrow refers to one object, a fork to many. <a href="\(request.link("/graph.svg"))">The drawing as a file</a></p>
            \(request.jsonLink)
            """
    }

    func json() throws -> JSONAnswer {
        .object([
            (
                "models",
                .array(
                    facts.models.map { model, count, indexes in
                        .object([
                            ("name", .text(model.name)), ("kind", .text(model.isCollection ? "collection" : "model")), ("objects", .number(count)),
                            ("indexes", .number(indexes)),
                            ("layouts", .number(model.layouts.count)), ("idType", .text(model.idType)),
                        ])
                    })
            )
        ])
    }
}

/// One model or collection: its properties by layouts, its indexes.
struct ModelPage: InspectorPage {
    private let request: PageRequest
    private let model: StoredModel
    private let count: Int
    private let properties: [PropertyFacts]
    private let indexes: [IndexStatistics]

    let title: String
    let section = PageSection.models

    init(_ request: PageRequest) throws {
        self.request = request
        let store = request.store
        model = try StoreModels(store)[request.required("name")]
        count = try store.counts()[model.name] ?? 0
        properties = try PropertyFacts.all(of: model, in: store)
        indexes = try store.indexes(of: model.name)
        title = model.name
    }

    func body() throws -> HTML {
        var table = HTMLTable(["version", "property", "type", "rules", "refers to", "indexes"])
        for property in properties {
            let target: HTML = property.target.map { text in
                property.targetModel.map { "<a href=\"\(request.link("/model", [("name", $0)]))\"><bdi>\(text)</bdi></a>" } ?? "\(text)"
            } ?? HTML.empty
            let names = indexes.filter { $0.schema.parts.contains { "\($0.path)" == property.property } }.map(\.schema.name)
            table.add([
                property.version.map { "\($0)" } ?? HTML.empty, "<bdi>\(property.property)</bdi>",
                "<code>\(property.type)</code>\(property.count.map { ", \($0.grouped)" } ?? "")", HTML(property.rules.joined(separator: ", ")), target,
                HTML(names.joined(separator: ", ")),
            ])
        }
        let insert: HTML? =
            request.site.allowsWrites
            ? "<a class=\"button\" href=\"\(request.link("/edit", [("model", model.name)]))\">New \(model.isCollection ? "document" : "object")</a>" : nil
        return """
            <p>\(model.isCollection ? "Collection" : "Model"),
            <a href="\(request.link("/objects", [("model", model.name)]))">\(StoreFacts.counted(count, model.isCollection ? "document" : "object"))</a>,
            ids of type <code>\(model.idType)</code></p>
            <div class="row"><a class="button" href="\(request.link("/query", [("model", model.name)]))">Plan a query</a>\(insert)</div>
            <h2>Properties</h2>\(table.html)
            <h2>Indexes</h2>\(indexTable)
            \(request.jsonLink)
            """
    }

    private var indexTable: HTML {
        if indexes.isEmpty { return "<p class=\"note\">There are none.</p>" }
        var table = HTMLTable(["index", "kind", "parts", "made by", "state", "entries", "different", "bytes", "uses"])
        for index in indexes {
            table.add([
                "<bdi>\(index.schema.name)</bdi>", HTML(index.kindText), "<bdi>\(index.partsText)</bdi>", HTML(index.makerText), HTML(index.stateText),
                number(index.entries),
                index.distinctValues.map(number) ?? HTML.empty, number(index.bytes), number(index.uses),
            ])
        }
        return table.html
    }

    private func number(_ number: Int) -> HTML { "<span class=\"number\">\(number.grouped)</span>" }

    func json() throws -> JSONAnswer {
        .object([
            ("name", .text(model.name)), ("kind", .text(model.isCollection ? "collection" : "model")), ("objects", .number(count)),
            ("idType", .text(model.idType)),
            ("layouts", .array(try model.layouts.map { .value(try $0.jsonValue()) })),
            (
                "properties",
                .array(
                    properties.map { property in
                        .object([
                            ("version", .number(property.version)), ("property", .text(property.property)), ("type", .text(property.type)),
                            ("rules", .array(property.rules.map { .text($0) })),
                            ("refersTo", .text(property.target)),
                        ])
                    })
            ),
            (
                "indexes",
                .array(
                    indexes.map { index in
                        .object([
                            ("name", .text(index.schema.name)), ("kind", .text(index.kindText)), ("parts", .text(index.partsText)),
                            ("madeBy", .text(index.makerText)), ("state", .text(index.stateText)),
                            ("entries", .number(index.entries)), ("distinctValues", .number(index.distinctValues)), ("bytes", .number(index.bytes)),
                            ("uses", .number(index.uses)),
                        ])
                    })
            ),
        ])
    }
}
