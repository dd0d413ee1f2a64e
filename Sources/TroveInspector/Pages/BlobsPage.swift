import Trove
import TroveStoreTools

/// All blobs, a page at a time by their names.
struct BlobsPage: InspectorPage {
    private let request: PageRequest
    private let total: Int
    private let blobs: [BlobInfo]
    private let next: String?

    let title = "Blobs"
    let section = PageSection.blobs

    init(_ request: PageRequest) throws {
        self.request = request
        let names = try request.store.blobNames()
        total = names.count
        let after = request.fields["after"]
        let rest = after.map { after in names.drop { !after.utf8.lexicographicallyPrecedes($0.utf8) } } ?? names[...]
        let shown = rest.prefix(request.site.limits.rows)
        blobs = try shown.compactMap { try request.store.blobInfo(named: $0) }
        next = shown.count < rest.count ? shown.last : nil
    }

    func body() throws -> HTML {
        if blobs.isEmpty { return "<p class=\"note\">There are none.</p>\(request.jsonLink)" }
        var table = HTMLTable(["name", "size", "SHA-256"])
        for blob in blobs {
            table.add([
                "<a href=\"\(request.link("/blob", [("name", blob.name)]))\" download><bdi>\(blob.name)</bdi></a>",
                "<span class=\"number\">\(blob.size.asByteCount)</span>",
                "<span class=\"mono\">\(blob.sha256Text)</span>",
            ])
        }
        let more: HTML? = next.map { "<div class=\"row\"><a class=\"button\" href=\"\(request.link(changing: [("after", $0)]))\">Next page</a></div>" }
        return "<p class=\"note\">\(StoreFacts.counted(total, "blob")); a name downloads one.</p>\(table.html)\(more)\(request.jsonLink)"
    }

    func json() throws -> JSONAnswer {
        .object([
            ("count", .number(total)), ("next", .text(next)),
            ("blobs", .array(blobs.map { .object([("name", .text($0.name)), ("size", .number($0.size)), ("sha256", .text($0.sha256Text))]) })),
        ])
    }
}

/// A blob as a file: never as something that a browser shows, whatever is in it.
enum BlobDownload {
    private static let pieceSize = 1 << 20

    static func response(_ request: PageRequest) async throws -> HTTPResponse {
        let name = try request.required("name")
        let site = request.site
        guard let info = try await site.waiting({ try site.store.blobInfo(named: name) }) else { throw HTTPRefusal(404, "there is no such blob") }
        return HTTPResponse(
            type: "application/octet-stream", headers: [("Content-Disposition", "attachment; filename=\"\(fileName(name))\"")],
            .pieces(size: info.size) { offset in
                // Each piece is read by itself, so that a slow reader holds nothing. One that was stored anew meanwhile is not sent half.
                try await site.waiting {
                    guard try site.store.blobInfo(named: name) == info else { return [] }
                    return [UInt8](try site.store.blob(named: name, in: offset..<min(offset + pieceSize, info.size)) ?? .init())
                }
            })
    }

    /// A name for the file, of characters that no system minds.
    private static func fileName(_ name: String) -> String {
        let safe = name.unicodeScalars.suffix(80).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_" || scalar == ".")
                ? Character(scalar) : "_"
        }
        let text = String(safe.drop { $0 == "." })
        return text.isEmpty ? "blob" : text
    }
}
