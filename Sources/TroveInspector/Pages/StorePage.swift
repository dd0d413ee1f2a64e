import Trove
import TroveStoreTools

/// The store as a whole: engine, sizes, durability, health.
struct StorePage: InspectorPage {
    private let request: PageRequest
    private let facts: StoreFacts
    private let notes: [String]

    let title: String
    let section = PageSection.store

    init(_ request: PageRequest) throws {
        self.request = request
        facts = try StoreFacts(request.store)
        notes = try Self.notes(request.store, facts)
        title = request.site.storeName
    }

    /// What somebody should know; what reads the whole store to find it is the command line's.
    private static func notes(_ store: ObjectStore, _ facts: StoreFacts) throws -> [String] {
        var notes = try store.indexStatistics().filter { $0.state != .ready }.map { "the index '\($0.schema.name)' of \($0.model) is \($0.stateText)" }
        if let error = store.indexingError { notes.append("building indexes stopped: \(error)") }
        if facts.statistics.freeSize > 1 << 20, facts.statistics.freeSize > facts.statistics.fileSize / 2 {
            notes.append("\(facts.statistics.freeSize.asByteCount) of the file are free; compacting gives them back")
        }
        if let age = facts.statistics.oldestReaderAge, age > .seconds(60) {
            notes.append("a reader has been open for \(age.components.seconds.description) seconds, and keeps what it sees from being used again")
        }
        return notes
    }

    func body() throws -> HTML {
        let lines = facts.lines.filter { !$0.name.hasPrefix("model ") && !$0.name.hasPrefix("collection ") }
        let list = lines.map { "<dt>\($0.name)</dt><dd><bdi>\($0.text)</bdi></dd>" as HTML }
        let figures = facts.statistics.engineFigures.sorted { $0.key < $1.key }.map {
            "<dt>\($0.key)</dt><dd class=\"number\">\($0.value.grouped)</dd>" as HTML
        }
        let health: HTML =
            notes.isEmpty ? "<p class=\"good\">Nothing to note: all indexes are ready.</p>" : notes.map { "<p class=\"error\">\($0)</p>" as HTML }.joined()
        return """
            <dl>\(list)</dl>
            <h2>Health</h2>\(health)
            <p class="note">Whether every record can be read is what <code>trove doctor</code> finds out, which reads all of them.</p>
            <h2>Models and collections</h2>\(ModelsPage.table(facts, request).html)
            <h2>The engine's figures</h2><dl>\(figures)</dl>
            \(request.jsonLink)
            """
    }

    func json() throws -> JSONAnswer {
        .object(
            zip(facts.names, facts.values).map { ($0, .value($1)) } + [
                ("notes", .array(notes.map { .text($0) })), ("writable", .flag(request.site.allowsWrites)),
                ("engineFigures", .object(facts.statistics.engineFigures.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })),
            ])
    }
}

extension PageRequest {
    /// The link to the page's twin.
    var jsonLink: HTML {
        let link = Link(encoded: site.guard.base + (path == "/" ? "/store" : path) + ".json", fields)
        return "<p class=\"note\"><a href=\"\(link)\">This page as JSON</a></p>"
    }
}
