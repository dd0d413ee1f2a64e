/// What one commit changed in a store, as ``ObjectStore/commits(bufferLimit:)`` gives it.
///
/// ```swift
/// for await commit in try store.commits(of: [Song.self]) {
///     if commit.missedCommits > 0 { try rebuildCache() }
///     let songs = try commit.changes(of: Song.self)
///     for id in songs.inserted + songs.updated { cache.reload(id) }
///     for id in songs.deleted { cache.remove(id) }
/// }
/// ```
public struct StoreCommit: Sendable {
    /// The changes, in the order in which they were made; an object that was changed twice is there twice. Those of models that are not listened to are left
    /// out, and what a savepoint took back. Empty when the commit only tells of ``missedCommits``.
    public let changes: [ObjectChange]

    /// How many commits just before this one are not told: more of them waited than the buffer holds, or they were under way when listening began, or the
    /// engine could not tell whether they were made. 0 while nothing was missed. After another number read the store anew.
    ///
    /// Of a commit that was under way nobody knows which models it changed.
    public internal(set) var missedCommits: Int
}

/// The ids of a model's objects that a commit changed, each once.
public struct ChangedIDs<Object: Model>: Sendable {
    /// The ids of the objects that were not stored before the commit, and are now.
    public fileprivate(set) var inserted: [Object.ID] = []
    /// The ids of the objects that were stored before the commit, and are still, whether their values differ or not.
    public fileprivate(set) var updated: [Object.ID] = []
    /// The ids of the objects that were stored before the commit, and are no more.
    public fileprivate(set) var deleted: [Object.ID] = []
}

extension StoreCommit {
    /// The ids of a model's objects that the commit changed, by what became of them in the end: one that was inserted and deleted again is not there.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when a key is no id of the model, as after damage.
    /// - Complexity: O(*n*) in the number of changes.
    public func changes<Object: Model>(of type: Object.Type) throws -> ChangedIDs<Object> {
        try ChangedIDs(of: changes)
    }
}

extension ChangedIDs {
    /// Of changes in their order: by what became of each object in the end.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when a key is no id of the model.
    init(of changes: [ObjectChange]) throws {
        var order: [AnyReference] = []
        var ends: [AnyReference: (first: ObjectChange.Kind, last: ObjectChange.Kind)] = [:]
        let name = Object.schema.name
        for change in changes where change.reference.modelName == name {
            if let known = ends[change.reference] {
                ends[change.reference] = (known.first, change.kind)
            } else {
                order.append(change.reference)
                ends[change.reference] = (change.kind, change.kind)
            }
        }
        for reference in order {
            guard let (first, last) = ends[reference] else { continue }
            let id = try Object.ID(keyBytes: reference.keyBytes)
            switch (first == .insertion, last == .deletion) {
            case (true, true): break
            case (true, false): inserted.append(id)
            case (false, true): deleted.append(id)
            case (false, false): updated.append(id)
            }
        }
    }
}
