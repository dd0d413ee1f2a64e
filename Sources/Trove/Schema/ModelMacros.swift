/// Makes a struct a ``Model``, whose values an ``ObjectStore`` keeps, or a final class a ``LiveModel``, whose objects an ``ObjectContext`` keeps.
///
/// ```swift
/// @Model
/// struct Song {
///     #Index<Song>([\.artist, \.year])
///     @Attribute(.indexed) var artist: String
///     @Attribute(.fullText) var title: String
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
/// ## Indexes
/// `@Attribute(.indexed)`, `.unique`, `.fullText` and `.substring` index one property;
/// `#Index`, `#Unique`, `#FullText` and `#Substring` in the struct's braces index several together, paths into nested values and derived
/// values. They become ``Model/indexes``, which a struct can also write by hand, then all of it.
///
/// ## What is written
/// The macro writes the schema, the indexes, `encode(into:)`, `init(from:)` and the conformance to ``Model``; `init(from:)` calls the
/// memberwise initializer, or, when the struct declares initializers in its braces, assigns each property. Anything of this that
/// the struct's braces already have is left out, so each part can be written by hand. A version above 1 goes with
/// ``Model/upgrade(from:)``, which is always written by hand.
///
/// ## Limits
/// The struct must not be generic, local to a function, or `private` inside another type (`fileprivate` is fine). These properties are
/// compile-time errors unless they are `@Transient`: property wrappers, `lazy`, `weak` and `unowned`, opaque types, and constants with a
/// value. So are stored properties inside `#if`, but for `@Transient` ones
/// of structs. Members that other macros add, and those of extensions, are not seen.
/// In a module that is isolated to the main actor by default, models work anywhere, but `Codable` types of their properties, other than enums with a raw value,
/// must be declared `nonisolated`. A model itself is not marked with a global actor such as `@MainActor`: a store makes its values on any thread.
///
/// ## Classes
/// ```swift
/// @Model
/// final class Song {
///     var title: String
///     var plays = 0
///     let created: Date
///     @Transient var isSelected = false
///     @Relationship var album: Album?
///
///     init(title: String, album: Album? = nil) {
///         self.title = title
///         self.album = album
///         created = .now
///     }
/// }
///
/// @Model
/// final class Album {
///     @Relationship(deleteRule: .cascade, inverse: \Song.album) var songs: [Song] = []
///     init() {}
/// }
/// ```
///
/// A class has the same vocabulary, and writes its initializers itself, unless each property has a value: then it has
/// `init()`, as classes have in Swift. What differs:
/// - Properties that refer to objects have ``Relationship(deleteRule:whenTargetDeleted:inverse:originalName:)`` and the types of objects: `Album?`,
///   `[Song]`, `Set<Song>`, `[String: Person]`, or ``ObjectList`` for many. They need no default value. A `Reference` is a value like others.
/// - Every `var` is given accessors that take the lock of the objects' context, `@Transient` ones too unless they are of a kind that cannot have
///   accessors (`lazy`, `weak`, wrapped), so that any thread may use it. It is kept in a private property of its name after an underscore, which the
///   class should not use. `willSet` and `didSet` run while the lock is held, also when the object is read again from the store.
///   One that assigns its own property does not run again, unless a closure or a function declared in it does.
/// - A `let` without a value is stored, and stays as it was when the object is read again. The id must not change: it is a `let id`, an identity made of
///   constants, a computed property, or, when none is declared, an ``ObjectID`` made when it is first asked for.
/// - The class is not generic. It has no superclass but an ``AbstractModel()``; another is an error when it is compiled, because its properties would not be
///   stored. Its conformance to `Sendable` is `@unchecked`: other stored properties that the macro does not see, in extensions of other
///   macros, are for their author to make safe.
/// - A property must not be passed `inout` to an `async` function; that stops the program when the function goes on on another thread.
///
/// - Parameters:
///   - name: The name the records are stored under, when it is not that of the struct: a string literal. Give the old name here when
///     the struct is renamed.
///   - version: A decimal integer literal of at least 1. Raise it when ``Model/upgrade(from:)`` has to change values; adding, removing and
///     renaming properties does not need it.
@attached(
    member, conformances: AbstractModel,
    names: named(id), named(ID), named(schema), named(indexes), named(init), named(_decoded(from:)), named(_$live), named(_$state), named(_$model),
    named(_$decodeRest(from:)), named(_$load(from:)), named(_$encode(into:)), named(_$needs(_:of:)), named(_$change(_:of:)), named(_$targets(of:)),
    named(_$appendHeld(to:)), named(_$releaseHeld()), named(_$loadLazily(_:)), named(_$checkSuperclass(_:_:)), named(_$firstField))
