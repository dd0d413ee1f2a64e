/// What `@Attribute` can say of a property: how it is saved, and the indexes it has.
///
/// The `@Model` macro reads the options from the source, so they have to be written out where they stand.
public struct AttributeOption: Sendable {
    private init() {}

    // MARK: - Saving

    /// The first value that is not nil stays, whatever later saves bring; see ``FieldOptions/writeOnce``.
    public static var writeOnce: AttributeOption { AttributeOption() }

    /// A later nil leaves the stored value as it is; see ``FieldOptions/keepIfNil``.
    public static var keepIfNil: AttributeOption { AttributeOption() }

    /// The date of the first save, which later saves leave as it is, read from the store's ``ObjectStore/clock``.
    ///
    /// ```swift
    /// @Model
    /// struct Note {
    ///     var text: String
    ///     @Attribute(.creationDate) var created: Date?
    ///     @Attribute(.modificationDate, .indexed) var modified: Date?
    /// }
    /// ```
    ///
    /// It is nil until the object is saved. A date that a new object has already stays, so that objects can be brought in from elsewhere; an object that was
    /// stored before the model had the property has none. A struct in memory does not change when it is saved: fetch it to see its
    /// dates. `docs/saved-dates.md` has the rest.
    public static var creationDate: AttributeOption { AttributeOption() }

    /// The date of the last save that changed something, read from the store's ``ObjectStore/clock``; see ``creationDate``.
    ///
    /// Every save sets it, whatever date the object has; one that changes nothing leaves it as it is. What a save of another object does to this one, through
    /// an inverse or a delete rule, is no save of this one.
    public static var modificationDate: AttributeOption { AttributeOption() }

    /// The value of a class's property is read when it is asked for, and kept apart from the object's record: for large texts and data.
    ///
    /// ```swift
    /// @Model
    /// final class Article {
    ///     var title: String
    ///     @Attribute(.lazy) var text: String = ""
    ///     @Attribute(.lazy) var scan: Data?
    ///     init(title: String) { self.title = title }
    /// }
    ///
    /// for article in try context.fetch(Article.self).all() { print(article.title) }     // reads no text
    /// ```
    ///
    /// The property's type is written out, and it is optional or has a default value.
    /// A getter that cannot read it gives nil, or that default value, and the context's ``ObjectContext/faultErrors`` tell why;
    /// ``ObjectContext/load(_:of:)`` throws instead. Then the property is not changed in place, as by `+=`; an assignment counts.
    /// Values of up to 128 bytes stay in the record. In a struct the type says the same: ``Lazy``.
    public static var lazy: AttributeOption { AttributeOption() }

    // MARK: - Encryption

    /// The property's value is stored encrypted and authenticated, with the keys that the store is opened with.
    ///
    /// ```swift
    /// @Model
    /// struct Patient {
    ///     var id = UUID()
    ///     var name: String
    ///     @Attribute(.encrypted) var diagnosis: String?
    ///     @Attribute(.encrypted, .blind(bits: 16)) var insurance: String
    /// }
    ///
    /// let store = try ObjectStore(backend, fieldKeys: FieldKeys(.raw(key)), models: Patient.self)      // FieldKeys is of TroveCrypto
    /// ```
    ///
    /// In the program it is a property like any other: conditions, sorts and aggregates read it. Others who open the store without the keys see the rest of the
    /// object. That a value is there, and how long it is, shows. Objects that were stored before the property was encrypted are read as they are and
    /// encrypted when they are saved, or by `closeEncryptedFields()`. An id, a relationship and a lazy property cannot be encrypted;
    /// `docs/encrypted-properties.md` has the rest.
    public static var encrypted: AttributeOption { AttributeOption() }

    /// The encrypted property has an index of keyed hashes, each of so many bits, which finds equal values and nothing else.
    ///
    /// The fewer bits, the more values share a hash, so that less shows, and the more objects a query reads in vain. A hash should be shared by some:
    /// `leakage(of:)` tells what the index of a store shows. With a `spread` of *n* the objects of each value get one of *n* hashes, by chance, so that how
    /// often a value occurs shows less, and a query looks for all *n*.
    ///
    /// - Parameters:
    ///   - bits: 1 to 128.
    ///   - spread: 1 to 64.
    public static func blind(bits: Int, spread: Int = 1) -> AttributeOption { AttributeOption() }

