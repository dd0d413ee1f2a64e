import Foundation

/// The parts of an SVG picture.
enum SVG {
    /// A whole picture, on white, so that it can be read on any page.
    static func picture(width: Double, height: Double, label: String, _ parts: [String]) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
        font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" role="img" aria-label="\(escaped(label))">
        <defs><pattern id="peer" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
        <rect width="6" height="6" fill="#fff"/><rect width="2.5" height="6" fill="#777"/></pattern></defs>
        <rect width="100%" height="100%" fill="#fff"/>
        \(parts.joined(separator: "\n"))
        </svg>

        """
    }

    static func text(
        _ text: String, x: Double, y: Double, size: Int, anchor: String = "start", weight: String = "normal", fill: String = "#000"
    ) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(size)\" text-anchor=\"\(anchor)\" "
            + "font-weight=\"\(weight)\" fill=\"\(fill)\">\(escaped(text))</text>"
    }

    static func rectangle(x: Double, y: Double, width: Double, height: Double, fill: String, stroke: String = "#444") -> String {
        "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" "
            + "fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"0.6\"/>"
    }

    /// A path through points.
    static func line(_ points: [(x: Double, y: Double)], stroke: String = "#000", width: Double = 1, dashes: String = "") -> String {
        let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        let dashes = dashes.isEmpty ? "" : " stroke-dasharray=\"\(dashes)\""
        return "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(number(width))\"\(dashes)/>"
    }

    static func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: "\"", with: "&quot;")
    }
}
