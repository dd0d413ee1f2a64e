/// A value of a stored property that is read when it is first used: a large text or data, kept apart from its object's record.
///
/// ```swift
/// @Model
/// struct Photo {
///     var id = ObjectID()
///     var title: String
///     var image: Lazy<Data>
/// }
///
/// try store.save(Photo(title: "Fjord", image: Lazy(data)))
/// let photos = try store.fetch(Photo.self).all()          // reads no image
/// let image = try photos[0].image.load()
/// ```
///
/// In a class, `@Attribute(.lazy)` makes a property of a plain type lazy; see ``AttributeOption/lazy``. Values of up to 128 bytes stay in the record.
///
/// A lazy value is one of a moment, like the object it belongs to: when the object has been given another since it was fetched, or was deleted,
/// ``load()`` says so, and the object has to be fetched again. Saving an object whose lazy value was not loaded neither reads nor writes it.
/// Conditions reach it by `$0.image.loaded`. While somebody has an object with a value that is not loaded, its store stays open until it is closed.
///
/// Two lazy values are equal when what they would store is.
public struct Lazy<Value: Sendable>: Sendable {
    let box: LazyBox<Value>

    init(_ box: LazyBox<Value>) {
        self.box = box
    }

    /// Creates a lazy value to be stored.
    public init(_ value: Value) where Value: Storable {
        box = LazyBox(value, .storable)
    }

    /// Creates a lazy value to be stored as it encodes itself.
    @_disfavoredOverload
    public init(_ value: Value) where Value: Codable {
        box = LazyBox(value, .codable)
    }

    /// The value, read from the store unless it was made in memory. It is not kept: the next call reads again.
    ///
    /// - Throws: ``TroveError/lazyValueGone(model:id:property:)`` when the object was changed or deleted since it was fetched;
    ///   ``TroveError/corruptRecord(model:id:reason:)`` when what is stored is damaged; what reading throws, as of a closed store.
    public func load() throws -> Value { try box.value() }

    /// The value, read on a reader thread of the store unless it was made in memory.
    ///
    /// - Throws: as ``load()``; `CancellationError` when the task is cancelled before a thread is free.
    public func load() async throws -> Value { try await box.valueFromReader() }

    /// Whether the value is in memory, so that ``load()`` reads nothing.
    public var isLoaded: Bool { box.known != nil }
}

extension Lazy: Hashable {
    public static func == (left: Lazy, right: Lazy) -> Bool { left.box === right.box || left.box.comparable == right.box.comparable }

    public func hash(into hasher: inout Hasher) { hasher.combine(box.comparable) }
}

extension Lazy: CustomStringConvertible {
    /// The value, when it is in memory.
    public var description: String { box.known.map { "Lazy(\($0))" } ?? "Lazy(not loaded)" }
}

/// What ``Lazy`` alone is, whatever its values are.
protocol LazyValue {
    static var valueType: Any.Type { get }
}

extension Lazy: LazyValue {
    static var valueType: Any.Type { Value.self }
}
