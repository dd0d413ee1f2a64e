extension ModelGraph {
    private static let gap = 90.0
    private static let margin = 20.0
    private static let padding = 10.0

    /// Where a box is.
    private struct Place {
        var x = 0.0
        var y = 0.0
        let width: Double
        let height: Double
        let layer: Int
    }

    /// The graph as SVG: a column for each layer, boxes in the order of their names, and a line from each property that refers to what it refers to.
    ///
    /// - Parameter isStyled: whether the colours are in the drawing; not where the page has them, as ``SVGDrawing/style``.
    package func svg(title: String, isStyled: Bool = true) -> String {
        var drawing = SVGDrawing()
        let places = places()
        drawEdges(places, &drawing)
        for (node, place) in zip(nodes, places) { draw(node, place, &drawing) }
        let right = places.map { $0.x + $0.width }.max() ?? 200
        let bottom = places.map { $0.y + $0.height }.max() ?? 20
        return drawing.document(width: right + Self.margin + Self.gap, height: bottom + Self.margin, title: title, isStyled: isStyled)
    }

    private func places() -> [Place] {
        let layers = layers()
        var places = zip(nodes, layers).map { node, layer in
            let head = SVGDrawing.width(node.name) + SVGDrawing.width(node.count) + 3 * Self.padding
            let rows = node.rows.map { SVGDrawing.width($0.name) + SVGDrawing.width($0.type) + 4 * Self.padding }.max() ?? 0
            return Place(width: max(head, rows, 120), height: Double(node.rows.count + 1) * SVGDrawing.lineHeight + 2 * Self.padding, layer: layer)
        }
        var x = Self.margin
        for layer in Set(layers).sorted() {
            var y = Self.margin
            var width = 0.0
            for index in places.indices where places[index].layer == layer {
                (places[index].x, places[index].y) = (x, y)
                y += places[index].height + 2 * Self.margin
                width = max(width, places[index].width)
            }
            x += width + Self.gap
        }
        return places
    }

    private func draw(_ node: Node, _ place: Place, _ drawing: inout SVGDrawing) {
        let head = SVGDrawing.lineHeight + Self.padding
        drawing.rectangle(place.x, place.y, place.width, place.height, .box)
        drawing.rectangle(place.x, place.y, place.width, head, .head)
        drawing.text(place.x + Self.padding, place.y + SVGDrawing.lineHeight, node.name, .name)
        drawing.text(place.x + place.width - Self.padding, place.y + SVGDrawing.lineHeight, node.count, .count, endsAt: true)
        for (number, row) in node.rows.enumerated() {
            let y = baseline(number, place)
            drawing.text(place.x + Self.padding, y, row.name, .detail)
            drawing.text(place.x + place.width - Self.padding, y, row.type, .detail, endsAt: true)
        }
    }

    private func baseline(_ row: Int, _ place: Place) -> Double { place.y + Self.padding + Double(row + 2) * SVGDrawing.lineHeight - 2 }

    private func drawEdges(_ places: [Place], _ drawing: inout SVGDrawing) {
        let numbers = Dictionary(nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var drawn: Set<String> = []
        for (source, node) in nodes.enumerated() {
            for (number, row) in node.rows.enumerated() {
                guard let relationship = row.target, let model = relationship.model, let target = numbers[model] else { continue }
                // A relationship and its inverse are one line, from the one that comes first.
                if let inverse = relationship.inverse, drawn.contains("\(model)\u{0}\(inverse)") { continue }
                drawn.insert("\(node.name)\u{0}\(row.name)")
                let start = (x: places[source].x + places[source].width, y: baseline(number, places[source]) - 4)
                let isAhead = places[target].layer > places[source].layer
                let end = (
                    x: isAhead ? places[target].x : places[target].x + places[target].width, y: places[target].y + (SVGDrawing.lineHeight + Self.padding) / 2)
                let inverse = relationship.inverse.flatMap { name in nodes[target].rows.first { $0.name == name }?.target }
                drawing.line(
                    from: start, to: end, endsOnRight: !isAhead, relationship.isMany ? .many : .arrow, startMark: inverse.map { $0.isMany ? .many : .arrow },
                    title: title(of: row, relationship, node.name, model))
            }
        }
    }

    private func title(of row: Row, _ relationship: Target, _ source: String, _ target: String) -> String {
        var title = "\(source).\(row.name) refers to \(relationship.isMany ? "many " : "")\(target)"
        if let inverse = relationship.inverse { title += ", inverse \(target).\(inverse)" }
        if relationship.deleteRule != "nullify" { title += ", deletes: \(relationship.deleteRule)" }
        return title
    }
}
