/// Makes a struct a ``Model``, whose values an ``ObjectStore`` keeps.
///
/// ```swift
/// @Model
/// struct Song {
///     var artist: String
///     var title: String
///     var year = 1900
///     var tags: [String] = []
///     @Attribute(.keepIfNil) var rating: Double?
///     @Attribute(.writeOnce, originalName: "added") var created: Date
///     @Transient var isSelected = false
///     var display: String { "\(artist): \(title)" }
/// }
///
/// try store.save(Song(artist: "Bill Evans", title: "Autumn Leaves", created: .now))
/// ```
///
/// ## What is stored
/// Every stored property of the struct becomes a field of the record, whatever its access level: `var` with or
/// without a default value or observers, and `let` without a value. Types, nested or not, are those of
/// ``Storable``, enums with such a raw value, and anything that is `Codable`. Not stored are computed and
/// `static` properties and those marked `@Transient`.
///
/// A default value also serves when a record lacks the field, because it was saved before the property was added.
///
/// ## The id
/// - A property named `id`, stored or computed, of any ``StorableKey`` type, is the id.
/// - `#Unique<Song>([\.artist, \.title], identity: true)` makes the id of other properties. Of one property it is
///   the value; of several it is a nested struct, `Song.ID(artist:title:)`.
/// - Otherwise the struct gets `var id: ObjectID`, new for each value. It is the last, optional, parameter of the memberwise
///   initializer, and counts for a synthesized `==`.
///
/// ## What is written
/// The macro writes the schema, `encode(into:)`, `init(from:)` and the conformance to ``Model``; `init(from:)` calls the
/// memberwise initializer, or, when the struct declares initializers in its braces, assigns each property. Anything of this that
/// the struct's braces already have is left out, so each part can be written by hand. A version above 1 goes with
/// ``Model/upgrade(from:)``, which is always written by hand.
///
/// ## Limits
/// The struct must not be generic, local to a function, or `private` inside another type (`fileprivate` is fine). These properties are
/// compile-time errors unless they are `@Transient`: property wrappers, `lazy`, `weak` and `unowned`, opaque types, and constants with a
/// value. So are stored properties inside `#if`. Members that other macros add, and those of extensions, are not seen.
/// In a module that is isolated to the main actor by default, models work anywhere, but enums and `Codable` types of their properties must
/// be declared `nonisolated`.
///
/// - Parameters:
///   - name: The name the records are stored under, when it is not that of the struct: a string literal. Give the old name here when
///     the struct is renamed.
///   - version: A decimal integer literal of at least 1. Raise it when ``Model/upgrade(from:)`` has to change values; adding, removing and
///     renaming properties does not need it.
@attached(member, names: named(id), named(ID), named(init(from:)), named(_decoded(from:)))
@attached(extension, conformances: Model, names: named(schema), named(init(from:)), named(encode(into:)))
public macro Model(_ name: String? = nil, version: Int = 1) = #externalMacro(module: "TroveMacros", type: "ModelMacro")

/// Says how a property of a ``Model(_:version:)`` struct is stored.
///
/// ```swift
/// @Attribute(.writeOnce) var created: Date
/// @Attribute(.keepIfNil, originalName: "stars") var rating: Double?
/// ```
///
/// It does not apply to the id, nor to `@Transient`, computed or `static` properties; there it is an error.
///
/// - Parameters:
///   - options: What a save does with the property of an object that is in the store already, written out:
///     ``FieldOptions/writeOnce``, or ``FieldOptions/keepIfNil`` for an optional.
///   - originalName: The name the property had when older records were saved, a string literal. Those records are read
///     by it; new ones are saved under the present name. No other property of the struct may have that name.
@attached(peer)
public macro Attribute(_ options: FieldOptions..., originalName: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "AttributeMacro")

/// Leaves a property of a ``Model(_:version:)`` struct out of the store.
///
/// ```swift
/// @Transient var isSelected = false
/// ```
///
/// The property needs a default value (for an optional `var`, nil is implied), which every object read from the store has. The types
/// and kinds of property that cannot be stored are allowed.
@attached(peer)
public macro Transient() = #externalMacro(module: "TroveMacros", type: "TransientMacro")

/// Makes properties of a ``Model(_:version:)`` struct its id: two objects with equal values in them are one record.
///
/// ```swift
/// @Model
/// struct Package {
///     #Unique<Package>([\.name, \.version], identity: true)
///     var name: String
///     var version: String
/// }
///
/// try store.save(Package(name: "trove", version: "1.0"))
/// let found = try store.fetch(Package.self, id: Package.ID(name: "trove", version: "1.0"))
/// ```
///
/// The order of the properties is that of the ids, and of the objects in the store. With one property, `ID` is its type; with several,
/// a struct of them. A struct has at most one identity, and then no property `id`. Changing such a property and saving makes
/// another object; the one under the former id stays.
///
/// - Parameters:
///   - properties: Stored properties of the struct itself, with their types written out (`var name: String`, not `var name = ""`). The
///     types must be ``StorableKey``.
///   - identity: Must be `true`: this release has no other unique keys.
@freestanding(declaration)
public macro Unique<M>(_ properties: [PartialKeyPath<M>], identity: Bool = false) =
    #externalMacro(module: "TroveMacros", type: "UniqueMacro")
