import Trove

/// The models of a store and what refers to what.
package struct ModelGraph {
    /// A box of the drawing.
    struct Node {
        let name: String
        /// What it is, and how many objects it has.
        let count: String
        var rows: [Row]
    }

    /// A property of a box.
    struct Row {
        let name: String
        let type: String
        var target: Target?
    }

    /// What a property refers to.
    struct Target {
        /// The name of the model; nil for any.
        let model: String?
        let isMany: Bool
        let inverse: String?
        let deleteRule: String
    }

    /// How many properties of a model, or paths of documents, are drawn.
    static let maxRows = 40

    let nodes: [Node]

    init(nodes: [Node]) { self.nodes = nodes }

    /// The graph of some models of a store.
    ///
    /// - Parameter counts: how many objects each has, where that is known already: some engines count one by one.
    package init(_ models: [StoredModel], in store: ObjectStore, counts: [String: Int]? = nil) throws {
        let counts = try counts ?? store.counts()
        nodes = try models.map { model in
            let count = counts[model.name] ?? 0
            let rows = try model.isCollection ? Self.paths(of: model, in: store) : Self.properties(of: model)
            let node = Node(
                name: model.name, count: "\(count.grouped) \(model.isCollection ? "document" : "object")\(count == 1 ? "" : "s")",
                rows: Array(rows.prefix(Self.maxRows)))
            guard rows.count > Self.maxRows else { return node }
            return Node(name: node.name, count: node.count, rows: node.rows + [Row(name: "… and \(rows.count - Self.maxRows) more", type: "")])
        }
    }

    private static func properties(of model: StoredModel) throws -> [Row] {
        let id = Row(name: StoredModel.idName, type: model.idType)
        guard let layout = model.layouts.first, case .array(let fields)? = try layout.jsonValue().value(at: "fields") else { return [id] }
        return [id] + fields.array.map { field in
            func text(_ path: String) -> String? { field.value(at: path).flatMap { if case .string(let text) = $0 { text } else { nil } } }
            let row = Row(name: text("name") ?? "", type: text("type") ?? "")
            guard field.value(at: "relationship") != nil else { return row }
            let shape = text("relationship.shape") ?? ""
            let target = Target(
                model: text("relationship.target"), isMany: shape != "optionalOne" && shape != "requiredOne", inverse: text("relationship.inverse"),
                deleteRule: text("relationship.deleteRule") ?? "nullify")
            return Row(name: row.name, type: (target.model ?? "any") + (target.isMany ? "[]" : shape == "optionalOne" ? "?" : ""), target: target)
        }
    }

    private static func paths(of model: StoredModel, in store: ObjectStore) throws -> [Row] {
        try [Row(name: StoredModel.idName, type: model.idType)] + (store.read { try model.attributes(in: $0) } ?? []).map { attribute in
                Row(
                    name: attribute.path,
                    type: DocumentAttribute.Kind.allCases.compactMap { attribute.kinds[$0] == nil ? nil : $0.rawValue }.joined(separator: " | "))
        }
    }
}

extension ModelGraph {
    /// The layer of each node: behind all that refer to it, but for references that close a circle.
    ///
    /// - Complexity: O(*n*) in nodes and references.
    func layers() -> [Int] {
        let places = Dictionary(nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let targets = nodes.enumerated().map { number, node in node.rows.compactMap { $0.target?.model.flatMap { places[$0] } }.filter { $0 != number } }
        var layers = [Int](repeating: 0, count: nodes.count)
        for (node, target) in Self.withoutCircles(targets) { layers[target] = max(layers[target], layers[node] + 1) }
        return layers
    }

    /// The references without those that close a circle, each behind all that lead to where it begins.
    ///
    /// The walk has a stack of its own: a store may have more models than a thread's stack has room for calls.
    private static func withoutCircles(_ targets: [[Int]]) -> [(from: Int, to: Int)] {
        enum State {
            case new, onWay, done
        }
        var states = [State](repeating: .new, count: targets.count)
        var finished: [Int] = []
        var kept = [[Int]](repeating: [], count: targets.count)
        let pointedAt = Set(targets.joined())
        for root in targets.indices.filter({ !pointedAt.contains($0) }) + Array(targets.indices) where states[root] == .new {
            states[root] = .onWay
            var way = [(node: root, next: 0)]
            while let (node, next) = way.last {
                guard next < targets[node].count else {
                    states[node] = .done
                    finished.append(node)
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                let target = targets[node][next]
                if states[target] != .onWay { kept[node].append(target) }
                if states[target] == .new {
                    states[target] = .onWay
                    way.append((target, 0))
                }
            }
        }
        return finished.reversed().flatMap { node in kept[node].map { (node, $0) } }
    }
}
