/// The asynchronous twins read on the store's reader threads.
extension ObjectStore {
    /// The object that a reference points at.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not stored.
    public func resolve<Target: Model>(_ reference: Reference<Target>) async throws -> Target {
        try await read { try $0.resolve(reference) }
    }

    /// The object that a reference points at; nil when the reference is nil.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not stored.
    public func resolve<Target: Model>(_ reference: Reference<Target>?) async throws -> Target? {
        try await read { try $0.resolve(reference) }
    }

    /// The objects that references point at, in the order of the references and with repetitions.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` for the first that is not stored.
    public func resolve<Target: Model>(_ references: some Sequence<Reference<Target>> & Sendable) async throws -> [Target] {
        try await read { try $0.resolve(references) }
    }

    /// The objects that references point at, by the names of the references.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` when one is not stored.
    public func resolve<Target: Model>(_ references: [String: Reference<Target>]) async throws -> [String: Target] {
        try await read { try $0.resolve(references) }
    }

    /// The stored objects that references point at, in the order of the references and with repetitions.
    public func fetch<Target: Model>(references: some Sequence<Reference<Target>> & Sendable) async throws -> [Target] {
        try await read { try $0.fetch(references: references) }
    }

    /// The references to an object: objects of all models, each with the field that has the reference, by models and fields.
    public func referencing(_ target: some Model) async throws -> [ReferenceSource] {
        try await referencing(AnyReference(target))
    }

    /// The references to the object of a reference, which need not be stored.
    public func referencing<Target: Model>(_ reference: Reference<Target>) async throws -> [ReferenceSource] {
        try await referencing(AnyReference(reference))
    }

    /// The references to the object of a reference, which need not be stored.
    public func referencing(_ reference: AnyReference) async throws -> [ReferenceSource] {
        try await read { try $0.referencing(reference) }
    }

    /// The number of places that point at an object.
    public func referenceCount(of target: some Model) async throws -> Int {
        try await referenceCount(of: AnyReference(target))
    }

    /// The number of places that point at the object of a reference.
    public func referenceCount<Target: Model>(of reference: Reference<Target>) async throws -> Int {
        try await referenceCount(of: AnyReference(reference))
    }

    /// The number of places that point at the object of a reference.
    public func referenceCount(of reference: AnyReference) async throws -> Int {
        try await read { try $0.referenceCount(of: reference) }
    }

    /// All references to objects that are not stored.
    public func danglingReferences() async throws -> [DanglingReference] {
        try await read { try $0.danglingReferences() }
    }
}
