import Trove

/// Writes a finder for each property of a model, checked by the compiler.
///
/// ```swift
/// @ActiveRecord @Model
/// struct Song {
///     var title: String
///     var year = 1900
/// }
///
/// let songs = try Song.find.byTitle("So What")
/// let song = try Song.find.firstByYear(1959)
/// ```
///
/// For each stored property `find` has two functions: `byTitle(_:)` gives all objects with the value, ascending by id, and `firstByTitle(_:)` the first of
/// them. `find(id)` finds by the id, and ``ObjectFinder/by(_:_:)`` by any property. A property has finders when its type is written or its default value
/// tells it: a literal, or a call of the type. Its finders are seen by those who see the property; a `private` one has none.
@attached(member, names: named(find), named(Finders))
public macro ActiveRecord() = #externalMacro(module: "TroveMacros", type: "ActiveRecordMacro")
