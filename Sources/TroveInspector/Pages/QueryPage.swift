import Trove
import TroveStoreTools

/// How a query is answered: its plan, with bars of the rows that each step expected and met.
struct QueryPage: InspectorPage {
    private let request: PageRequest
    private let models: [String]
    private let query: ObjectQuery?
    private let plans: [Explanation]

    let title = "Query"
    let section = PageSection.query

    init(_ request: PageRequest) throws {
        self.request = request
        (models, query, plans) = try request.store.read { transaction in
            let names = try StoreModels(transaction).all.map(\.name)
            guard request.fields["model"] != nil else { return (names, nil, []) }
            let query = try ObjectQuery(request, transaction)
            return (names, query, try query.fetch(from: transaction).limit(request.site.limits.rows).explain())
        }
    }

    func body() throws -> HTML {
        let options = models.map { name -> HTML in
            let mark: HTML? = name == query?.model.name ? " selected" : nil
            return "<option value=\"\(HTML.sent(name))\"\(mark)>\(name)</option>"
        }
        let words: HTML? = query?.wordsIndex == nil ? nil : "<label>Words in the texts<input name=\"words\" value=\"\(HTML.sent(query?.words ?? ""))\"></label>"
        return """
            <form class="query" action="\(request.link("/query"))">
            <label>Model<select name="model">\(options)</select></label>
            <label class="grow">Where, in criteria text<input name="where" value="\(HTML.sent(query?.condition ?? ""))" spellcheck="false"></label>
            \(words)
            <label>Sort<input name="sort" value="\(HTML.sent(query?.sort ?? ""))" spellcheck="false"></label>
            <div class="row"><button class="main">Plan it</button></div>
            </form>
            \(plan)
            \(request.jsonLink)
            """
    }

    private var plan: HTML {
        guard let query else { return "<p class=\"note\">The plan of a query shows which indexes it uses, and how many rows each step expected and met.</p>" }
        let objects = request.link(
            "/objects", [("model", query.model.name), ("where", query.condition), ("sort", query.sort), ("words", query.words)])
        return """
            <p><a class="button" href="\(objects)">Show the objects</a></p>
            <div class="drawing">\(HTML(drawing: PlanDrawing(plans).svg(title: "The plan of the query", isStyled: false)))</div>
            <p class="note">The query was run for its first \(request.site.limits.rows) objects. The light bar is what a step expected, the strong one what it met.</p>
            <h2>In words</h2>
            <div class="wide">\(plans.flatMap { "\($0)".split(separator: "\n") }.map { "<div class=\"mono\">\(String($0))</div>" as HTML })</div>
            """
    }

    func json() throws -> JSONAnswer {
        .object([
            ("models", .array(models.map { .text($0) })), ("model", .text(query?.model.name)), ("where", .text(query?.condition)), ("sort", .text(query?.sort)),
            ("words", .text(query?.words)),
            ("plans", .array(try plans.map { .value(try $0.jsonValue()) })),
        ])
    }
}
