import TroveStoreTools

/// Markup. What stands in a literal of the source is markup; every text that is put into one is escaped:
///
/// ```swift
/// let cell: HTML = "<td title=\"\(title)\">\(text)</td>"
/// ```
///
/// So no value of a store can be markup, and there is no way to say that one is. Attributes stand in double quotes.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// A text as it is shown: no character of it is markup, and none changes how others are shown.
    init(_ text: String) { self.text = MarkupText.escaped(text) }

    /// A drawing, which escapes its texts itself.
    init(drawing: String) { text = drawing }

    static let empty: HTML = ""

    static func + (left: HTML, right: HTML) -> HTML {
        var left = left
        left.text += right.text
        return left
    }

    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + interpolationCount * 32) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
        mutating func appendInterpolation(_ list: [HTML]) { for html in list { text += html.text } }
        mutating func appendInterpolation(_ value: String) { text += MarkupText.escaped(value) }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }
        mutating func appendInterpolation(_ link: Link) { text += MarkupText.escaped(link.target) }
    }
}

extension HTML {
    /// A text for a form, as it is: with what would be shown as an escape elsewhere, since it is sent back.
    static func sent(_ text: String) -> HTML {
        var html = HTML.empty
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "'", "\r", "\n", "\t": html.text += "&#\(scalar.value);"
            default: html.text.unicodeScalars.append(scalar)
            }
        }
        return html
    }
}

extension Sequence<HTML> {
    func joined() -> HTML { reduce(into: HTML.empty) { $0 += $1 } }
}

/// A link to a page of this server; there are no others.
struct Link: Sendable {
    /// The target, of ASCII characters alone.
    let target: String

    /// - Parameter fields: what stands behind the `?`, without those that are nil.
    init(_ base: String, _ path: String, _ fields: [(String, String?)] = []) {
        var query = FormFields()
        for (name, value) in fields { query[name] = value }
        let text = query.encoded
        target = base + path + (text.isEmpty ? "" : "?" + text)
    }
}
