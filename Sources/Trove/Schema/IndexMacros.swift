/// Requires that no two objects of a ``Model(_:version:)`` type have the same values in some properties; with `identity`, these are its id.
///
/// ```swift
/// @Model
/// struct Package {
///     #Unique<Package>([\.name, \.version], identity: true)
///     #Unique<Package>([\.path], [\.author, \.title])
///     var name: String
///     var version: String
///     var path: String
///     var author: String?
///     var title: String
/// }
///
/// try store.save(Package(name: "trove", version: "1.0", …))
/// let found = try store.fetch(Package.self, id: Package.ID(name: "trove", version: "1.0"))
/// ```
///
/// ## A unique index
/// Each list is an index, which also serves queries. Objects with a nil among the values may be several. A save that would break the rule
/// throws ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, which names the index, the values and the other object.
///
/// ## The identity
/// Two objects with equal values in the identity are one record: saving the second replaces the first. Texts are equal when their bytes are: é as one scalar
/// and as two, which Swift takes for equal, make two objects.
/// The order of the properties is that of the ids, and of the objects in the store. With one property, `ID` is its type; with several,
/// a struct of them. A model has at most one identity, and then no property `id`. Changing such a property of a struct and saving it
/// makes another object; the one under the former id stays. In a class they are constants. Conditions on the properties, and sorts by them, are
/// answered by the records' keys, without an index: on all of them, and on the first ones in their order.
///
/// - Parameters:
///   - properties: Stored properties of the model, or, without `identity`, key paths into their values. Those of an identity have
///     their types written out (`var name: String`, not `var name = ""`), which must be ``StorableKey``.
///   - identity: Whether the one list is the id of the model: `true` or `false`, written out.
///   - name: The index's name, for errors and maintenance, when it is not to be made of the properties' names; a string literal.
@freestanding(declaration)
public macro Unique<M>(_ properties: [PartialKeyPath<M> & Sendable]..., identity: Bool = false, name: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "UniqueMacro")

/// Requires that no two objects have the same values in some properties, compared as each part says.
///
/// ```swift
/// #Unique<Person>([.ignoringCase(\.email)])
/// ```
///
/// - Parameters:
///   - parts: The properties, as ``IndexKey/ignoringCase(_:)`` and its like.
///   - name: The index's name, for errors and maintenance; a string literal.
@freestanding(declaration)
public macro Unique<M>(_ parts: [IndexKey<M>]..., name: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "UniqueMacro")

/// Gives a ``Model(_:version:)`` type indexes of several properties, or of values nested in them.
///
/// ```swift
/// @Model
/// struct Song {
///     #Index<Song>([\.artist, \.year], [\.address.city])
///     #Index<Song>([\.year], covering: [\.title], aggregates: [.count, .sum(\.seconds)])
///     …
/// }
/// ```
///
/// Each list is an index in ascending order. It serves queries on its first property, on the first two, and so on.
///
/// - Parameters:
///   - properties: Key paths to stored properties or into their values. Of an array or set each element is indexed, of a dictionary each key.
///   - name: The index's name, for maintenance and explanations, when it is not to be made of the properties' names; a string literal.
///   - covering: Properties whose values are kept in the index too, so that queries for these alone read no records.
///   - aggregates: What is kept up to date for each combination of the properties' values, so that grouping by them is a lookup.
@freestanding(declaration)
public macro Index<M>(
    _ properties: [PartialKeyPath<M> & Sendable]..., name: String? = nil, covering: [PartialKeyPath<M> & Sendable] = [],
    aggregates: [_IndexedAggregate<M>] = []
) = #externalMacro(module: "TroveMacros", type: "IndexMacro")

/// Gives a ``Model(_:version:)`` type indexes with a direction and text comparison for each part.
///
/// ```swift
/// #Index<Song>([.ascending(\.artist, ignoring: [.case, .diacritics]), .descending(\.year)])
/// #Index<Song>([.path("labels.genre")])
/// ```
///
/// - Parameters:
///   - parts: The properties, as ``IndexKey/ascending(_:ignoringCase:)``, ``IndexKey/descending(_:ignoringCase:)``,
///     ``IndexKey/ignoringCase(_:)`` or ``IndexKey/path(_:_:ignoringCase:)``, each also with `ignoring: [.case, .diacritics]`.
///   - name: The index's name, for maintenance and explanations; a string literal.
///   - covering: Properties whose values are kept in the index too, so that queries for these alone read no records.
///   - aggregates: What is kept up to date for each combination of the parts' values, so that grouping by them is a lookup.
@freestanding(declaration)
public macro Index<M>(
    _ parts: [IndexKey<M>]..., name: String? = nil, covering: [PartialKeyPath<M> & Sendable] = [], aggregates: [_IndexedAggregate<M>] = []
) = #externalMacro(module: "TroveMacros", type: "IndexMacro")

