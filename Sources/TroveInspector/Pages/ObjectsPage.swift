import Trove
import TroveStoreTools

/// The objects of a model: filtered, sorted, a page at a time by tokens, with facets.
struct ObjectsPage: InspectorPage {
    /// How many records facets are counted of.
    private static let facetRecords = 20_000
    private static let facetValues = 30
    /// How many columns documents are shown in.
    private static let documentColumns = 24

    private struct Row {
        let record: StoredRecord
        let id: StoredValue
        let values: [StoredValue?]
    }

    private struct Facet {
        let path: String
        var values: [(value: StoredValue, count: Int)]
        let counted: Int
        let isWhole: Bool
    }

    private let request: PageRequest
    private let query: ObjectQuery
    private let columns: [(name: String, type: String?)]
    private let rows: [Row]
    private let results: ObjectResults
    private let facet: Facet?

    let title: String
    let section = PageSection.models

    var liveSource: Link? {
        guard request.fields["live"] != nil else { return nil }
        var fields = request.fields
        fields[LivePages.seenField] = results.digest
        return Link(encoded: request.site.guard.base + "/live", fields)
    }

    init(_ request: PageRequest) throws {
        self.request = request
        // One view of the store, and what the page needs of it; nothing is left open when it is sent.
        (query, columns, rows, results, facet) = try request.store.read { transaction in
            let query = try ObjectQuery(request, transaction)
            let results = try ObjectResults(query, request, transaction)
            let columns = Self.columns(of: query.model, results.records)
            let rows = try results.records.map { record in
                Row(record: record, id: try query.model.ids.value(of: record.key), values: try columns.map { try Self.value($0.name, of: record, query.model) })
            }
            let facet = try request.criteria("facet").map { try Self.facet($0, query, transaction) }
            return (query, columns, rows, results, facet)
        }
        title = query.model.name
    }

