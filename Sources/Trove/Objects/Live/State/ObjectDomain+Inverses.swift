// All of these are called with the domain's lock held.
extension ObjectDomain {
    /// Lets the other sides of the relationships of objects that were brought in know of them. The host can look them up already.
    func connect(_ objects: [any LiveModel]) {
        for object in objects { connectAll(object) }
    }

    private func connectAll<Object: LiveModel>(_ object: Object) {
        guard let host else { return }
        for (field, schema) in Object.schema.fields.enumerated() where schema.relationship != nil {
            guard let inverse = host.inverse(of: field, in: Object.self) else { continue }
            let side = RelationshipSide(of: object, field: field, inverse: inverse)
            for target in object._$targets(of: field) {
                if let target = host.loadedObject(target) { link(target, to: side, host) }
            }
        }
    }

    /// Lets the other sides know that a relationship points at other objects than before.
    func connect<Owner: LiveModel, Target: LiveModel>(
        _ owner: Owner, _ field: Int, from old: [Reference<Target>], to new: [Reference<Target>]
    ) {
        guard host?.inverse(of: field, in: Owner.self) != nil else { return }
        let change = TargetChange(from: old, to: new)
        connect(owner, field, removed: change.removed, added: change.added)
    }

    /// Lets the other sides know that a relationship points at some objects no longer, and at others from now on.
    func connect<Owner: LiveModel, Target: LiveModel>(
        _ owner: Owner, _ field: Int, removed: [Reference<Target>], added: [Reference<Target>]
    ) {
        guard let host, let inverse = host.inverse(of: field, in: Owner.self) else { return }
        let side = RelationshipSide(of: owner, field: field, inverse: inverse)
        for reference in removed {
            guard let target = host.loadedObject(AnyReference(reference)) else { continue }
            apply(.remove(side.owner), to: target, field: inverse, host)
        }
        for reference in added {
            guard let target = host.loadedObject(AnyReference(reference)) else { continue }
            link(target, to: side, host)
        }
    }

    /// Lets a target point back at the owner. One that can point at one object only leaves the owner it had.
    private func link(_ target: any LiveModel, to side: RelationshipSide, _ host: any ObjectHost) {
        if type(of: target).schema.fields[side.inverse].relationship?.shape.isOne ?? false,
            let former = target._$targets(of: side.inverse).first, former != side.owner, let owner = host.loadedObject(former)
        {
            apply(.remove(target.reference), to: owner, field: side.field, host)
        }
        apply(.insert(side.owner), to: target, field: side.inverse, host)
    }

    private func apply<Object: LiveModel>(_ change: RelationshipChange, to object: Object, field: Int, _ host: any ObjectHost) {
        do {
            guard try object._$needs(change, of: field) else { return }
            try object._$live.observing(object, field: field) {
                object._$live.markChanged(object, field: field, in: self)
                try object._$change(change, of: field)
            }
        } catch {
            host.refuse(error)
        }
    }
}

/// A relationship of one object, for the objects it points at.
private struct RelationshipSide {
    let owner: AnyReference
    let field: Int
    /// The field of the targets that points back.
    let inverse: Int

    init(of owner: some LiveModel, field: Int, inverse: Int) {
        self.owner = owner.reference
        self.field = field
        self.inverse = inverse
    }
}

extension LiveModel {
    fileprivate var reference: AnyReference { AnyReference(self) }
}

extension RelationshipShape {
    fileprivate var isOne: Bool { self == .optionalOne || self == .requiredOne }
}
