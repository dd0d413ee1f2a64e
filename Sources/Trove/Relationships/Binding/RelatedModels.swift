/// The models that relationships lead to.
enum RelatedModels {
    /// The models, each once, and behind them those that their relationships lead to, over any number of hops.
    static func all(from models: [any Model.Type]) -> [any Model.Type] {
        var known: Set<ObjectIdentifier> = []
        var found: [any Model.Type] = []
        for model in models where known.insert(ObjectIdentifier(model)).inserted { found.append(model) }
        var next = 0
        while next < found.count {
            for field in found[next].schema.fields {
                if let target = field.relationship?.targetModel, known.insert(ObjectIdentifier(target)).inserted { found.append(target) }
            }
            next += 1
        }
        return found
    }
}
