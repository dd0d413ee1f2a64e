/// Objects of relationships, loaded when a getter asks for them.
extension ObjectContext {
    /// How many objects one fault loads at most: all of them have to be among the recent ones until they are asked for.
    private var maxFaultCount: Int { max(1, options.recentObjectCount / 2) }

    /// The object that a relationship to one refers to.
    func fault<Target: LiveModel>(_ reference: Reference<Target>, of owner: any LiveModel, field: Int) -> Target? {
        let key = ObjectKey(ObjectIdentifier(Target.self), id: reference.id)
        let (present, missing): (Target?, [ObjectKey]) = domain.withLock {
            if let present = map.object(Target.self, key) { return (shown(present), []) }
            if state.ghosts[key] != nil { return (nil, []) }
            var keys = [key]
            if isToOne(owner, field) { addTargets(of: owner, field, Target.self, to: &keys) }
            return (nil, keys)
        }
        if missing.isEmpty { return present }
        do {
            let loaded: [Target] = try Interruption.unheeded { try loadFaults(missing) }
            return try withExtendedLifetime(loaded) {
                guard let found = map.object(Target.self, key) else { throw dangling(reference) }
                return domain.withLock { shown(found) }
            }
        } catch {
            domain.withLock { noteFault(error) }
            return nil
        }
    }

    /// The objects that a collection refers to, in order and with repetitions.
    func faults<Target: LiveModel>(_ references: [Reference<Target>], of owner: any LiveModel, field: Int) -> [Target] {
        let model = ObjectIdentifier(Target.self)
        var objects: [AnyObject?] = []
        objects.reserveCapacity(references.count)
        var missing: [(position: Int, key: ObjectKey)] = []
        var keys: [ObjectKey] = []
        domain.withLock {
            for reference in references {
                let key = ObjectKey(model, id: reference.id)
                if let present = map.object(Target.self, key) {
                    objects.append(shown(present))
                } else {
                    if state.ghosts[key] == nil { missing.append((objects.count, key)) }
                    objects.append(nil)
                }
            }
            if missing.isEmpty { return }
            keys = missing.map { $0.key }
            if owner.live.group?.noteCollection(field) == true { addTargets(of: owner, field, Target.self, to: &keys) }
        }
        if missing.isEmpty { return [Target](found: objects) }
        do {
            let loaded: [Target] = try Interruption.unheeded { try loadFaults(keys) }
            withExtendedLifetime(loaded) {
                domain.withLock {
                    for (position, key) in missing {
                        let found = map.object(Target.self, key)
                        objects[position] = found.flatMap { shown($0) }
                        if found == nil { noteFault(dangling(references[position])) }
                    }
                }
            }
        } catch {
            domain.withLock { noteFault(error) }
        }
        return [Target](found: objects)
    }

    /// The objects that are referred to, in memory or loaded, deleted ones among them.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` for the first that is not there, and what reading throws.
    func loadAll<Target: LiveModel>(_ references: [Reference<Target>]) throws -> [Target] {
        let keys = references.map { ObjectKey(ObjectIdentifier(Target.self), id: $0.id) }
        let present = keys.map { map.object(Target.self, $0) }
        let missing = zip(keys, present).compactMap { $1 == nil ? $0 : nil }
        let loaded: [Target] = missing.isEmpty ? [] : try loadFaults(missing)
        return try withExtendedLifetime((present, loaded)) {
            try zip(keys, references).map { key, reference in
                guard let object = map.object(Target.self, key) else { throw dangling(reference) }
                return object
            }
        }
    }

    /// The object for a relationship; nil when it is deleted.
    private func shown<Target: LiveModel>(_ object: Target) -> Target? {
        switch object.live.status {
        case .deleted, .gone: nil
        case .detached, .inserted, .clean, .changed: object
        }
    }

    /// Appends the keys of objects that the other objects read with `owner` refer to by the same field, and that are not in memory.
    private func addTargets<Target: LiveModel>(of owner: any LiveModel, _ field: Int, _ type: Target.Type, to keys: inout [ObjectKey]) {
        guard let group = owner.live.group else { return }
        // What this thread's read has made until now may be of the group too.
        activeReading?.tellGroup()
        let model = ObjectIdentifier(type)
        let name = Target.schema.name
        var seen = Set(keys)
        while keys.count < maxFaultCount, let sibling = group.nextUnvisited(field, in: map) {
            if sibling === owner { continue }
            for target in sibling._$targets(of: field) where target.modelName == name {
                if keys.count >= maxFaultCount { return }
                let key = ObjectKey(model, target.keyBytes)
                if seen.insert(key).inserted, !map.contains(key) { keys.append(key) }
            }
        }
    }

