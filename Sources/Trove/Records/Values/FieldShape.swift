/// The names of many objects that all have the same ones, put into their order once.
package struct FieldShape: Sendable {
    private let names: [String]
    /// Whether no two names can be equal to Swift, so that nothing is left to find out.
    private let isPlain: Bool

    /// The shape of objects with these names, and for each value that it wants the position of its name among them.
    package static func ordering(_ names: [String]) -> (shape: FieldShape, order: [Int]) {
        let order = names.indices.sorted { names[$0].precedesInBytes(names[$1]) }
        return (FieldShape(names: order.map { names[$0] }), order)
    }

    private init(names: [String]) {
        self.names = names
        isPlain = names.allSatisfy(\.isASCII) && zip(names, names.dropFirst()).allSatisfy { $0.precedesInBytes($1) }
    }

    /// The fields of an object, by its values in the order of the shape.
    package func fields(_ values: [StoredValue]) -> StoredFields {
        precondition(values.count == names.count, "an object of a shape has a value for each of its names")
        return isPlain ? StoredFields(ascending: names, values, areASCII: true, StoredValue.free) : StoredFields(names, values, StoredValue.free)
    }
}
