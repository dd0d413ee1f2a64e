/// What came of giving a collection of documents a Swift type, see ``ObjectStore/adopt(_:from:misfits:unknownProperties:)-swift.method``.
public struct AdoptionReport: Sendable, Hashable {
    /// A document that the type cannot have.
    public struct Misfit: Sendable, Hashable, CustomStringConvertible {
        /// The document's id.
        public let id: ObjectID
        /// The property that it lacks, that has another value than the property takes, or that the type does not have.
        public let property: String
        /// What is wrong with it.
        public let reason: String

        public var description: String { "\(id).\(property): \(reason)" }
    }

    /// Whether the documents are objects of the type now. The store has to be opened with it to use them so.
    public internal(set) var isAdopted = false
    /// How many documents fit.
    public internal(set) var fitting = 0
    /// How many do not.
    public internal(set) var misfitCount = 0
    /// The first thousand that do not, in the order of their ids, each with what is wrong first.
    public internal(set) var misfits: [Misfit] = []
}

/// What becomes of documents that a type cannot have, when it adopts their collection.
public enum MisfitPolicy: Sendable, Hashable {
    /// The collection stays as it is, when there are any.
    case refuse
    /// They are moved to another collection, which is made when there is none.
    case move(to: String)
}
