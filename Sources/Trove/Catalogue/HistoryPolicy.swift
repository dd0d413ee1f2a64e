/// What a store keeps of each change of its objects; see ``ObjectStore/keepHistory(_:)``.
///
/// ```swift
/// try store.keepHistory(.values)                                            // of all objects
/// try store.keepHistory(.ids(of: [Song.self, Album.self]))                  // which ones changed, and no values
/// try store.keepHistory(.values(maximumAge: .seconds(30 * 24 * 60 * 60)))   // what is older goes by itself
/// ```
///
/// The store has the policy, not the program: every program that changes the store keeps to it, whether it has the models or not.
public struct HistoryPolicy: Sendable, Hashable {
    /// How much of a change is kept.
    public enum Detail: String, Sendable, Hashable, CaseIterable {
        /// The object's id, and whether it was inserted, updated or deleted.
        case ids
        /// The object's values before and after as well. Of models with encrypted properties only the ids, so that nothing is kept in the clear.
        case values
    }

    /// How much of a change is kept.
    public var detail: Detail
    /// The names of the models and collections of documents whose changes are kept; nil for all.
    public var modelNames: Set<String>?
    /// The age at which entries are removed, when those that come later are written; nil to keep them until they are trimmed. What a consumer has not read
    /// stays. Nothing else removes old entries in a store that nobody changes.
    ///
    /// At least 0.
    public var maximumAge: Duration? {
        didSet { maximumAge = maximumAge.map { max(.zero, $0) } }
    }

    /// What is kept of the changes of some models and collections, or of all.
    ///
    /// ```swift
    /// try store.keepHistory(HistoryPolicy(.values, modelNames: ["Song", "notes"]))      // of a collection of documents, too
    /// ```
    ///
    /// - Parameters:
    ///   - modelNames: the names of models and collections of documents; nil for all.
    ///   - maximumAge: the age at which entries are removed; nil for none.
    public init(_ detail: Detail, modelNames: Set<String>? = nil, maximumAge: Duration? = nil) {
        self.detail = detail
        self.modelNames = modelNames
        self.maximumAge = maximumAge.map { max(.zero, $0) }
    }

    /// The ids of all objects that change.
    public static let ids = HistoryPolicy(.ids)

    /// The values of all objects that change, before and after.
    public static let values = HistoryPolicy(.values)

    /// The ids of these models' objects that change; nil for those of all.
    public static func ids(of models: [any Model.Type]? = nil, maximumAge: Duration? = nil) -> HistoryPolicy {
        HistoryPolicy(.ids, modelNames: models.map { Set($0.map { $0.schema.name }) }, maximumAge: maximumAge)
    }

    /// The values of these models' objects that change, before and after; nil for those of all.
    public static func values(of models: [any Model.Type]? = nil, maximumAge: Duration? = nil) -> HistoryPolicy {
        HistoryPolicy(.values, modelNames: models.map { Set($0.map { $0.schema.name }) }, maximumAge: maximumAge)
    }

    /// Whether changes of a model are kept.
    func keeps(_ modelName: String) -> Bool { modelNames?.contains(modelName) ?? true }
}

/// The catalogue's entry about the policy.
extension HistoryPolicy {
    static let entryName = "history"
    /// What a store's header names as long as a history is kept: a program that does not know it would leave its own changes out.
    static let feature = "history"
    private static let key = Array(entryName.utf8)

    /// The policy of the store; nil when it keeps no history.
    ///
    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    static func stored(_ reader: any StorageReader) throws -> HistoryPolicy? {
        guard let keyspace = try reader.keyspace(named: Catalogue.keyspaceName) else { return nil }
        return try reader.value(of: key, in: keyspace).map(HistoryPolicy.init)
    }

    /// Makes a policy that of the store, nil for none.
    static func write(_ policy: HistoryPolicy?, _ writer: any StorageWriter) throws {
        let keyspace = try writer.createKeyspace(named: Catalogue.keyspaceName)
        if let policy { try writer.put(key, policy.encode(), in: keyspace) } else { try writer.remove(key, in: keyspace) }
        guard var header = try Catalogue.header(writer) else { return }
        if policy == nil { header.features.remove(feature) } else { header.features.insert(feature) }
        try Catalogue.write(header, writer)
    }

    private func encode() throws -> [UInt8] {
        var values: [String: StoredValue] = ["detail": .string(detail.rawValue)]
        if let modelNames { values["models"] = .array(modelNames.sorted().map { .string($0) }) }
        if let maximumAge { values["age"] = .duration(maximumAge) }
        return try CatalogueEntry.encode(.object(values), name: Self.entryName)
    }

    /// - Throws: ``TroveError/corruptCatalogue(entry:reason:)``.
    init(_ bytes: [UInt8]) throws {
        let value = try CatalogueEntry.decode(bytes, name: Self.entryName)
        func unread(_ part: String) -> TroveError { .corruptCatalogue(entry: Self.entryName, reason: "its \(part) cannot be read") }
        guard case .string(let name) = value.value(at: "detail"), let detail = Detail(rawValue: name) else { throw unread("detail") }
        self.init(detail)
        switch value.value(at: "models") {
        case nil: break
        case .array(let names):
            modelNames = try Set(names.map { if case .string(let name) = $0 { name } else { throw unread("models") } })
        default: throw unread("models")
        }
        switch value.value(at: "age") {
        case nil: break
        case .duration(let age): maximumAge = age
        default: throw unread("age")
        }
    }
}
