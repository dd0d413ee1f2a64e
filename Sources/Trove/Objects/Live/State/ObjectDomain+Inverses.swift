// All of these are called with the domain's lock held.
extension ObjectDomain {
    /// The relationships of a model that have an inverse.
    private func inverses(of model: any LiveModel.Type, _ host: any ObjectHost) -> [InverseField] {
        if let known = knownInverses[ObjectIdentifier(model)] { return known }
        let found = model.schema.fields.enumerated().compactMap { field, schema -> InverseField? in
            guard let target = schema.relationship?.targetModel, let inverse = host.inverse(of: field, in: model) else { return nil }
            let shape = target.schema.fields[inverse].relationship?.shape
            return InverseField(field: field, inverse: inverse, isInverseToOne: shape == .optionalOne || shape == .requiredOne)
        }
        knownInverses[ObjectIdentifier(model)] = found
        return found
    }

    /// The inverse of a relationship; nil when there is none.
    @usableFromInline func inverse(of field: Int, in model: any LiveModel.Type) -> InverseField? {
        guard let host else { return nil }
        return inverses(of: model, host).first { $0.field == field }
    }

    /// Lets the other sides of the relationships of objects that were brought in know of them. The host can look them up already.
    func connect(_ objects: [any LiveModel]) {
        guard let host else { return }
        for object in objects {
            for side in inverses(of: type(of: object), host) {
                let targets = object._$targets(of: side.field)
                if targets.isEmpty { continue }
                let owner = object.reference
                for target in targets { link(target, to: owner, side, host) }
            }
        }
    }

    /// Lets the other sides know that a relationship points at some objects no longer, and at others from now on.
    @usableFromInline func connect(_ owner: AnyReference, _ side: InverseField, removed: [AnyReference], added: [AnyReference]) {
        guard let host else { return }
        for target in removed {
            if let target = host.loadedObject(target) { apply(.remove(owner), to: target, field: side.inverse, host) }
        }
        for target in added { link(target, to: owner, side, host) }
    }

    /// Lets a target point back at the owner. One that can point at one object only leaves the owner it had.
    private func link(_ reference: AnyReference, to owner: AnyReference, _ side: InverseField, _ host: any ObjectHost) {
        guard let target = host.loadedObject(reference) else { return }
        if side.isInverseToOne, let former = target._$targets(of: side.inverse).first, former != owner,
            let formerOwner = host.loadedObject(former)
        {
            apply(.remove(reference), to: formerOwner, field: side.field, host)
        }
        apply(.insert(owner), to: target, field: side.inverse, host)
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

extension LiveModel {
    @inlinable var reference: AnyReference { AnyReference(modelName: Self.schema.name, keyBytes: id.keyBytes) }
}
