import Trove

/// Something in which two stores differ.
struct StoreDifference {
    enum Kind: String {
        case onlyInFirst = "only in first"
        case onlyInSecond = "only in second"
        case differs
    }

    let kind: Kind
    /// The model; `$bag`, `$blob` or `$metadata` for what is no object.
    let model: String
    let id: StoredValue
    var property: String?
    var first: StoredValue?
    var second: StoredValue?

    /// The values for the columns of `trove diff`.
    var row: [StoredValue?] { [.string(kind.rawValue), .string(model), id, property.map { .string($0) }, first, second] }
}
