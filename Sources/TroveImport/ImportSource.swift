import Foundation
import Trove

/// A file or directory that another library has written, to be brought into a store.
///
/// ```swift
/// let source = try ImportSource(path: "Library.sqlite")
/// print(try source.describe())                              // what would come
/// let report = try store.importDocuments(from: source)
/// print(report)
/// ```
///
/// The source is only read, and never changed: not even its log, where SQLite would write one.
public final class ImportSource {
    /// The path that it was opened with.
    public let path: String
    /// The format, told by the content unless it was given.
    public let kind: ImportKind
    let reader: any SourceReader

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - kind: the format; nil to tell it by the content.
    ///   - options: what a file of values alone does not tell.
    /// - Throws: ``ImportError``.
    public init(path: String, kind: ImportKind? = nil, _ options: ImportSourceOptions = ImportSourceOptions()) throws {
        self.path = path
        var opened: ForeignDatabase?
        self.kind = try kind ?? ImportKind.told(by: path, &opened)
        func database() throws -> ForeignDatabase { try opened ?? ForeignDatabase(path) }
        switch self.kind {
        case .csv: reader = try CSVReader(path, options)
        case .json: reader = try JSONReader(path, options)
        case .jsonLines: reader = try JSONLinesReader(path, options)
        case .propertyList: reader = try PropertyListReader(path, options)
        case .keyedArchive: reader = try KeyedArchiveReader(path, options)
        case .sqlite: reader = try SQLiteTables(database())
        case .coreData: reader = try CoreDataReader(database())
        case .nanoStore: reader = try NanoStoreReader(database())
        case .bzObjectStore: reader = try BZObjectStoreReader(database())
        case .sqlitePersistentObjects: reader = try PersistentObjectsReader(database())
        case .fringeData: reader = try FringeDataReader(path)
        case .parse: reader = try ParseReader(path)
        }
    }
}

/// What a file of values alone, such as CSV, does not tell of them.
public struct ImportSourceOptions: Sendable {
    /// The name of the collection; nil for that of the file without its extension.
    public var collection: String?
    /// The attribute that tells the rows apart; nil for the first of `id`, `_id`, `objectId` and `uuid` that there is, in JSON
    /// with a value, and without one for the number of the row.
    public var idAttribute: String?
    /// The types of columns of CSV, by their names. The others are read as ``ColumnType/inferred``.
    public var types: [String: ColumnType]

    /// Options that say what a file does not; without arguments all is told by the content.
    public init(collection: String? = nil, idAttribute: String? = nil, types: [String: ColumnType] = [:]) {
        self.collection = collection
        self.idAttribute = idAttribute
        self.types = types
    }

    /// The name of the collection of a file.
    func collection(of path: String) -> String {
        if let collection { return collection }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return name.isEmpty ? "imported" : name
    }

    /// The attributes that tell rows apart where none is named, the first one that there is.
    static let idAttributes = ["id", "_id", "objectId", "uuid"]

    /// The attribute that tells rows with these apart.
    func idAttribute(among names: some Sequence<String>) -> String? {
        if let idAttribute { return idAttribute }
        let names = Set(names)
        return Self.idAttributes.first { names.contains($0) }
    }
}
