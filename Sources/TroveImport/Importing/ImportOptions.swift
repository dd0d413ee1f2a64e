/// How the objects of a source are brought into a store.
public struct ImportOptions: Sendable {
    /// What becomes of objects whose ids are stored already.
    public enum ExistingObjects: String, CaseIterable, Sendable {
        /// They are refused: an import that is whole stores nothing then, and one in batches tells them row by row.
        case refuse
        /// The stored ones stay.
        case skip
        /// The stored ones are replaced; an object of a model keeps the properties that the source does not name.
        case replace
    }

    /// What becomes of objects, and of bags, whose ids are stored already. An object of a source has the same id each time.
    public var existing: ExistingObjects
    /// Whether some thousand objects, or some megabytes of them, are stored in each transaction, and what cannot be stored is passed over and
    /// told. Otherwise all is one transaction, which the first such object undoes.
    public var inBatches: Bool
    /// The models that collections become, by the names of the collections; the others become collections of documents. The
    /// properties have the names of the attributes; the key of a row is the id, and a property where the model has one of its name, or
    /// ``names`` gives it another.
    public var models: [String: String]
    /// Other names for attributes, by the collection and the attribute; one whose other name is empty is left out. Two
    /// attributes of an object cannot have one name.
    ///
    /// Collections that the source does not have, here and in ``models``, are ``ImportError/invalidOption(reason:)``; in a source that has classes only with
    /// their objects they change nothing.
    public var names: [String: [String: String]]
    /// Whether nothing is stored: everything is done in a transaction that is undone at the end.
    public var isDryRun: Bool

    /// Options that are not the usual ones: one transaction that refuses what is there, into collections of the source's names.
    public init(
        existing: ExistingObjects = .refuse, inBatches: Bool = false, models: [String: String] = [:], names: [String: [String: String]] = [:],
        isDryRun: Bool = false
    ) {
        self.existing = existing
        self.inBatches = inBatches
        self.models = models
        self.names = names
        self.isDryRun = isDryRun
    }
}

/// How far an import is.
public struct ImportProgress: Sendable {
    /// The number of objects that were read.
    public let completed: Int
    /// The number of objects that there are, where the source tells it quickly.
    public let total: Int?
}
