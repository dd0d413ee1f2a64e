import Foundation

/// The results as an SVG picture: a panel for each of the main workloads, a bar for each contestant.
///
/// Every axis begins at 0 and is linear; each panel has its own. Kinds of contestants differ by lightness and by a
/// pattern, and every bar is labelled, so that the picture needs no colours. Contestants that keep nothing on a disk
/// are left out, because their writes are not durable.
struct BarChart {
    /// The workloads of the picture; the tables have all.
    private static let workloads = ["bulk-insert", "get", "fetch-all", "write-64"]
    private static let columns = 2
    private static let panelWidth = 450.0
    private static let nameWidth = 160.0
    /// Room for the longest bar's label.
    private static let labelWidth = 90.0
    private static let barHeight = 14.0
    private static let rowHeight = 19.0
    private static let titleHeight = 26.0
    private static let panelGap = 30.0

    private let results: Results

    init(_ results: Results) {
        self.results = results
    }

    private struct Bar {
        let name: String
        let kind: ContestantKind
        let value: Double
        let label: String
    }

    var svg: String {
        let panels = results.plan.workloads.filter { Self.workloads.contains($0.name) }.map { ($0, bars(of: $0)) }
        var parts = [legend]
        var y = 62.0
        for start in stride(from: 0, to: panels.count, by: Self.columns) {
            let row = panels[start..<min(start + Self.columns, panels.count)]
            for (column, (workload, bars)) in row.enumerated() {
                parts.append(panel(workload, bars, x: Double(column) * Self.panelWidth, y: y))
            }
            let most = row.map { $0.1.count }.max() ?? 0
            y += Self.titleHeight + Double(most) * Self.rowHeight + Self.panelGap
        }
        for line in captionLines {
            parts.append(Self.text(line, x: 16, y: y, size: 11, fill: "#555"))
            y += 15
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.panelWidth) * Self.columns) \(Int(y))" \
            font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" role="img" aria-label="Benchmark of Trove, its engines and GRDB">
            <defs><pattern id="peer" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
            <rect width="6" height="6" fill="#fff"/><rect width="2.5" height="6" fill="#777"/></pattern></defs>
            <rect width="100%" height="100%" fill="#fff"/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func bars(of workload: any Workload) -> [Bar] {
        results.plan.contestants.compactMap { contestant in
            guard contestant.isPersistent, let seconds = results.secondsEach(contestant.name, workload.name) else { return nil }
            let value = workload.unit == .time ? seconds * 1e6 : 1 / seconds
            return Bar(name: contestant.title, kind: contestant.kind, value: value, label: Figures.result(seconds, workload.unit))
        }
    }

    private func panel(_ workload: any Workload, _ bars: [Bar], x: Double, y top: Double) -> String {
        let better = workload.unit == .time ? "µs each, shorter is better" : "a second, longer is better"
        let left = x + Self.nameWidth
        let largest = bars.map(\.value).max() ?? 1
        let scale = (Self.panelWidth - Self.nameWidth - Self.labelWidth) / largest
        var parts = [
            Self.text(workload.title, x: x + 16, y: top, size: 13, weight: "bold"),
            Self.text(better, x: x + Self.panelWidth - 24, y: top, size: 11, anchor: "end", fill: "#555"),
        ]
        for (row, bar) in bars.enumerated() {
            let y = top + Self.titleHeight - 14 + Double(row) * Self.rowHeight
            let length = max(1, bar.value * scale)
            parts.append(Self.text(bar.name, x: left - 7, y: y + 11, size: 11, anchor: "end"))
            parts.append(Self.rectangle(x: left, y: y, width: length, bar.kind))
            parts.append(Self.text(bar.label, x: left + length + 5, y: y + 11, size: 11))
        }
        let (first, last) = (top + Self.titleHeight - 18, top + Self.titleHeight - 14 + Double(bars.count) * Self.rowHeight)
        parts.append("<path d=\"M\(Self.number(left)) \(Self.number(first))V\(Self.number(last))\" stroke=\"#000\"/>")
        return parts.joined(separator: "\n")
    }

    private var legend: String {
        let entries: [(ContestantKind, String)] = [
            (.raw, "C program on the engine"), (.trove, "Trove"), (.peer, "GRDB"),
        ]
        return entries.enumerated().map { place, entry in
            let x = 16 + Double(place) * 220
            return Self.rectangle(x: x, y: 14, width: 26, entry.0) + Self.text(entry.1, x: x + 34, y: 26, size: 12)
        }.joined(separator: "\n")
    }

    private var captionLines: [String] {
        let environment = results.environment
        let versions = environment.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return [
            "\(Figures.count(Double(results.plan.scale.count))) objects of about 90 bytes, \(results.plan.durability.rawValue) commits, "
                + "medians of \(results.plan.repeats); \(environment.date), commit \(environment.commit).",
            "\(environment.machine); \(environment.system), \(environment.fileSystem).",
            "\(versions). Every panel has its own axis, which begins at 0.",
        ]
    }

    private static func rectangle(x: Double, y: Double, width: Double, _ kind: ContestantKind) -> String {
        let fill = switch kind {
        case .raw: "#c4c4c4"
        case .trove: "#1f3a5f"
        case .peer: "url(#peer)"
        }
        return "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(barHeight))\" "
            + "fill=\"\(fill)\" stroke=\"#444\" stroke-width=\"0.6\"/>"
    }

    private static func text(
        _ text: String, x: Double, y: Double, size: Int, anchor: String = "start", weight: String = "normal", fill: String = "#000"
    ) -> String {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        return "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(size)\" text-anchor=\"\(anchor)\" "
            + "font-weight=\"\(weight)\" fill=\"\(fill)\">\(escaped)</text>"
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
