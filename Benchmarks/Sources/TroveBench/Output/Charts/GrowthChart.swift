import Foundation

/// A picture of how the cost of one operation grows with the number of objects: lines on two logarithmic axes.
///
/// Contestants differ by the mark and the dashes of their lines, and each line has its name at its end, so that the picture needs no colours.
struct GrowthChart {
    private static let width = 960.0
    private static let panelHeight = 330.0
    private static let left = 70.0
    /// Room for the names at the ends of the lines.
    private static let nameWidth = 190.0
    private static let dashes = ["", "6 3", "2 3", "9 3 2 3"]

    private let results: ResultsFile
    private let panels: [Panel]

    private struct Panel {
        let title: String
        let lines: [Line]
    }

    private struct Line {
        let name: String
        /// The contestant's place among all that are drawn, which says how its lines look in every panel.
        let style: Int
        let kind: ContestantKind
        /// The number of objects and the time of one operation, in seconds.
        let points: [(count: Double, seconds: Double)]
    }

    /// nil when the run has not measured two sizes.
    init?(_ results: ResultsFile) {
        self.results = results
        let prefixes = [("Insert, time of one", "growth-insert-"), ("Get by id, time of one", "growth-read-")]
        let drawn = results.contestants.filter { contestant in prefixes.contains { Self.points(contestant, $0.1, results) != nil } }
        panels = prefixes.compactMap { title, prefix in
            let lines = drawn.enumerated().compactMap { style, contestant in
                Self.points(contestant, prefix, results).map { Line(name: contestant.title, style: style, kind: contestant.kind, points: $0) }
            }
            return lines.isEmpty ? nil : Panel(title: title, lines: lines)
        }
        if panels.isEmpty { return nil }
    }

    /// nil when there are not two.
    private static func points(_ contestant: any Contestant, _ prefix: String, _ results: ResultsFile) -> [(count: Double, seconds: Double)]? {
        let points = Workloads.all.filter { $0.name.hasPrefix(prefix) }.compactMap { workload -> (count: Double, seconds: Double)? in
            guard let seconds = results.secondsEach(contestant, workload), let scale = workload.scale(results.scale) else { return nil }
            return (Double(scale.count), seconds)
        }
        return points.count < 2 ? nil : points
    }

    var svg: String {
        var parts = [SVG.text("How cost grows with the number of objects", x: 16, y: 24, size: 15, weight: "bold")]
        var y = 62.0
        for panel in panels {
            parts.append(draw(panel, top: y))
            y += Self.panelHeight + 62
        }
        let caption = results.caption(
            "10,000 objects and more", "Both axes are logarithmic; a level line is a cost that does not grow.",
            of: Workloads.all.filter { $0.family == .growth })
        for line in caption {
            parts.append(SVG.text(line, x: 16, y: y, size: 11, fill: "#555"))
            y += 15
        }
        return SVG.picture(width: Self.width, height: y, label: "How cost grows with the number of objects", parts)
    }

