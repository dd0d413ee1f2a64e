import Foundation
import Trove
import TroveStoreTools

/// Values as a page shows them.
struct ValueText {
    /// How many characters of a text are shown.
    let limit: Int
    /// How many bytes of data are shown.
    var bytes = 64

    static let cell = ValueText(limit: 160, bytes: 12)
    static let whole = ValueText(limit: 20_000)

    func html(_ value: StoredValue?, marks: ((String) -> [Range<String.Index>])? = nil) throws -> HTML {
        switch value {
        case nil, .null?: return "<span class=\"nil\" title=\"nil\">∅</span>"
        case .string(let text)?: return text.isEmpty ? "<span class=\"nil\" title=\"empty text\">“”</span>" : shown(text, marks: marks?(text) ?? [])
        case .bool(let flag)?: return "<span class=\"word\">\(flag ? "true" : "false")</span>"
        case .data(let data)?: return bytes(data)
        case .date?, .uuid?, .objectID?: return "<span class=\"number\">\(try CellText.plain(value) ?? "")</span>"
        case .array, .object, .dictionary: return "<span class=\"nested\">\(shown(try value?.json() ?? "", marks: []))</span>"
        case let value?:
            let text = try CellText.plain(value) ?? ""
            return CellText.isNumber(value) ? "<span class=\"number\">\(text)</span>" : shown(text, marks: [])
        }
    }

    private func bytes(_ data: Data) -> HTML {
        if data.isEmpty { return "<span class=\"aside\">0 bytes</span>" }
        let hex = data.prefix(self.bytes).map { [$0].hexadecimal }.joined(separator: " ")
        return "<span class=\"bytes\">\(hex)\(data.count > self.bytes ? " …" : "")</span> <span class=\"aside\">\(data.count.grouped) bytes</span>"
    }

    /// A text apart from what is beside it, whose direction it does not turn, with parts of it marked.
    private func shown(_ text: String, marks: [Range<String.Index>]) -> HTML {
        let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        var html = HTML.empty
        var place = text.startIndex
        for mark in marks where mark.lowerBound >= place && mark.upperBound <= end {
            html += "\(String(text[place..<mark.lowerBound]))<mark>\(String(text[mark]))</mark>"
            place = mark.upperBound
        }
        html += "\(String(text[place..<end]))"
        let rest: HTML? = end == text.endIndex ? nil : " <span class=\"aside\">… \(text.utf8.count.asByteCount)</span>"
        return "<bdi>\(html)</bdi>\(rest)"
    }
}
