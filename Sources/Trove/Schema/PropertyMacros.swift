/// Says how a property of a ``Model(_:version:)`` is stored and indexed.
///
/// ```swift
/// @Attribute(.indexed) var artist: String
/// @Attribute(.indexed, .substring) var path: String
/// @Attribute(.unique(ignoringCase: true)) var email: String?
/// @Attribute(.fullText) var title: String
/// @Attribute(.writeOnce) var created: Date
/// @Attribute(.keepIfNil, originalName: "stars") var rating: Double?
/// ```
///
/// It does not apply to the id, nor to `@Transient`, computed or `static` properties; there it is an error.
///
/// - Parameters:
///   - options: The property's indexes, ``AttributeOption/indexed``, ``AttributeOption/unique``, ``AttributeOption/fullText`` and
///     ``AttributeOption/substring``; what a save does with the property of an object that is in the store already,
///     ``AttributeOption/writeOnce``, or ``AttributeOption/keepIfNil`` for an optional; ``AttributeOption/creationDate`` and
///     ``AttributeOption/modificationDate`` for a `Date?` that saves set; ``AttributeOption/lazy`` for a value of a class that is kept apart; and
///     ``AttributeOption/encrypted`` with ``AttributeOption/blind(bits:spread:)``, ``AttributeOption/blindUnique`` and ``AttributeOption/revealing``.
///     They have to be written out.
///   - originalName: The name the property had when older records were saved, a string literal. Those records are read
///     by it; new ones are saved under the present name. No other property of the model may have that name.
@attached(peer)
public macro Attribute(_ options: AttributeOption..., originalName: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "AttributeMacro")

/// Makes a property a relationship to other objects, with its inverse and delete rules.
///
/// ```swift
/// @Model
/// struct Album {
///     var title: String
///     @Relationship(deleteRule: .cascade, inverse: \Song.album) var songs: [Reference<Song>] = []
/// }
///
/// @Model
/// struct Song {
///     var title: String
///     var album: Reference<Album>?
///     @Relationship(whenTargetDeleted: .deny) var writer: Reference<Person>
/// }
/// ```
///
/// A property of one of the types of ``RelationshipValue`` is a relationship with or without it.
///
/// In a class, relationships give the objects themselves, and need it:
///
/// ```swift
/// @Model
/// final class Song {
///     @Relationship var album: Album?                        // a relationship to one object is optional
///     @Relationship(inverse: "covers") var original: Song?
///     @Relationship var covers: Set<Song>
///     @Relationship var writers: [String: Person]
///     @Relationship var plays: ObjectList<Play>              // loaded as far as it is read
/// }
/// ```
///
/// - Parameters:
///   - deleteRule: What becomes of the objects it points at when the object that has it is deleted; ``DeleteRule/nullify`` unless told.
///   - whenTargetDeleted: What becomes of it when an object it points at is deleted: unless told ``TargetDeleteRule/nullify``, or, for a
///     reference that cannot be nil, ``TargetDeleteRule/deny``.
///   - inverse: The relationship of the other model that says the same the other way round, a key path with its type. Setting one side sets the
///     other. Write it on one of the two: Swift cannot compile two that name each other.
///   - originalName: As in ``Attribute(_:originalName:)``.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify, whenTargetDeleted: TargetDeleteRule? = nil, inverse: AnyKeyPath? = nil, originalName: String? = nil
) = #externalMacro(module: "TroveMacros", type: "RelationshipMacro")

/// Makes a property a relationship to other objects, with its inverse by name.
///
/// ```swift
/// @Relationship(inverse: "spouse") var spouse: Person?
/// ```
///
/// An inverse in the same type cannot be a key path: Swift would have to know the type's properties while it finds out what they are. The name
/// is checked by the compiler as a key path is.
///
/// - Parameters:
///   - deleteRule: What becomes of the objects it points at when the object that has it is deleted; ``DeleteRule/nullify`` unless told.
///   - whenTargetDeleted: What becomes of it when an object it points at is deleted.
///   - inverse: The name of the relationship of the other model that says the same the other way round: a string literal. Both sides may have it.
///   - originalName: As in ``Attribute(_:originalName:)``.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify, whenTargetDeleted: TargetDeleteRule? = nil, inverse: String, originalName: String? = nil
) = #externalMacro(module: "TroveMacros", type: "RelationshipMacro")

/// Excludes a property of a ``Model(_:version:)`` from the store.
///
/// ```swift
/// @Transient var isSelected = false
/// ```
///
/// The property needs a default value (for an optional `var`, nil is implied), which every object read from the store has. The types
/// and kinds of property that cannot be stored are allowed.
@attached(peer)
public macro Transient() = #externalMacro(module: "TroveMacros", type: "TransientMacro")
