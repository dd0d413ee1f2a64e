import Trove

extension IndexStatistics {
    /// What made the index: a model's declaration, the full text of a collection, somebody at run time, or Trove, for bags and for the documents of a collection.
    package var makerText: String {
        if !isDeclared { return "run time" }
        if case .paths = schema.kind { return "Trove" }
        if schema.name == TroveError.indexOfDocumentWords { return "full text" }
        return model.hasPrefix("$") ? "Trove" : "model"
    }

    package var kindText: String {
        switch schema.kind {
        case .ordered(let isUnique): isUnique ? "unique" : "ordered"
        case .blind(let options):
            options.isUnique ? "blind, unique" : "blind, \(options.bits) bits" + (options.spread > 1 ? " spread over \(options.spread)" : "")
        case .fullText: "words"
        case .paths: "every path"
        case .substring: "parts of texts"
        }
    }

    package var partsText: String {
        schema.parts.map { part in
            (part.indexesValues ? "values of " : "") + "\(part.path)" + (part.direction == .descending ? " desc" : "")
                + part.ignoring.phrase
        }.joined(separator: ", ")
    }

    package var stateText: String {
        switch state {
        case .building: "building"
        case .ready: "ready"
        case .dropping: "being removed"
        }
    }
}
