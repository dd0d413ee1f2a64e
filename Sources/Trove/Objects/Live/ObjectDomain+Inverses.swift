/// A relationship that another says the other way round.
@usableFromInline struct InverseField: Sendable {
    /// The position of its field.
    let field: Int
    /// The position of the other's field, in the model it points at.
    let inverse: Int
    /// Whether the other points at one object only.
    let isInverseToOne: Bool
}

// All of these are called with the domain's lock held.
extension ObjectDomain {
    /// The relationships of a model that have an inverse.
    private func inverses(of model: any LiveModel.Type, _ host: any ObjectHost) -> [InverseField] {
        if let known = knownInverses[ObjectIdentifier(model)] { return known }
        let found = model.schema.fields.enumerated().compactMap { field, schema -> InverseField? in
            guard let target = schema.relationship?.targetModel, let inverse = host.inverse(of: field, in: model) else { return nil }
            let isToOne = target.schema.fields[inverse].relationship?.shape.isToOne ?? false
            return InverseField(field: field, inverse: inverse, isInverseToOne: isToOne)
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
                link(targets, to: object.reference, side, host)
            }
        }
    }

    /// Lets the other sides know that a relationship points at some objects no longer, and at others from now on.
    @usableFromInline func connect(_ owner: AnyReference, _ side: InverseField, removed: [AnyReference], added: [AnyReference]) {
        guard let host else { return }
        for target in removed {
            if let target = host.loadedObject(target) { apply(.remove(owner), to: target, field: side.inverse, host) }
        }
        link(added, to: owner, side, host)
    }

    /// Lets targets point back at the owner. Those that can point at one object only leave the owners they had.
    private func link(_ references: [AnyReference], to owner: AnyReference, _ side: InverseField, _ host: any ObjectHost) {
        // Each former owner is changed once, so that moving all of many children takes as long as there are children.
        var left: [AnyReference: Set<AnyReference>] = [:]
        for reference in references {
            guard let target = host.loadedObject(reference) else { continue }
            if side.isInverseToOne, let former = target._$targets(of: side.inverse).first, former != owner {
                left[former, default: []].insert(reference)
            }
            apply(.insert(owner), to: target, field: side.inverse, host)
        }
        for (former, references) in left {
            guard let former = host.loadedObject(former) else { continue }
            apply(.removeAll(references), to: former, field: side.field, host)
        }
    }

    /// Lets a relationship no longer point at objects that are nowhere.
    func drop(_ targets: Set<AnyReference>, from object: any LiveModel, field: Int) {
        guard let host, !targets.isEmpty else { return }
        apply(.removeAll(targets), to: object, field: field, host)
    }

    private func apply<Object: LiveModel>(_ change: _RelationshipChange, to object: Object, field: Int, _ host: any ObjectHost) {
        do {
            guard try object._$needs(change, of: field) else { return }
            let released = Self.owns(field, in: Object.self) ? change.released(by: object, field) : []
            try object.live.observing(object, field: field, in: self) {
                object.live.markChanged(object, field: field, in: self)
                try object._$change(change, of: field)
            }
            tellRelease(of: released, by: field, in: Object.self)
        } catch {
            host.refuse(error)
        }
    }
}

// What owners let go of.
extension ObjectDomain {
    /// Whether a relationship owns what it points at.
    @usableFromInline static func owns(_ field: Int, in model: any LiveModel.Type) -> Bool {
        model.schema.fields[field].relationship?.deleteRule.owns ?? false
    }

    /// Lets the host know what a relationship that owns objects points at no longer.
    @usableFromInline func tellRelease(of references: [AnyReference], by field: Int, in model: any LiveModel.Type) {
        if !references.isEmpty { host?.didRelease(references, by: field, in: model) }
    }
}

extension _RelationshipChange {
    /// What an object's relationship points at before the change and not after it.
    fileprivate func released(by object: some LiveModel, _ field: Int) -> [AnyReference] {
        switch self {
        case .insert(let target):
            let isToOne = type(of: object).schema.fields[field].relationship?.shape.isToOne ?? false
            return isToOne ? object._$targets(of: field).filter { $0 != target } : []
        case .remove(let target): return [target]
        case .removeAll(let targets): return Array(targets)
        }
    }
}

extension LiveModel {
    @inlinable var reference: AnyReference { AnyReference(modelName: Self.schema.name, keyBytes: id.keyBytes) }
}

/// What a relationship points at after a change and not before, and the other way round; each object once.
@usableFromInline struct TargetChange<Target: LiveModel> {
    @usableFromInline var removed: [Reference<Target>] = []
    @usableFromInline var added: [Reference<Target>] = []

    init() {}

    @inlinable init(from old: [Reference<Target>], to new: [Reference<Target>]) {
        if old.count <= 1, new.count <= 1 {
            if old != new { (removed, added) = (old, new) }
            return
        }
        // Most changes of long lists are in one place: what is the same before and behind it need not be looked at further.
        let shorter = min(old.count, new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
        let gone = old[start..<(old.count - end)]
        let come = new[start..<(new.count - end)]
        let known = Set(come)
        // An object may be there several times, and elsewhere still.
        let isElsewhere = { (reference: Reference<Target>) in
            new[..<start].contains(reference) || new[(new.count - end)...].contains(reference)
        }
        if gone.count * (start + end) < 1_000 {
            removed = Self.once(gone) { !known.contains($0) && !isElsewhere($0) }
        } else {
            let all = Set(new)
            removed = Self.once(gone) { !all.contains($0) }
        }
        let former = Set(gone)
        added = Self.once(come) { !former.contains($0) }
    }

    @inlinable static func once(_ references: ArraySlice<Reference<Target>>, _ isIncluded: (Reference<Target>) -> Bool) -> [Reference<Target>] {
        var seen: Set<Reference<Target>> = []
        return references.filter { isIncluded($0) && seen.insert($0).inserted }
    }
}
