/// A format that other libraries write, and that ``ImportSource`` reads.
public enum ImportKind: String, CaseIterable, Sendable, Codable {
    /// Comma-separated values with a line of names, as RFC 4180 has them; also with semicolons or tabs.
    case csv
    /// A JSON array of objects, one object, or an object whose values are arrays of objects, each of which is a collection then.
    case json
    /// JSON objects, one a line.
    case jsonLines = "jsonl"
    /// A property list, in XML or binary: an array of dictionaries, one dictionary, or a dictionary of arrays of dictionaries.
    case propertyList = "plist"
    /// A file that `NSKeyedArchiver` has written, a property list of objects that refer to each other.
    case keyedArchive = "keyedarchive"
    /// Any SQLite database: each table is a collection, and foreign keys are references.
    case sqlite
    /// A store that Core Data or SwiftData keeps in SQLite.
    case coreData = "coredata"
    /// NanoStore's SQLite file.
    case nanoStore = "nanostore"
    /// BZObjectStore's SQLite file.
    case bzObjectStore = "bzobjectstore"
    /// SQLitePersistentObjects' SQLite file.
    case sqlitePersistentObjects = "sqlitepersistentobjects"
    /// A file of FringeData, or a directory of them.
    case fringeData = "fringedata"
    /// The JSON of an export from Parse: a file for each class, in one directory.
    case parse
}