    private static func columns(of model: StoredModel, _ records: [StoredRecord]) -> [(name: String, type: String?)] {
        guard model.isCollection else { return model.fields.map { ($0.name, "\($0.type)") } }
        let names = records.reduce(into: Set<String>()) { $0.formUnion(DocumentRecord.attributes(of: $1)) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(documentColumns).map { ($0, nil) }
    }

    private static func value(_ name: String, of record: StoredRecord, _ model: StoredModel) throws -> StoredValue? {
        if model.isCollection { return DocumentRecord.attribute(name, of: record) }
        return record.type(of: name) == nil ? nil : try record.value(of: name)
    }

    /// A value as it is counted: a number that is none is the same as itself.
    private struct CountedValue: Hashable {
        let value: StoredValue

        static func == (left: CountedValue, right: CountedValue) -> Bool { left.value.isSame(as: right.value) }

        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    /// The commonest values at a path, of the first records of the query.
    private static func facet(_ path: String, _ query: ObjectQuery, _ transaction: ReadTransaction) throws -> Facet {
        var counts: [CountedValue: Int] = [:]
        var counted = 0
        var isWhole = true
        let steps = DocumentPath(path)
        guard query.model.isCollection || query.model.fields.contains(where: { [.name($0.name)] == steps.steps.prefix(1) }) else {
            throw HTTPRefusal(400, "\(query.model.name) has no property '\(path)'")
        }
        // They would be read one by one, and may be large.
        if case .lazy? = query.model.fields.first(where: { [.name($0.name)] == steps.steps.prefix(1) })?.type, !query.model.isCollection {
            throw HTTPRefusal(400, "'\(path)' is lazy: its values lie apart from their records, and are not counted")
        }
        try query.fetch(from: transaction).forEach { record, stop in
            if counted == facetRecords {
                isWhole = false
                stop = true
                return
            }
            counted += 1
            let value: StoredValue?
            if query.model.isCollection {
                value = record[DocumentRecord.root]?.value(at: path)
            } else if case .name(let name)? = steps.steps.first, record.type(of: name) != nil {
                let whole = try record.value(of: name)
                value = steps.steps.count == 1 ? whole : whole.value(at: "\(DocumentPath(Array(steps.steps.dropFirst())))")
            } else {
                value = nil
            }
            counts[CountedValue(value: value ?? .null), default: 0] += 1
        }
        // Of equal counts in the order of their JSON, so that a page looks the same each time.
        let named = try counts.map { (value: $0.key.value, count: $0.value, name: try $0.key.value.json()) }
        let order = named.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(facetValues).map { (value: $0.value, count: $0.count) }
        return Facet(path: path, values: order, counted: counted, isWhole: isWhole)
    }

    // MARK: - HTML

    func body() throws -> HTML {
        var table = HTMLTable(["$id"] + columns.map { column in "<bdi>\(column.name)</bdi>\(column.type.map { "<span class=\"type\">\($0)</span>" as HTML })" })
        let marks = try columns.map { try query.marks(in: $0.name) }
        for row in rows {
            let id = try ValueText.cell.html(row.id)
            table.add(
                try ["<a href=\"\(request.link(to: row.id, of: query.model.name))\">\(id)</a>"]
                    + zip(columns, row.values).enumerated().map { number, cell in
                        if row.record.isSealed(cell.0.name) { return "<span class=\"aside\">encrypted</span>" }
                        return try ValueText.cell.html(cell.1, marks: marks[number])
                    })
        }
        return """
            \(form)
            <p class="note">\(state)</p>
            <div id="results">
            <p class="note">\(countText)</p>
            \(try facetList())
            \(rows.isEmpty ? "<p class=\"note\">None.</p>" : table.html)
            <div class="row">\(pages)</div>
            </div>
            \(request.jsonLink)
            """
    }

    private var countText: String {
        guard let count = results.count else { return "Many objects, not counted: that took longer than \(request.site.limits.countTime)." }
        return StoreFacts.counted(count, query.model.isCollection ? "document" : "object") + "."
    }

    private var state: HTML {
        if request.fields["live"] == nil { return "<a href=\"\(request.link(changing: [("live", "1"), ("after", nil)]))\">Show changes live</a>" }
        let seconds = Int(request.site.limits.pollInterval.components.seconds)
        let told: HTML = "Commits of this program are told at once, those of others within \(seconds) seconds."
        return "<span id=\"live-state\">Not live: that needs JavaScript</span>. \(told) <a href=\"\(request.link(changing: [("live", nil)]))\">Stop</a>"
    }

    private var pages: HTML {
        var html = HTML.empty
        if request.fields["after"] != nil { html += "<a class=\"button\" href=\"\(request.link(changing: [("after", nil)]))\">First page</a>" }
        if let next = results.next { html += "<a class=\"button\" rel=\"next\" href=\"\(request.link(changing: [("after", next.text)]))\">Next page</a>" }
        return html
    }

    private var form: HTML {
        let words: HTML? =
            query.wordsIndex == nil
            ? nil : "<label>Words in the texts<input name=\"words\" value=\"\(HTML.sent(query.words ?? ""))\" placeholder=\"autumn lea*\"></label>"
        let explain = request.link(
            "/query", [("model", query.model.name), ("where", query.condition), ("sort", query.sort), ("words", query.words)])
        let insert: HTML? = request.site.allowsWrites ? "<a class=\"button\" href=\"\(request.link("/edit", [("model", query.model.name)]))\">New</a>" : nil
        return """
            <form class="query" action="\(request.link("/objects"))">
            <input type="hidden" name="model" value="\(HTML.sent(query.model.name))">
            <label class="grow">Where, in criteria text<input name="where" value="\(HTML.sent(query.condition ?? ""))" placeholder="year &gt; 1958 and artist = 'Bill Evans'" spellcheck="false"></label>
            \(words)
            <label>Sort<input name="sort" value="\(HTML.sent(query.sort ?? ""))" placeholder="year desc, title" spellcheck="false"></label>
            <label>Count the values of<input name="facet" value="\(HTML.sent(request.fields["facet"] ?? ""))" placeholder="artist" list="properties" spellcheck="false"></label>
            <datalist id="properties">\(columns.filter { TerminalText.escaped($0.name) == $0.name }.map { "<option value=\"\(HTML.sent($0.name))\"></option>" as HTML })</datalist>
            <div class="row"><button class="main">Find</button><a class="button" href="\(explain)">Plan</a>\(insert)</div>
            </form>
            """
    }

    private func facetList() throws -> HTML? {
        guard let facet else { return nil }
        let path = FieldPath(facet.path)
        let list = try facet.values.map { value, count -> HTML in
            let text: HTML = "\(try ValueText(limit: 60).html(value)) <span class=\"aside\">\(count.grouped)</span>"
            let filter: Filter = value == .null ? .isNil(path) : .comparison(.path(path), .equal, .value(value))
            guard let condition = query.condition(and: filter), condition.utf8.count <= request.site.limits.criteriaSize else { return "<span>\(text)</span>" }
            return "<a href=\"\(request.link(changing: [("where", condition), ("after", nil), ("facet", nil)]))\">\(text)</a>"
        }
        return """
            <h2>Values of <bdi>\(facet.path)</bdi></h2>
            <p class="note">Of \(facet.isWhole ? "all" : "the first") \(facet.counted.grouped), the commonest first.</p><div class="facets">\(list)</div>
            """
    }

    // MARK: - JSON

    func json() throws -> JSONAnswer {
        let writer = RecordJSON(query.model, JSONText(isForTerminal: false))
        let records = try rows.map { row in
            var bytes: [UInt8] = []
            try writer.append(row.record, to: &bytes)
            return JSONAnswer.members(bytes)
        }
        var members: [(String, JSONAnswer)] = [
            ("model", .text(query.model.name)), ("count", .number(results.count)), ("objects", .array(records)), ("next", .text(results.next?.text)),
        ]
        if let facet {
            members.append(
                (
                    "facet",
                    .object([
                        ("path", .text(facet.path)), ("counted", .number(facet.counted)), ("isWhole", .flag(facet.isWhole)),
                        ("values", .array(facet.values.map { .object([("value", .value($0.value)), ("count", .number($0.count))]) })),
                    ])
                ))
        }
        return .object(members)
    }
}
