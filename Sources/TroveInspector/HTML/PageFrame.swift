import Trove

/// What stands around every page.
struct PageFrame {
    private let site: InspectorSite

    init(_ site: InspectorSite) { self.site = site }

    /// A page in its frame, and the status that it has: that of the error where its content cannot be made.
    func html(_ page: any InspectorPage) -> (html: HTML, status: Int) {
        var (content, status) = (HTML.empty, page.status)
        do {
            content = try page.body()
        } catch {
            let refusal = InspectorSite.refusal(for: error)
            (content, status) = ("<p class=\"error\">\(refusal.reason)</p>", refusal.status)
        }
        let script: HTML? = page.liveSource == nil ? nil : "<script type=\"module\" src=\"\(Link(site.guard.base, "/live.js"))\"></script>"
        let live: HTML? = page.liveSource.map { " data-live=\"\($0)\"" }
        let html: HTML = """
            \(head(page.title, "\(files)\(script)"))
            <body\(live)>
            <header><span class="store">\(site.storeName)</span><span class="badge">\(site.allowsWrites ? "changes allowed" : "read only")</span>
            <nav>\(PageSection.allCases.map { entry($0, isCurrent: $0 == page.section) })</nav></header>
            <main>
            <h1>\(page.title)</h1>
            \(content)
            </main>
            </body></html>

            """
        return (html, status)
    }

    /// The page of a refusal, which tells nothing of the store.
    ///
    /// - Parameter knowsBase: whether who asked has said the path that all pages begin with. Nobody else is told it: it is the path of the cookie, which a
    ///   browser sends to every port of the host.
    func html(of refusal: HTTPRefusal, knowsBase: Bool) -> HTML {
        """
        \(head("Not answered", knowsBase ? files : nil))
        <body><main><h1>Not answered</h1><p class="error">\(refusal.reason)</p></main></body></html>

        """
    }

    /// The links to the icon and the stylesheet.
    private var files: HTML {
        "<link rel=\"icon\" href=\"\(Link(site.guard.base, "/icon.svg"))\"><link rel=\"stylesheet\" href=\"\(Link(site.guard.base, "/style.css"))\">"
    }

    private func head(_ title: String, _ files: HTML?) -> HTML {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>\(title) – Trove</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
        \(files)</head>
        """
    }

    private func entry(_ section: PageSection, isCurrent: Bool) -> HTML {
        let mark: HTML? = isCurrent ? " aria-current=\"page\"" : nil
        return "<a href=\"\(Link(site.guard.base, section.path))\"\(mark)>\(section.rawValue)</a>"
    }
}

/// A table.
struct HTMLTable {
    private var rows = HTML.empty
    private let head: HTML
    private(set) var count = 0

    init(_ columns: [HTML]) { head = columns.map { "<th scope=\"col\">\($0)</th>" as HTML }.joined() }

    mutating func add(_ cells: [HTML]) {
        rows += "<tr>\(cells.map { "<td>\($0)</td>" as HTML })</tr>\n"
        count += 1
    }

    var html: HTML { "<div class=\"wide\"><table><thead><tr>\(head)</tr></thead><tbody>\n\(rows)</tbody></table></div>" }
}
