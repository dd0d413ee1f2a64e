import ArgumentParser
import Trove

struct InfoCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Tells a store's engine, format, sizes, durability and models.",
        discussion: "Example: trove info music.store")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.with(.readOnly) { open in
            let facts = try StoreFacts(open)
            switch options.format(for: output, usual: .line) {
            case .json, .jsonl:
                let sheet = options.sheet(facts.columns, on: output)
                try sheet.add(facts.values)
                try sheet.finish()
            case .line:
                let sheet = LineSheet(facts.lines.map { Column($0.name) }, on: output)
                try sheet.add(facts.lines.map { .string($0.text) })
                try sheet.finish()
            case .table, .csv, .md:
                let sheet = options.sheet([Column("what"), Column("value")], on: output)
                for (name, text) in facts.lines { try sheet.add([.string(name), .string(text)]) }
                try sheet.finish()
            }
        }
    }
}

/// What `trove info` tells of a store.
private struct StoreFacts {
    private let path: String
    private let capabilities: StorageCapabilities
    private let statistics: StorageStatistics
    private let format: Int
    private let identity: String
    private let encryption: String
    private let models: [(model: StoredModel, count: Int, indexes: Int)]
    private let bags: Int
    private let blobs: Int
    private let metadata: Int

    init(_ open: OpenStore) throws {
        let store = open.store
        path = store.path
        capabilities = store.capabilities
        statistics = try store.statistics()
        format = store.format
        identity = store.identity.uuidString.lowercased()
        let counts = try store.counts()
        let indexes = try Dictionary(grouping: store.indexStatistics().filter { $0.state != .dropping }, by: \.model)
        models = try StoreModels(store).all.map { ($0, counts[$0.name] ?? 0, indexes[$0.name]?.count ?? 0) }
        let properties = try Set(store.layouts().filter { !$0.isRetired }.flatMap { layout in layout.encryptedFields.map { "\(layout.modelName).\($0)" } })
        encryption = open.encryption != nil ? "everything" : properties.isEmpty ? "nothing" : Self.counted(properties.count, "property", "properties")
        bags = try store.bags().count
        blobs = try store.blobNames().count
        metadata = try store.metadata().count
    }

    /// What each level of durability survives, from the strongest on.
    private var durability: [(level: String, survives: String)] {
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

    var lines: [(name: String, text: String)] {
        var lines = [
            ("path", path), ("engine", "\(capabilities.engine) \(capabilities.engineVersion)"), ("format", String(format)), ("identity", identity), ("encrypted", encryption),
            ("size", statistics.fileSize.asByteCount), ("free", statistics.freeSize.asByteCount),
        ]
        lines += durability.map { ("\($0.level) commits", "survive \($0.survives)") }
        lines += models.map { model, count, indexes in
            let kind = model.isCollection ? "collection" : "model"
            let parts = [Self.counted(count, model.isCollection ? "document" : "object"), Self.counted(indexes, "index", "indexes")]
            return ("\(kind) \(model.name)", (parts + (model.layouts.count > 1 ? [Self.counted(model.layouts.count, "layout")] : [])).joined(separator: ", "))
        }
        return lines + [("bags", bags.grouped), ("blobs", blobs.grouped), ("metadata", metadata.grouped)]
    }

    private static func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
        "\(count.grouped) \(count == 1 ? one : several ?? one + "s")"
    }

    // MARK: - For programs

    var columns: [Column] {
        ["path", "engine", "engineVersion", "format", "identity", "encryption", "fileSize", "freeSize", "durability", "models", "bags", "blobs", "metadata"].map { Column($0) }
    }

    var values: [StoredValue] {
        let levels = durability.map { ($0.level, StoredValue.string($0.survives)) }
        let models = models.map { model, count, indexes in
            StoredValue.object([
                "name": .string(model.name), "kind": .string(model.isCollection ? "collection" : "model"), "objects": .int(Int64(count)),
                "indexes": .int(Int64(indexes)), "layouts": .int(Int64(model.layouts.count)),
            ])
        }
        return [
            .string(path), .string(capabilities.engine), .string(capabilities.engineVersion), .int(Int64(format)), .string(identity), .string(encryption),
            .int(Int64(statistics.fileSize)), .int(Int64(statistics.freeSize)), .object(Dictionary(uniqueKeysWithValues: levels)), .array(models),
            .int(Int64(bags)), .int(Int64(blobs)), .int(Int64(metadata)),
        ]
    }
}
