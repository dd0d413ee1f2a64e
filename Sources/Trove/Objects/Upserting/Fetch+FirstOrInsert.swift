extension Fetch where Source == ObjectContext, Object: LiveModel {
    /// The first object in the query's order; when there is none, the one that `make` gives, which the context inserts.
    ///
    /// ```swift
    /// let song = try context.fetch(Song.self).where { $0.isrc == isrc }.firstOrInsert { Song(isrc: isrc) }
    /// ```
    ///
    /// It shows what a fetch of the context shows, inserted objects and unsaved deletions too. Two threads that ask one context at the same time get
    /// one object: `make` runs without the context's lock, and what it gives stays outside when another thread was first. Another context may store
    /// one meanwhile; where that must not be, give the model a unique index, and the save throws
    /// ``TroveError/uniqueViolation(model:index:values:id:otherID:)``.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when the object that was made does not match the query, which then would make another each time;
    ///   what `make`, ``ObjectContext/insert(_:)`` and reading throw; ``TroveError/contextMisuse(reason:)`` inside a read or a
    ///   transaction. An object that was inserted by then leaves the context again, with what came in with it.
    /// - Complexity: as of ``first()``, and again when an object is made. Where unique values decide,
    ///   ``ObjectContext/fetchOrInsert(_:)`` does not write pending changes for it.
    public func firstOrInsert(_ make: () throws -> Object) throws -> Object {
        let context = source
        try context.checkNoTransaction("insert an object that may be there")
        if let found = try first() { return found }
        let made = try make()
        return try context.domain.withLock {
            try context.checkNoChangeUnderWay()
            if context.isHere(made) { return made }
            let own = OwnChanges()
            do {
                try context.insert([made], noting: own)
                let found = try Fetch(source: context, draft: draft.limited(to: 2)).all()
                guard let other = found.first(where: { $0 !== made }) else {
                    if found.isEmpty { throw TroveError.invalidQuery(reason: "the new \(Object.schema.name) is not what it asks for; make one that it finds") }
                    return made
                }
                // Another thread was first.
                context.takeBackHere(own)
                return other
            } catch {
                context.takeBackHere(own)
                // Another thread was first, and a unique index takes one of the two alone.
                if case TroveError.uniqueViolation = error, let other = try first() { return other }
                throw error
            }
        }
    }
}
