import Foundation
import Trove

/// What is to tell of a store as a whole.
package struct StoreFacts {
    package let path: String
    package let capabilities: StorageCapabilities
    package let statistics: StorageStatistics
    package let format: Int
    package let identity: String
    /// The models and collections with the number of their objects and indexes.
    package let models: [(model: StoredModel, count: Int, indexes: Int)]
    package let bags: Int
    package let blobs: Int
    package let metadata: Int
    /// What is kept of changes; nil when nothing is.
    package let history: HistoryPolicy?

    /// What nobody can read without keys; nil when that is not known.
    package let encryption: String?

    /// - Parameter isEncrypted: whether all of the store is encrypted; nil when nobody knows, since the store itself does not.
    package init(_ store: ObjectStore, isEncrypted: Bool? = nil) throws {
        path = store.path
        capabilities = store.capabilities
        statistics = try store.statistics()
        format = store.format
        identity = store.identity.uuidString.lowercased()
        let counts = try store.counts()
        let indexes = try Dictionary(grouping: store.indexStatistics().filter { $0.state != .dropping }, by: \.model)
        models = try StoreModels(store).all.map { ($0, counts[$0.name] ?? 0, indexes[$0.name]?.count ?? 0) }
        bags = try store.bags().count
        blobs = try store.blobNames().count
        metadata = try store.metadata().count
        history = try store.historyPolicy()
        let properties = try Set(store.layouts().filter { !$0.isRetired }.flatMap { layout in layout.encryptedFields.map { "\(layout.modelName).\($0)" } })
        encryption =
            isEncrypted == true
            ? "everything" : !properties.isEmpty ? Self.counted(properties.count, "property", "properties") : isEncrypted.map { _ in "nothing" }
    }

    /// What each level of durability survives, from the strongest on.
    package var durability: [(level: String, survives: String)] {
        [(Durability.durable, "durable"), (.buffered, "buffered"), (.relaxed, "relaxed")].compactMap { level, name in
            capabilities.promises[level].map { (name, Self.text($0)) }
        }
    }

    private static func text(_ survival: StorageCapabilities.Survival) -> String {
        switch survival {
        case .nothing: "nothing"
        case .cleanClose: "a clean close"
        case .processCrash: "a crash of the process"
        case .powerLossButSuffix: "a power loss, but for the last commits"
        case .powerLoss: "a power loss"
        }
    }

    // MARK: - For people

    package var lines: [(name: String, text: String)] {
        var lines = [
            ("path", path), ("engine", "\(capabilities.engine) \(capabilities.engineVersion)"), ("format", String(format)), ("identity", identity),
            ("size", statistics.fileSize.asByteCount), ("free", statistics.freeSize.asByteCount),
        ]
        if let encryption { lines.append(("encrypted", encryption)) }
        lines += durability.map { ("\($0.level) commits", "survive \($0.survives)") }
        lines += models.map { model, count, indexes in
            let kind = model.isCollection ? "collection" : "model"
            let parts = [Self.counted(count, model.isCollection ? "document" : "object"), Self.counted(indexes, "index", "indexes")]
            return ("\(kind) \(model.name)", (parts + (model.layouts.count > 1 ? [Self.counted(model.layouts.count, "layout")] : [])).joined(separator: ", "))
        }
        lines += [("bags", bags.grouped), ("blobs", blobs.grouped), ("metadata", metadata.grouped)]
        if let history { lines.append(("history", Self.text(history))) }
        return lines
    }

    private static func text(_ history: HistoryPolicy) -> String {
        "\(history.detail.rawValue) of \(history.modelNames.map { $0.sorted().joined(separator: ", ") } ?? "everything")"
            + (history.maximumAge.map { $0 / .seconds(24 * 60 * 60) }.map { ", for \(String(format: "%g", $0)) \($0 == 1 ? "day" : "days")" } ?? "")
    }

    package static func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
        "\(count.grouped) \(count == 1 ? one : several ?? one + "s")"
    }

    // MARK: - For programs

    package var names: [String] {
        ["path", "engine", "engineVersion", "format", "identity", "encryption", "fileSize", "freeSize", "durability", "models", "bags", "blobs", "metadata", "history"]
    }

    package var values: [StoredValue] {
        let levels = durability.map { ($0.level, StoredValue.string($0.survives)) }
        let models = models.map { model, count, indexes in
            StoredValue.object([
                "name": .string(model.name), "kind": .string(model.isCollection ? "collection" : "model"), "objects": .int(Int64(count)),
                "indexes": .int(Int64(indexes)), "layouts": .int(Int64(model.layouts.count)),
            ])
        }
        return [
            .string(path), .string(capabilities.engine), .string(capabilities.engineVersion), .int(Int64(format)), .string(identity),
            encryption.map { .string($0) } ?? .null,
            .int(Int64(statistics.fileSize)), .int(Int64(statistics.freeSize)), .object(Dictionary(uniqueKeysWithValues: levels)), .array(models),
            .int(Int64(bags)), .int(Int64(blobs)), .int(Int64(metadata)),
            history.map { .string(Self.text($0)) } ?? .null,
        ]
    }
}
