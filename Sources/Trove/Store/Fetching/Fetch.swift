/// All objects of a type, ascending by id, to be read at once, one by one, or only counted.
///
/// ```swift
/// let songs = try store.fetch(Song.self).all()
/// try store.fetch(Song.self).forEach { song, stop in
///     print(song.title)
///     stop = song.year > 1960
/// }
/// ```
public struct Fetch<Object: Model, Source: ObjectSource> {
    @usableFromInline let source: Source

    @usableFromInline init(source: Source) {
        self.source = source
    }

    /// The objects, read in one snapshot.
    @inlinable
    public func all() throws -> [Object] {
        var objects: [Object] = []
        try source.read { transaction in
            // Each object is moved into the array; handed on by `forEachObject` it would be copied.
            let model = try transaction.open(Object.self)
            try transaction.forEachRecordBytes(of: model) { key, record in
                try transaction.withDecoder(record, key: key, model) { objects.append(try transaction.object(&$0)) }
                return .next
            }
        }
        return objects
    }

    /// The object with the lowest id; nil when there is none.
    @inlinable
    public func first() throws -> Object? {
        var first: Object?
        try source.read { transaction in
            try transaction.forEachObject { (object: Object, stop) in
                first = object
                stop = true
            }
        }
        return first
    }

    /// Calls `body` with each object, in one snapshot, until it sets `stop`. Memory stays flat.
    @inlinable
    public func forEach(_ body: (_ object: Object, _ stop: inout Bool) throws -> Void) throws {
        try source.read { transaction in try transaction.forEachObject(body) }
    }

    /// The number of objects.
    ///
    /// - Complexity: O(1) where ``StorageCapabilities/countsInConstantTime`` is true, otherwise O(*n*) over the keys.
    public func count() throws -> Int {
        try source.read { transaction in try transaction.countObjects(Object.self) }
    }

    /// The ids, ascending, read in one snapshot. Records are not decoded, except those whose ids are too long for a key.
    public func ids() throws -> [Object.ID] {
        try source.read { transaction in try transaction.objectIDs(Object.self) }
    }
}

extension Fetch: Sendable where Source: Sendable {}
