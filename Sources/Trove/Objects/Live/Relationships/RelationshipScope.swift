/// The relationship that references are read from: whose it is, and with it where the objects are found.
public struct _RelationshipScope: Sendable {
    @usableFromInline let owner: any _LiveObject
    @usableFromInline let field: Int

    @inlinable init(_ owner: any _LiveObject, field: Int) {
        self.owner = owner
        self.field = field
    }

    /// nil when it is not there, and for an object in no context, which has no objects but those it holds.
    @inlinable func object<Target: LiveModel>(_ reference: Reference<Target>) -> Target? {
        let domain = owner.live.lock()
        let found = present(reference, in: domain)
        domain._withUnsafeGuaranteedRef { $0.lock.unlock() }
        return found ?? load(reference)
    }

    /// Those that are there, in order and with repetitions.
    @inlinable func objects<Target: LiveModel>(_ references: [Reference<Target>]) -> [Target] {
        if references.isEmpty { return [] }
        return present(references) ?? load(references)
    }

    /// The object when the program has it, by code that is specialised where the property is: it is what most reads come to.
    @inlinable func present<Target: LiveModel>(_ reference: Reference<Target>, in domain: Unmanaged<ObjectDomain>) -> Target? {
        guard let object = domain._withUnsafeGuaranteedRef({ $0.presentObject(Target.self, reference.id.keyBytes) }) else { return nil }
        return unsafeDowncast(object, to: Target.self)
    }

    /// Those that are referred to; nil when the program does not have one of them.
    @inlinable func present<Target: LiveModel>(_ references: [Reference<Target>]) -> [Target]? {
        let domain = owner.live.lock()
        defer { domain._withUnsafeGuaranteedRef { $0.lock.unlock() } }
        var found: [Target] = []
        found.reserveCapacity(references.count)
        for reference in references {
            guard let object = present(reference, in: domain) else { return nil }
            found.append(object)
        }
        return found
    }

    // What loads objects is called without the lock: others go on while the engine reads.

    /// nil for an object in no context, as one of an abstract model always is.
    private var loader: (host: any ObjectHost, owner: any LiveModel)? {
        guard let owner = owner._$model else { return nil }
        let domain = owner.live.domain
        if let host = domain.withLock({ domain.host }) { return (host, owner) }
        if domain === ObjectDomain.detached {
            MissingContext.reportNone(of: owner)
        } else {
            MissingContext.report("a relationship was read", of: owner)
        }
        return nil
    }

    @usableFromInline func load<Target: LiveModel>(_ reference: Reference<Target>) -> Target? {
        guard let (host, owner) = loader else { return nil }
        return host.object(reference, of: owner, field: field)
    }

    @usableFromInline func load<Target: LiveModel>(_ references: [Reference<Target>]) -> [Target] {
        guard let (host, owner) = loader else { return [] }
        return host.objects(references, of: owner, field: field)
    }

    /// - Throws: ``TroveError/danglingReference(model:id:)`` when it is not there.
    func resolve<Target: LiveModel>(_ reference: Reference<Target>) throws -> Target {
        guard let host = loader?.host else { throw reference.isDangling }
        return try host.resolve(reference)
    }
}

extension Reference {
    var isDangling: TroveError { .danglingReference(model: Target.schema.name, id: id.shownInErrors) }
}

/// A change of one side of a relationship that follows from a change of the other side.
public enum _RelationshipChange: Sendable {
    /// Adds this object at the end; a reference to one object then points at this one.
    case insert(AnyReference)
    /// Removes this object.
    case remove(AnyReference)
    /// Removes all of these objects.
    case removeAll(Set<AnyReference>)

    /// Applies the change to the references of a relationship.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the reference is not one to the relationship's model.
    @inlinable
    public func apply<Value: LiveRelationship>(to relationship: inout _RelationshipStorage<Value>) throws {
        switch self {
        case .insert(let target): relationship.insert(try Reference(target))
        case .remove(let target): relationship.remove([try Reference(target)])
        case .removeAll(let targets): relationship.remove(Set(try targets.map { try Reference($0) }))
        }
    }

    /// Applies the change to a relationship that is a property of references.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the reference is not one to the relationship's model.
    @inlinable
    public func apply<Value: RelationshipValue>(to relationship: inout Value) throws {
        switch self {
        case .insert(let target): try relationship.insert(target)
        case .remove(let target): relationship.remove(target)
        case .removeAll(let targets): for target in targets { relationship.remove(target) }
        }
    }

    /// Whether the change affects a relationship that is a property of references.
    @inlinable
    public func isNeeded<Value: RelationshipValue>(in relationship: Value) -> Bool {
        switch self {
        case .insert(let target): !relationship.targets.contains(target)
        case .remove(let target): relationship.targets.contains(target)
        case .removeAll(let targets): relationship.targets.contains { targets.contains($0) }
        }
    }

    /// Whether the change affects the references of a relationship, which it leaves as they are.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the reference is not one to the relationship's model.
    @inlinable
    public func isNeeded<Value: LiveRelationship>(in relationship: inout _RelationshipStorage<Value>) throws -> Bool {
        switch self {
        case .insert(let target): !relationship.search(for: try Reference(target))
        case .remove(let target): relationship.contains(try Reference(target))
        case .removeAll(let targets): try targets.contains { relationship.contains(try Reference($0)) }
        }
    }
}
