// With the lock of the domain held.
extension ObjectContext {
    /// Gives an object the properties of a new one that is in no context, as if the program assigned them, and inserts what it holds.
    ///
    /// - Parameter fields: the names of those that count; nil for all but empty relationships.
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when the id would be another one; what inserting throws.
    func takeOver<Object: LiveModel>(_ fields: Set<String>?, of given: GivenObject<Object>, into present: Object) throws {
        let binding = try binding(of: Object.self)
        let move = RecordMove(old: given.object.reference, new: present.reference)
        var new = try storedRecord(given.record, of: given.object)
        if move.old != move.new {
            for relationship in core.relationships(of: Object.schema.name) { try move.replace(in: &new, relationship) }
        }
        let now = try storedRecord(encoded(present), of: present)
        let kept = try present.live.image.map { try storedRecord($0, of: present) } ?? now
        var merged = now
        var layout: RecordLayout?
        for (position, field) in Object.schema.fields.enumerated() {
            if let fields {
                guard fields.contains(field.name) else { continue }
            } else if field.relationship != nil, given.targets(of: position).isEmpty {
                continue
            }
            var keepsStored = field.options.contains(.writeOnce) && present.live.status != .inserted && !kept.isNil(field.name)
            if keepsStored, new.differs(from: kept, in: field.name) {
                // What its record lacks was never written, and has a default value here.
                layout = try layout ?? layoutAsWritten(of: present)
                keepsStored = layout.map { $0.version < Object.schema.version || $0.hasField(field) } ?? true
            }
            let keepsValue = field.options.contains(.keepIfNil) && new.isNil(field.name)
            if keepsStored || keepsValue || !field.options.isDisjoint(with: [.creationDate, .modificationDate]) { continue }
            merged.copy(field.name, from: new)
        }
        let changed = Object.schema.fields.indices.filter { merged.differs(from: now, in: Object.schema.fields[$0].name) }
        if let part = binding.naturalKey?.parts.first(where: { part in changed.contains { Object.schema.fields[$0].name == part.path.field } }) {
            throw TroveError.contextMisuse(
                reason: "the \(Object.schema.name) \(given.object.shownID) cannot become \(present.shownID), which has its unique values, "
                    + "since that one's id is made of '\(part.path.field)'; change it and insert the new one, or leave the property out with updating:")
        }
        if changed.isEmpty { return }
        keepLazyValues(of: merged, changed.lazy.map { Object.schema.fields[$0].name })
        try insertHeld(by: given, in: changed, move)
        // What has come in may have changed other relationships of it.
        var latest = try storedRecord(encoded(present), of: present)
        for field in changed { latest.copy(Object.schema.fields[field].name, from: merged) }
        try change(present, to: image(latest, binding), changed)
    }

    /// The layout in which an object's record was written; nil when it has none any more.
    private func layoutAsWritten<Object: LiveModel>(of object: Object) throws -> RecordLayout? {
        try read(includingPendingChanges: false) { try $0.storedVersions(of: [key(of: object).bytes], Object.self) }[0]?.layout
    }

    /// - Throws: ``TroveError/notInContext(model:id:)`` when a new object that has left the context refers to what has left it too, and so is nowhere.
    func checkTargets(of given: GivenObject<some LiveModel>) throws {
        guard domain.isHome(of: given.object.live) else { return }
        let targets = Set(type(of: given.object).schema.fields.indices.flatMap { given.targets(of: $0) })
        guard let lost = try lost(among: targets.subtracting([given.object.reference])).first else { return }
        throw TroveError.notInContext(model: lost.modelName, id: try shownID(of: lost))
    }

    /// Inserts what a new object holds in some of its relationships. What points at the object itself points at another one from then on.
    private func insertHeld(by given: GivenObject<some LiveModel>, in fields: [Int], _ move: RecordMove) throws {
        let object = given.object
        let targets = Set(fields.flatMap { given.targets(of: $0) })
        if targets.isEmpty { return }
        let held = object.live.withLock { _ in
            var held: [any LiveModel] = []
            object._$appendHeld(to: &held)
            return held.filter { $0 !== object && targets.contains($0.reference) }
        }
        if held.isEmpty { return }
        if move.old == move.new { return try insertGraph(from: held, leavingOut: object) }
        try insertGraph(
            from: held, leavingOut: object,
            // What points at the object is encoded for that when it is in, which is too late for one that cannot be.
            checking: { graph in for other in graph where other.live.withLock({ _ in pointsAt(move.old, other) }) { _ = try encoded(other) } },
            preparing: { graph in for other in graph { try repoint(other, move) } })
    }

    /// Whether a relationship of an object points at another one.
    private func pointsAt<Object: LiveModel>(_ target: AnyReference, _ object: Object) -> Bool {
        core.relationships(of: Object.schema.name).contains { object._$targets(of: $0.field).contains(target) }
    }

    /// Lets an object point at another one in the places where it points at one; returns the fields of these.
    @discardableResult
    func repoint<Object: LiveModel>(_ object: Object, _ move: RecordMove) throws -> [Int] {
        var record: StoredRecord?
        var changed: [Int] = []
        for relationship in core.relationships(of: Object.schema.name) {
            let targets = object._$targets(of: relationship.field)
            guard targets.contains(move.old) else { continue }
            var now = try record ?? storedRecord(encoded(object), of: object)
            try move.replace(in: &now, relationship)
            record = now
            changed.append(relationship.field)
        }
        guard let record else { return [] }
        for field in changed { object.live.markChanged(object, field: field, in: domain) }
        try assign(image(record, binding(of: Object.self)), to: object)
        return changed
    }

    /// Gives an object another record as a change of some fields. The other sides of its relationships follow, and owners let go of what they have no longer.
    private func change<Object: LiveModel>(_ object: Object, to image: [UInt8], _ fields: [Int]) throws {
        let relationships = fields.filter { Object.schema.fields[$0].relationship != nil }
        let former = relationships.map { object._$targets(of: $0) }
        for field in fields { object.live.markChanged(object, field: field, in: domain) }
        try assign(image, to: object)
        for (field, former) in zip(relationships, former) {
            let (old, new) = (Set(former), object._$targets(of: field))
            let present = Set(new)
            var seen: Set<AnyReference> = []
            let removed = former.filter { !present.contains($0) && seen.insert($0).inserted }
            let added = new.filter { !old.contains($0) && seen.insert($0).inserted }
            if ObjectDomain.owns(field, in: Object.self) { domain.tellRelease(of: removed, by: field, in: Object.self) }
            if let side = domain.inverse(of: field, in: Object.self) { domain.connect(object.reference, side, removed: removed, added: added) }
        }
    }
}
