/// The number of objects and other values that a transfer of a whole store has moved.
public struct StoreContents: Sendable, Hashable {
    /// The number of objects of each model, by the models' names.
    public internal(set) var objects: [String: Int] = [:]
    /// The number of bags.
    public internal(set) var bags = 0
    /// The number of the application's own values.
    public internal(set) var metadata = 0
    /// The number of blobs.
    public internal(set) var blobs = 0

    /// The number of objects, bags, values and blobs in all.
    public var total: Int { objects.values.reduce(0, +) + bags + metadata + blobs }
}

extension StoreContents: CustomStringConvertible {
    /// The contents in one line: `Song: 3, Album: 1, 2 bags`.
    public var description: String {
        let models = objects.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { "\($0.key): \($0.value)" }
        let others = [(bags, "bag", "bags"), (metadata, "value of the metadata", "values of the metadata"), (blobs, "blob", "blobs")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        return models.isEmpty && others.isEmpty ? "nothing" : (models + others).joined(separator: ", ")
    }
}