    private func draw(_ panel: Panel, top: Double) -> String {
        let counts = panel.lines.flatMap { $0.points.map { log10($0.count) } }
        let times = panel.lines.flatMap { $0.points.map { log10($0.seconds) } }
        // Whole powers of ten at both ends of the axis of times.
        let (low, high) = ((times.min() ?? 0).rounded(.down), (times.max() ?? 1).rounded(.up))
        let (first, last) = (counts.min() ?? 0, counts.max() ?? 1)
        let right = Self.width - Self.nameWidth
        func x(_ count: Double) -> Double { Self.left + (log10(count) - first) / (last - first) * (right - Self.left) }
        func y(_ seconds: Double) -> Double { top + 14 + (high - log10(seconds)) / max(1, high - low) * Self.panelHeight }

        var parts = [SVG.text("\(panel.title), lower is better", x: 16, y: top, size: 13, weight: "bold")]
        for power in Int(low)...Int(high) {
            let height = y(pow(10, Double(power)))
            parts.append(SVG.line([(Self.left, height), (right, height)], stroke: "#ccc"))
            parts.append(SVG.text(Self.time(power), x: Self.left - 8, y: height + 4, size: 11, anchor: "end"))
        }
        for count in Set(panel.lines.flatMap { $0.points.map(\.count) }).sorted() {
            let bottom = y(pow(10, low))
            parts.append(SVG.line([(x(count), bottom), (x(count), bottom + 5)]))
            parts.append(SVG.text(Figures.count(count), x: x(count), y: bottom + 19, size: 11, anchor: "middle"))
        }
        parts.append(SVG.text("objects", x: right + 42, y: y(pow(10, low)) + 19, size: 11, fill: "#555"))
        let names = Self.spread(panel.lines.map { y($0.points[$0.points.count - 1].seconds) }, apart: 14)
        for (place, line) in panel.lines.enumerated() {
            let points = line.points.map { (x($0.count), y($0.seconds)) }
            let stroke = Self.stroke(line.kind)
            parts.append(SVG.line(points, stroke: stroke, width: line.kind == .trove ? 2.4 : 1.4, dashes: Self.dashes[line.style % Self.dashes.count]))
            parts += points.map { Self.mark(line.style, $0.0, $0.1, stroke) }
            let end = points[points.count - 1]
            parts.append(SVG.line([(end.0 + 5, end.1), (right + 16, names[place] - 4)], stroke: "#999", width: 0.6))
            parts.append(Self.mark(line.style, right + 22, names[place] - 4, stroke))
            parts.append(SVG.text(line.name, x: right + 31, y: names[place], size: 11))
        }
        return parts.joined(separator: "\n")
    }

    /// Moves heights apart, so that names do not lie on each other. Their order stays.
    private static func spread(_ heights: [Double], apart: Double) -> [Double] {
        var result = heights
        var least = -Double.infinity
        for place in heights.indices.sorted(by: { heights[$0] < heights[$1] }) {
            result[place] = max(heights[place] + 4, least + apart)
            least = result[place]
        }
        return result
    }

    private static func time(_ power: Int) -> String {
        switch power {
        case -9 ... -7: "\(Int(pow(10, Double(power + 9)))) ns"
        case -6 ... -4: "\(Int(pow(10, Double(power + 6)))) µs"
        case -3 ... -1: "\(Int(pow(10, Double(power + 3)))) ms"
        default: "10^\(power) s"
        }
    }

    private static func stroke(_ kind: ContestantKind) -> String {
        switch kind {
        case .raw: "#8a8a8a"
        case .trove: "#1f3a5f"
        case .live: "#7d93b2"
        case .peer: "#000"
        }
    }

    /// A mark of one of five shapes.
    private static func mark(_ style: Int, _ x: Double, _ y: Double, _ stroke: String) -> String {
        let (x0, x1, y0, y1) = (SVG.number(x - 4), SVG.number(x + 4), SVG.number(y - 4), SVG.number(y + 4))
        let (cx, cy) = (SVG.number(x), SVG.number(y))
        return switch style % 5 {
        case 0: "<circle cx=\"\(cx)\" cy=\"\(cy)\" r=\"4\" fill=\"\(stroke)\"/>"
        case 1: "<rect x=\"\(x0)\" y=\"\(y0)\" width=\"8\" height=\"8\" fill=\"#fff\" stroke=\"\(stroke)\" stroke-width=\"1.6\"/>"
        case 2: "<path d=\"M\(x0) \(y1)L\(cx) \(y0)L\(x1) \(y1)Z\" fill=\"\(stroke)\"/>"
        case 3: "<path d=\"M\(cx) \(y0)L\(x1) \(cy)L\(cx) \(y1)L\(x0) \(cy)Z\" fill=\"#fff\" stroke=\"\(stroke)\" stroke-width=\"1.6\"/>"
        default: "<path d=\"M\(x0) \(y0)L\(x1) \(y1)M\(x0) \(y1)L\(x1) \(y0)\" stroke=\"\(stroke)\" stroke-width=\"1.8\"/>"
        }
    }
}