@attached(memberAttribute)
@attached(extension, conformances: Model, LiveModel, AbstractModel, Hashable, Sendable, names: named(schema), named(init(from:)), named(encode(into:)))
public macro Model(_ name: String? = nil, version: Int = 1) = #externalMacro(module: "TroveMacros", type: "ModelMacro")

/// Makes a class one whose properties models inherit, or names a protocol's properties for searches of all models that conform to it.
///
/// ```swift
/// @AbstractModel
/// class Media {
///     @Attribute(.indexed) var title: String
///     var added = Date.now
///     init(title: String) { self.title = title }
/// }
///
/// @Model
/// final class Song: Media {
///     var plays = 0
/// }
///
/// @Model
/// final class Film: Media {
///     var length = Duration.zero
/// }
///
/// let store = try ObjectStore(backend, models: Song.self, Film.self)
/// let context = ObjectContext(store)
/// for media in try context.fetchAny(Media.self).sorted(by: \.added).limit(20).all() { print(media.title) }
/// ```
///
/// Models of structs share a protocol. The macro makes a type beside it, of its name with `Models` behind it:
///
/// ```swift
/// @AbstractModel
/// protocol Named {
///     var name: String { get }
/// }
///
/// @Model struct Person: Named { var name: String }
/// @Model struct Company: Named { var name: String; var city = "" }
///
/// let found: [any Named] = try store.fetchConforming(to: NamedModels.self).where { $0.name == "Ada" }.all()
/// ```
///
/// ## Classes
/// An abstract model has the vocabulary of ``Model(_:version:)``: attributes, indexes, an id, `@Transient` properties and relationships; and initializers of
/// its own. There are no records of it: each model that inherits it has records of its own, with the inherited properties first, and keeps the indexes that are
/// declared here. A unique index tells values apart within each model, not among them. The id is declared here, or is an ``ObjectID``; the models declare none.
/// A model that declares no initializer, and whose properties all have values, inherits the initializers.
///
/// It may inherit another abstract model. A relationship in it has no inverse, and none leads to an abstract model: those need one model on each side. An
/// object of the class itself can be made, and nothing can store it.
///
/// ## Protocols
/// Each property of the protocol has to be a stored property of the models, or a path that queries know; ``ModelGroup`` tells what is fetched.
@attached(
    member, conformances: AbstractModel,
    names: named(id), named(ID), named(init(from:)), named(_$live), named(_$state), named(_$model), named(_$decodeRest(from:)), named(_$load(from:)),
    named(_$encode(into:)), named(_$needs(_:of:)),
    named(_$change(_:of:)), named(_$targets(of:)), named(_$appendHeld(to:)), named(_$releaseHeld()), named(_$loadLazily(_:)), named(_$checkSuperclass(_:_:)),
    named(_$firstField),
    named(_$abstractClass), named(_$fieldCount), named(_$fields(of:)), named(_$indexes(of:)), named(_$properties), named(_$properties(of:)), named(_$identity))
@attached(memberAttribute)
@attached(extension, conformances: AbstractModel, Sendable)
@attached(peer, names: suffixed(Models))
public macro AbstractModel() = #externalMacro(module: "TroveMacros", type: "AbstractModelMacro")