    /// The objects with these keys, those that are missing left out.
    func load<Target: LiveModel>(_ keys: [ObjectKey]) throws -> [Target] {
        // Pending changes of other objects have been done to those in memory; so what is stored is right for most that are not.
        let isOutdated = domain.withLock { !state.outdated.isEmpty && keys.contains { state.outdated[$0] != nil } }
        let objects: [Target] = try load(keys, includingPendingChanges: isOutdated)
        if !isOutdated { try showPendingChanges(in: objects) }
        return objects
    }

    /// The same for a relationship, which is nil or shorter only where objects are missing: while pending changes cannot be saved as they are, or a property
    /// is being changed in place, which is told, its objects are as they are stored.
    private func loadFaults<Target: LiveModel>(_ keys: [ObjectKey]) throws -> [Target] {
        do {
            return try load(keys)
        } catch let error as TroveError where error.isOfPendingChanges || isChangeUnderWay && error.isMisuse {
            domain.withLock { noteFault(error) }
            return try load(keys, includingPendingChanges: false)
        }
    }

    private func load<Target: LiveModel>(_ keys: [ObjectKey], includingPendingChanges: Bool) throws -> [Target] {
        try read(includingPendingChanges: includingPendingChanges) { transaction in
            var objects: [AnyObject?] = []
            objects.reserveCapacity(keys.count)
            var ids = RecordKeys()
            for key in keys { key.withBytes { ids.append($0) } }
            try transaction.withRecords(of: transaction.open(Target.self), ids) {
                objects.append(try transaction.object(&$0) as Target)
            }
            return [Target](found: objects)
        }
    }

    /// Brings an object that is as it is stored up to pending changes of others, which came while it was being read.
    func showPendingChanges(of object: some LiveModel) throws { try showPendingChanges(in: [object]) }

    /// Brings those of some objects that were read as they are stored up to pending changes of others, which came while they were being read.
    ///
    /// The store is read without the lock, so it is done again of what was taken back or read anew meanwhile.
    private func showPendingChanges<Target: LiveModel>(in objects: [Target]) throws {
        var isDone = false
        while !isDone {
            let (outdated, versions, derivation) = domain.withLock {
                let outdated = state.outdated.isEmpty ? [] : objects.filter { state.outdated[$0.contextKey] != nil && $0.live.status == .clean }
                return (outdated, outdated.map { $0.live.version }, state.derivation)
            }
            if outdated.isEmpty { return }
            let shown = try read(includingPendingChanges: true) { try $0.storedVersions(of: outdated.map { $0.contextKey.bytes }, Target.self) }
            isDone = try domain.withLock {
                guard derivation == state.derivation else { return false }
                var areAll = true
                for (number, object) in outdated.enumerated() where object.live.status == .clean {
                    if object.live.version != versions[number] {
                        areAll = false
                    } else if let record = shown[number]?.bytes {
                        try show(record, in: object)
                    }
                }
                return areAll
            }
        }
    }

    /// Lets an object that is as it is stored be as pending changes of others leave it; the lock is held.
    private func show(_ record: [UInt8], in object: some LiveModel) throws {
        let image = try encoded(object)
        if record == image { return }
        object.live.image = image
        object.live.status = .changed
        try assign(record, to: object)
        state.derived.append(DerivedObject(object: object, changeCount: object.live.changeCount, record: record))
        addPending(object)
    }

    private func isToOne(_ object: any LiveModel, _ field: Int) -> Bool {
        let fields = type(of: object).schema.fields
        guard field < fields.count, let shape = fields[field].relationship?.shape else { return false }
        return shape.isToOne
    }

    func dangling<Target: LiveModel>(_ reference: Reference<Target>) -> TroveError {
        .danglingReference(model: Target.schema.name, id: reference.id.shownInErrors)
    }
}

extension TroveError {
    /// Whether it may say that changes cannot be saved as they are now.
    fileprivate var isOfPendingChanges: Bool {
        switch self {
        case .uniqueViolation, .deletionDenied: true
        default: false
        }
    }

    fileprivate var isMisuse: Bool { if case .contextMisuse = self { true } else { false } }
}
