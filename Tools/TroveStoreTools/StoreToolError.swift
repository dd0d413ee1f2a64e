import Trove

/// What a person asked of a store that it does not have, or wrote otherwise than it has to be written.
package enum StoreToolError: Error, Equatable {
    /// The store has no model of the name.
    case noSuchModel(name: String, known: [String])
    /// The text is no id of the model.
    case notAnID(text: String, model: String, type: String)
    /// An object is not written as JSON.
    case notJSON(reason: String)
    /// An assignment is not written as one.
    case notAnAssignment(text: String)
    /// An assignment is to what nobody sets.
    case notSettable(path: String, advice: String)
    /// An order has a limit or an offset behind it.
    case moreThanAnOrder(text: String)
}

extension StoreToolError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSuchModel(let name, let known):
            "there is no model '\(name)'" + (known.isEmpty ? "; the store has none" : NearName.advice(on: name, known: known, listedAs: "there are"))
        case .notAnID(let text, let model, let type): "'\(text)' is no id of \(model); its ids are of type \(type)"
        case .notJSON(let reason): reason
        case .notSettable(let path, let advice): "'\(path)' cannot be set; \(advice)"
        case .moreThanAnOrder(let text): "'\(text)' has more than an order; leave the limit and the offset out"
        case .notAnAssignment(let text): "'\(text)' is no assignment; write it as year=1959, title='So What', address.city=Oslo or 'tags[0]=live'"
        }
    }
}
