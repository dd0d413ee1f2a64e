import Trove

extension GuardedOperation {
    /// Makes new objects, inserts them into a context and saves them.
    static func insertTracks(_ store: ObjectStore) throws -> Int {
        let context = ObjectContext(store)
        try context.insert((0..<objectCount).map(GuardedTrack.init(number:)))
        try check(context.save().insertedCount == objectCount)
        return objectCount
    }

    /// Fetches all objects into a context, and keeps them while it does.
    static func fetchTracks(_ store: ObjectStore) throws -> Int {
        let tracks = try ObjectContext(store).fetch(GuardedTrack.self).all()
        try check(tracks.count >= objectCount)
        return tracks.count
    }

    /// Changes all objects of a context and saves them; that they are fetched counts too.
    static func updateTracks(_ store: ObjectStore) throws -> Int {
        let context = ObjectContext(store, options: ContextOptions(isObservable: false))
        let tracks = try context.fetch(GuardedTrack.self).all()
        for track in tracks { track.seconds += 1 }
        try check(context.save().updatedCount == tracks.count)
        return tracks.count
    }

    /// Deletes as many objects of a context as were inserted at once and saves that; that they are fetched counts too.
    static func deleteTracks(_ store: ObjectStore) throws -> Int {
        let context = ObjectContext(store)
        try context.delete(context.fetch(GuardedTrack.self).limit(objectCount).all())
        try check(context.save().deletedCount == objectCount)
        return objectCount
    }
}
