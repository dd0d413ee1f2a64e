/// A picture of bars: a panel for each workload, a bar for each contestant.
///
/// Every axis begins at 0 and is linear; each panel has its own. A bar far longer than most is cut, visibly. Kinds of contestants differ by lightness and by a
/// pattern, and every bar is labelled, so that the picture needs no colours. Contestants that keep nothing on a disk
/// are left out, because their writes are not durable.
struct BarChart {
    private static let columns = 2
    private static let panelWidth = 500.0
    private static let nameWidth = 225.0
    /// Room for the longest bar's label.
    private static let labelWidth = 90.0
    private static let barHeight = 14.0
    private static let rowHeight = 19.0
    private static let titleHeight = 26.0
    private static let panelGap = 30.0

    private let results: ResultsFile
    private let title: String
    private let panels: [(workload: any Workload, bars: [Bar])]

    private struct Bar {
        let name: String
        let kind: ContestantKind
        let value: Double
        let label: String
    }

    /// nil when the run has none of the workloads.
    init?(_ results: ResultsFile, title: String, workloads: [String]) {
        self.results = results
        self.title = title
        panels = Workloads.all.filter { workloads.contains($0.name) }.map { ($0, Self.bars(of: $0, results)) }.filter { !$0.1.isEmpty }
        if panels.isEmpty { return nil }
    }

    private static func bars(of workload: any Workload, _ results: ResultsFile) -> [Bar] {
        results.contestants.compactMap { contestant in
            guard contestant.isPersistent, let seconds = results.secondsEach(contestant, workload) else { return nil }
            let value = workload.unit == .time ? seconds : 1 / seconds
            return Bar(name: contestant.title, kind: contestant.kind, value: value, label: Figures.result(seconds, workload.unit))
        }
    }

    var svg: String {
        var parts = [SVG.text(title, x: 16, y: 24, size: 15, weight: "bold"), legend]
        var y = 88.0
        for start in stride(from: 0, to: panels.count, by: Self.columns) {
            let row = panels[start..<min(start + Self.columns, panels.count)]
            for (column, (workload, bars)) in row.enumerated() {
                parts.append(Self.panel(workload, bars, x: Double(column) * Self.panelWidth, y: y))
            }
            let most = row.map { $0.bars.count }.max() ?? 0
            y += Self.titleHeight + Double(most) * Self.rowHeight + Self.panelGap
        }
        let scales = panels.compactMap { $0.workload.scale(results.scale)?.count }
        let objects = Set(scales).sorted().map { Figures.count(Double($0)) }.joined(separator: " or ")
        for line in results.caption("\(objects) objects", "Every panel has its own axis, which begins at 0; a bar with a gap is cut, its label tells how long it is.", of: panels.map(\.workload)) {
            parts.append(SVG.text(line, x: 16, y: y, size: 11, fill: "#555"))
            y += 15
        }
        return SVG.picture(width: Self.panelWidth * Double(Self.columns), height: y, label: title, parts)
    }

    private static func panel(_ workload: any Workload, _ bars: [Bar], x: Double, y top: Double) -> String {
        let better = workload.unit == .time ? "shorter is better" : "longer is better"
        let left = x + nameWidth
        let room = panelWidth - nameWidth - labelWidth
        let longest = longestDrawn(bars)
        var parts = [
            SVG.text(workload.title, x: x + 16, y: top, size: 13, weight: "bold"),
            SVG.text(better, x: x + panelWidth - 16, y: top, size: 11, anchor: "end", fill: "#555"),
        ]
        for (row, bar) in bars.enumerated() {
            let y = top + titleHeight - 14 + Double(row) * rowHeight
            let isCut = bar.value > longest
            let length = max(1, min(bar.value, longest) / longest * room)
            parts.append(SVG.text(bar.name, x: left - 7, y: y + 11, size: 11, anchor: "end"))
            parts.append(SVG.rectangle(x: left, y: y, width: length, height: barHeight, fill: fill(bar.kind)))
            if isCut { parts.append(SVG.rectangle(x: left + length - 22, y: y - 1, width: 5, height: barHeight + 2, fill: "#fff", stroke: "none")) }
            parts.append(SVG.text(bar.label, x: left + length + 5, y: y + 11, size: 11))
        }
        let (first, last) = (top + titleHeight - 18, top + titleHeight - 14 + Double(bars.count) * rowHeight)
        parts.append(SVG.line([(left, first), (left, last)]))
        return parts.joined(separator: "\n")
    }

    /// The value of a bar that takes all the room. Bars of more than ten times what most have would leave nothing of the others: they are cut, with a gap,
    /// and are longer than any that is not.
    private static func longestDrawn(_ bars: [Bar]) -> Double {
        let values = bars.map(\.value).sorted()
        guard let largest = values.last else { return 1 }
        let usual = values[values.count * 2 / 3]
        let longestWhole = values.last { $0 <= 10 * usual } ?? largest
        return longestWhole == largest ? largest : longestWhole * 1.15
    }

    private var legend: String {
        let all: [(ContestantKind, String)] = [
            (.raw, "C program on the engine"), (.trove, "Trove"), (.live, "Trove, live objects"), (.peer, "GRDB"),
        ]
        let present = Set(panels.flatMap { $0.bars.map(\.kind) })
        return all.filter { present.contains($0.0) }.enumerated().map { place, entry in
            let x = 16 + Double(place) * 210
            return SVG.rectangle(x: x, y: 42, width: 26, height: Self.barHeight, fill: Self.fill(entry.0))
                + SVG.text(entry.1, x: x + 34, y: 54, size: 12)
        }.joined(separator: "\n")
    }

    private static func fill(_ kind: ContestantKind) -> String {
        switch kind {
        case .raw: "#d0d0d0"
        case .trove: "#1f3a5f"
        case .live: "#7d93b2"
        case .peer: "url(#peer)"
        }
    }
}
