/// What live objects ask of the context they are in. Every method is called with the lock of the context's domain held.
protocol ObjectHost: AnyObject, Sendable {
    /// An object is about to be changed, for the first time in the domain's epoch. It still has its former values.
    func willChange(_ object: any LiveModel, field: Int)

    /// As many changes were made as the domain's ``ObjectDomain/changesLeft`` was set to.
    func didReachChangeLimit()

    /// The object that a relationship refers to, looked up, or loaded together with those that the other objects read with `owner` refer to.
    /// nil when there is none, which the host notes.
    func object<Target: LiveModel>(_ reference: Reference<Target>, of owner: any LiveModel, field: Int) -> Target?

    /// The objects that a relationship refers to, in order and with repetitions; those that are not there are left out, which the host notes.
    func objects<Target: LiveModel>(_ references: [Reference<Target>], of owner: any LiveModel, field: Int) -> [Target]

    /// The object that is referred to.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` and what reading throws.
    func resolve<Target: LiveModel>(_ reference: Reference<Target>) throws -> Target

    /// The object of a key, when the program has it and it is not deleted; it is of this class.
    func presentObject(_ model: any LiveModel.Type, _ key: [UInt8]) -> (any LiveModel)?

    /// The object of this key, when the program has it.
    func loadedObject(_ reference: AnyReference) -> (any LiveModel)?

    /// An object in no context was assigned to a relationship of one that is in this.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when it holds an object of another context, or a record of its id is known already.
    func insert(_ object: any LiveModel) throws

    /// A change was refused, which no property can say; the next save throws the error.
    func refuse(_ error: any Error)

    /// The position of the field of the target model that says the same as a relationship the other way round; nil when there is none.
    func inverse(of field: Int, in model: any LiveModel.Type) -> Int?
}
