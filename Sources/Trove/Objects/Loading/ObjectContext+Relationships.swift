extension ObjectContext {
    /// Loads the objects that a relationship of some objects points at, in as few reads as possible, and returns each once.
    ///
    /// ```swift
    /// let albums = try context.load(\.album, of: songs)      // from here on song.album reads nothing
    /// ```
    ///
    /// Hold what it returns for as long as it is to stay in memory. Lazy properties are read too, and return nothing.
    ///
    /// - Throws: ``TroveError/danglingReference(model:id:)`` for the first that is not stored; ``TroveError/unsupportedKeyPath(model:keyPath:)``
    ///   when the property is neither a relationship nor lazy; ``TroveError/lazyValueGone(model:id:property:)`` for an
    ///   object that is deleted; what reading throws.
    @discardableResult
    public func load<Object: LiveModel>(
        _ relationship: PartialKeyPath<Object>, of objects: some Sequence<Object>
    ) throws -> [any LiveModel] {
        let path = try Object.path(relationship)
        if let field = Object.schema.fields.firstIndex(where: { $0.name == path.description && $0.type.isLazy }) {
            for object in objects { try object._$loadLazily(field) }
            return []
        }
        guard let field = Object.schema.fields.firstIndex(where: { $0.name == path.description && $0.relationship != nil }) else {
            throw TroveError.unsupportedKeyPath(model: Object.schema.name, keyPath: "\(relationship)")
        }
        var targets: [String: (order: [AnyReference], seen: Set<AnyReference>)] = [:]
        var names: [String] = []
        for object in objects {
            // With the lock of where the object is, and not while the sequence runs code of its own.
            for target in object.live.withLock({ _ in object._$targets(of: field) }) {
                if targets[target.modelName] == nil { names.append(target.modelName) }
                if targets[target.modelName, default: ([], [])].seen.insert(target).inserted { targets[target.modelName]?.order.append(target) }
            }
        }
        return try names.flatMap { name in
            guard let type = classes[name] else { throw TroveError.unknownModel(name) }
            return try load(type, targets[name]?.order ?? [])
        }
    }

    private func load<Target: LiveModel>(_ type: Target.Type, _ references: [AnyReference]) throws -> [any LiveModel] {
        let model = ObjectIdentifier(type)
        let keys = references.map { ObjectKey(model, $0.keyBytes) }
        let present = keys.map { map.object(type, $0) }
        let missing = zip(keys, present).compactMap { $1 == nil ? $0 : nil }
        let loaded: [Target] = missing.isEmpty ? [] : try load(missing)
        return try withExtendedLifetime((present, loaded)) {
            try zip(keys, references).map { key, reference in
                guard let object = map.object(type, key) else {
                    throw TroveError.danglingReference(model: Target.schema.name, id: try Target.ID(keyBytes: reference.keyBytes).shownInErrors)
                }
                return object
            }
        }
    }
}

/// A context's objects as the store has them, without the context's pending changes; see ``ObjectContext/saved``.
public struct SavedObjects: AsyncObjectSource {
    /// The context of the objects found.
    public let context: ObjectContext
    /// Whether the context's pending changes are included.
    public let includesPendingChanges: Bool

    init(context: ObjectContext, includesPendingChanges: Bool = false) {
        self.context = context
        self.includesPendingChanges = includesPendingChanges
    }

    /// Runs `body` on a snapshot of the store and returns its result.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try context.read(includingPendingChanges: includesPendingChanges, body)
    }

    public func _read<Result>(_ scope: _QueryScope, _ body: (ReadTransaction) throws -> Result) throws -> Result {
        try includesPendingChanges ? context._read(scope, body) : read(body)
    }

    public func _onReader<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try await context._onReader(body) }
}
