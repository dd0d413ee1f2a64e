import Foundation
import Trove
import TroveStoreTools

/// A record's bytes as `docs/format.md` draws them: eight in a line, each in the colour of its part, and what the parts mean.
struct RecordBytes {
    private static let shown = 512
    private static let width = 8

    private let anatomy: RecordAnatomy

    init(_ anatomy: RecordAnatomy) { self.anatomy = anatomy }

    func html() throws -> HTML {
        var rows = HTML.empty
        let count = min(anatomy.bytes.count, Self.shown)
        for start in stride(from: 0, to: count, by: Self.width) {
            let cells = (start..<min(start + Self.width, count)).map { place -> HTML in
                let part = anatomy.parts.first { $0.range.contains(place) }
                return
                    "<td class=\"\(Self.style(part?.kind))\" title=\"\(part.map { "\($0.name): \($0.meaning)" } ?? "")\">\([anatomy.bytes[place]].hexadecimal)</td>"
            }
            rows += "<tr><td class=\"place\">\(start)</td>\(cells)</tr>\n"
        }
        var table = HTMLTable(["bytes", "part", "what", "meaning"])
        for part in anatomy.parts {
            let bytes = anatomy.bytes[part.range].prefix(16).map { [$0].hexadecimal }.joined(separator: " ") + (part.range.count > 16 ? " …" : "")
            table.add([
                "<span class=\"number\">\(part.range.lowerBound)–\(part.range.upperBound - 1)</span>",
                "<span class=\"key \(Self.style(part.kind))\">\(part.kind.rawValue)</span>", "<bdi>\(part.name)</bdi>",
                "\(part.meaning) <span class=\"aside bytes\">\(bytes)</span>",
            ])
        }
        let more: HTML? = anatomy.bytes.count > count ? "<p class=\"note\">The first \(count) of \(anatomy.bytes.count.grouped) bytes.</p>" : nil
        return "<div class=\"wide\"><table class=\"grid\"><tbody>\(rows)</tbody></table></div>\(more)<h2>Its parts</h2>\(table.html)"
    }

    private static func style(_ kind: RecordAnatomy.Part.Kind?) -> String {
        switch kind {
        case .header: "b-header"
        case .checksum: "b-checksum"
        case .nilBitmap: "b-nil"
        case .fixed: "b-fixed"
        case .ends: "b-ends"
        case .variable: "b-variable"
        case nil: ""
        }
    }

    func json() -> JSONAnswer {
        .object([
            ("bytes", .value(.data(Data(anatomy.bytes)))),
            (
                "parts",
                .array(
                    anatomy.parts.map { part in
                        .object([
                            ("start", .number(part.range.lowerBound)), ("end", .number(part.range.upperBound)), ("kind", .text(part.kind.rawValue)),
                            ("name", .text(part.name)),
                            ("meaning", .text(part.meaning)),
                        ])
                    })
            ),
        ])
    }
}