    /// No two objects have the same value in the encrypted property, unless it is nil; it has an index of keyed hashes of 128 bits,
    /// which shows which values are equal to none.
    public static var blindUnique: AttributeOption { AttributeOption() }

    /// Ordinary indexes of the encrypted property are wanted, though their entries have its values, or its words, in the clear.
    ///
    /// Without it an index that would reveal an encrypted property is refused when the store is opened.
    public static var revealing: AttributeOption { AttributeOption() }

    // MARK: - Indexes

    /// The property has an index: queries for its values, or in its order, need not read all objects.
    ///
    /// One of an array or set has an entry for each element, of a dictionary for each key.
    public static var indexed: AttributeOption { AttributeOption() }

    /// The property has an index, of text whatever its case when `ignoringCase` is true.
    ///
    /// The index ignoring case serves the operators that ignore case; a property may have both.
    public static func indexed(ignoringCase: Bool) -> AttributeOption { AttributeOption() }

    /// The property has an index of its text without case, accents or both: `@Attribute(.indexed(ignoring: [.case, .diacritics]))`.
    ///
    /// It serves the operators that ignore the same, and tests of equality and beginnings that ignore less; a property may have several.
    public static func indexed(ignoring: TextFolding) -> AttributeOption { AttributeOption() }

    /// No two objects have the same value in the property, unless it is nil; it is indexed by that.
    ///
    /// Saving a second one throws ``TroveError/uniqueViolation(model:index:values:id:otherID:)``, which names the value and the other object.
    public static var unique: AttributeOption { AttributeOption() }

    /// No two objects have the same value in the property, whatever the case of its text when `ignoringCase` is true.
    public static func unique(ignoringCase: Bool) -> AttributeOption { AttributeOption() }

    /// No two objects have texts in the property that differ only in what is ignored: case, accents or both.
    public static func unique(ignoring: TextFolding) -> AttributeOption { AttributeOption() }

    /// The words of the property's text are indexed, for full-text search. For several properties in one index there is `#FullText`.
    public static var fullText: AttributeOption { AttributeOption() }

    /// The words of the property's text are indexed; see ``Index/fullText(_:stemming:ignoresDiacritics:minimumWordLength:keepsPositions:weights:name:)``.
    public static func fullText(
        stemming: StemmingLanguage? = nil, ignoresDiacritics: Bool = true, minimumWordLength: Int = 1, keepsPositions: Bool = true
    ) -> AttributeOption { AttributeOption() }

    /// The parts of the property's text are indexed, for `contains`, `begins with` and `ends with`.
    public static var substring: AttributeOption { AttributeOption() }

    /// The parts of the property's text are indexed, without accents when `ignoresDiacritics` is true; only then for tests that ignore these.
    public static func substring(ignoresDiacritics: Bool) -> AttributeOption { AttributeOption() }
}

/// What a save does with a field of an object that is in the store already.
public struct FieldOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The first stored value that is not nil stays, whatever later saves bring. A nil does not count as written: the first value after it does,
    /// and a later nil does not take it away.
    public static let writeOnce = FieldOptions(rawValue: 1)
    /// A later nil leaves the stored value as it is.
    public static let keepIfNil = FieldOptions(rawValue: 2)
    /// The value is stored encrypted; see ``AttributeOption/encrypted``.
    public static let encrypted = FieldOptions(rawValue: 4)
    /// Ordinary indexes of an encrypted value are wanted, though they show it; see ``AttributeOption/revealing``.
    public static let revealing = FieldOptions(rawValue: 8)

    /// The date of the first save; see ``AttributeOption/creationDate``.
    public static let creationDate = FieldOptions(rawValue: 16)
    /// The date of the last save that changed something; see ``AttributeOption/modificationDate``.
    public static let modificationDate = FieldOptions(rawValue: 32)

    /// Those by which a value that is stored may stay.
    static let keeping: FieldOptions = [.writeOnce, .keepIfNil, .creationDate]
    /// Those that look at the whole stored object when one is saved.
    static let merging: FieldOptions = [.writeOnce, .keepIfNil]
}
