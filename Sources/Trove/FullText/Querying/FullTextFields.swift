/// The texts that a full-text index holds of each object, and the weight of a hit in each.
///
/// ```swift
/// FullTextFields([("title", weight: 3), ("notes", weight: 1)])
/// ```
public struct FullTextFields: Sendable, Hashable {
    /// One text of each object.
    public struct Field: Sendable, Hashable {
        /// The name by which queries name the field: `title:blue`.
        public var name: String
        /// The weight of a hit in ranking; finite and at least 0. With 0 the field is searched and does not rank.
        public var weight: Double

        /// A text with a name and the weight of a hit.
        public init(_ name: String, weight: Double = 1) {
            self.name = name
            self.weight = weight
        }
    }

    /// The largest number of fields in an index.
    public static let limit = 32

    /// The fields, in the order in which texts are given.
    public let fields: [Field]

    /// - Precondition: there are 1 to ``limit`` fields; ``validate()`` tells what is wrong with them.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// Fields with names and weights.
    public init(_ fields: [(name: String, weight: Double)]) {
        self.init(fields.map { Field($0.name, weight: $0.weight) })
    }

    /// Fields that all have the weight 1.
    public init(_ names: String...) {
        self.init(names.map { Field($0) })
    }

    /// Throws ``TroveError/invalidFullTextFields(reason:)`` when there are no fields, too many, two with the same name, or invalid weights.
    public func validate() throws {
        if fields.isEmpty { throw TroveError.invalidFullTextFields(reason: "there are no fields; name at least one") }
        if fields.count > Self.limit {
            throw TroveError.invalidFullTextFields(reason: "there are \(fields.count); an index holds at most \(Self.limit), so create a second index")
        }
        var names: Set<String> = []
        for field in fields {
            if !names.insert(field.name).inserted {
                throw TroveError.invalidFullTextFields(reason: "two are named '\(field.name)'; name each once")
            }
            if !field.weight.isFinite || field.weight < 0 {
                throw TroveError.invalidFullTextFields(reason: "'\(field.name)' has the weight \(field.weight); give it a weight of 0 or more")
            }
        }
    }

    /// The place of the field with this name.
    func position(of name: String) -> Int? { fields.firstIndex { $0.name == name } }

    var count: Int { fields.count }
    var weights: [Double] { fields.map(\.weight) }
}