/// Gives a ``Model(_:version:)`` type indexes of keyed hashes, which find objects by the values of several properties, encrypted ones among them.
///
/// ```swift
/// #Index<Patient>([\.city, \.diagnosis], blind: BlindOptions(bits: 12))
/// ```
///
/// Each list is an index, with one hash for the values of all its properties. For one property alone there is ``AttributeOption/blind(bits:spread:)``.
///
/// - Parameters:
///   - properties: Key paths to stored properties or into their values.
///   - blind: How much the index shows.
///   - name: The index's name, for maintenance and explanations, when it is not to be made of the properties' names; a string literal.
@freestanding(declaration)
public macro Index<M>(_ properties: [PartialKeyPath<M> & Sendable]..., blind: BlindOptions, name: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "IndexMacro")

/// Gives a ``Model(_:version:)`` type indexes of keyed hashes with a text comparison for each part.
///
/// ```swift
/// #Index<Patient>([.ignoringCase(\.email)], blind: BlindOptions(bits: 24))
/// ```
@freestanding(declaration)
public macro Index<M>(_ parts: [IndexKey<M>]..., blind: BlindOptions, name: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "IndexMacro")

/// Gives a ``Model(_:version:)`` type an index on a value computed from the object.
///
/// ```swift
/// #Index<Song>("decade", version: 1) { $0.year / 10 * 10 }
/// ```
///
/// - Parameters:
///   - name: The name of the value in queries, and of the index; a string literal, and not the name of a property.
///   - version: A decimal integer literal of at least 1. Raise it when the function changes: the index is then built anew.
///   - aggregates: What is kept up to date for each value, so that grouping by it is a lookup.
///   - value: The function, whose result is ``Storable``. It has to give the same value for the same object every time, on any thread:
///     what it names outside of the object is constant and, in a module isolated to the main actor by default, `nonisolated`.
@freestanding(declaration)
public macro Index<M>(
    _ name: String, version: Int, aggregates: [_IndexedAggregate<M>] = [], value: @escaping @Sendable (M) throws -> any Storable
) = #externalMacro(module: "TroveMacros", type: "IndexMacro")

/// Gives a ``Model(_:version:)`` type full-text indexes, each on the words of several properties.
///
/// ```swift
/// #FullText<Song>([\.title, \.notes], stemming: .english, weights: [3, 1])
/// ```
///
/// For one property alone there is ``AttributeOption/fullText``.
///
/// - Parameters:
///   - properties: Key paths to texts, or collections of texts: stored properties or values nested in them. Each list is an index.
///   - stemming: The language whose endings are taken off words; nil for words as they are.
///   - ignoresDiacritics: Whether é and e are the same letter.
///   - minimumWordLength: The shortest word that is kept, in Unicode scalars.
///   - keepsPositions: Whether the index keeps where words stand, which phrases need.
///   - weights: How many times a hit in each property counts in ranking; 1 unless told otherwise.
///   - name: The index's name, when it is not to be made of the properties' names; a string literal.
@freestanding(declaration)
public macro FullText<M>(
    _ properties: [PartialKeyPath<M> & Sendable]..., stemming: StemmingLanguage? = nil, ignoresDiacritics: Bool = true,
    minimumWordLength: Int = 1, keepsPositions: Bool = true, weights: [Double]? = nil, name: String? = nil
) = #externalMacro(module: "TroveMacros", type: "FullTextMacro")

/// Gives a ``Model(_:version:)`` type substring indexes, for `contains`, `begins with` and `ends with`.
///
/// ```swift
/// #Substring<Song>(\.path, \.address.street)
/// ```
///
/// For a property of the model itself there is ``AttributeOption/substring``.
///
/// - Parameters:
///   - properties: Key paths to texts: stored properties or values nested in them. Each is an index.
///   - ignoresDiacritics: Whether it has texts without accents. Only then it serves tests that ignore these; it serves the others too.
///   - name: The index's name, when it is not to be made of the property's name; a string literal.
@freestanding(declaration)
public macro Substring<M>(_ properties: (PartialKeyPath<M> & Sendable)..., ignoresDiacritics: Bool = false, name: String? = nil) =
    #externalMacro(module: "TroveMacros", type: "SubstringMacro")
