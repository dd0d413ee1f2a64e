import Trove

/// Loads a JSON-lines file into a store, in flat memory.
struct CatalogueImporter {
    /// The packages of one transaction: enough that commits cost little, few enough for any memory.
    private static let batchSize = 5_000

    let store: ObjectStore
    private(set) var imported = 0
    /// How long the store worked, without reading and decoding the file.
    private(set) var storingTime = Duration.zero

    init(store: ObjectStore) { self.store = store }

    /// Stores all packages of the file; `progress` gets their number after each batch.
    ///
    /// - Throws: ``CatalogueError``, which names the line; errors of the store.
    mutating func run(path: String, progress: (Int) throws -> Void) async throws {
        var reader = try PackageReader(path: path)
        var batch: [(line: Int, package: CataloguePackage)] = []
        while let package = try reader.next() {
            batch.append((reader.line, package))
            if batch.count == Self.batchSize {
                try await save(batch, from: path)
                batch.removeAll(keepingCapacity: true)
                try progress(imported)
            }
        }
        try await save(batch, from: path)
        // The batches promised nothing about a power loss, since the import could be run again. Now it is done.
        storingTime += try await ContinuousClock().measure { [store] in try await store.synchronize() }
        try progress(imported)
    }

    private mutating func save(_ batch: [(line: Int, package: CataloguePackage)], from path: String) async throws {
        storingTime += try await ContinuousClock().measure { [store] in
            try await store.write(.relaxed) { transaction in
                for (line, package) in batch {
                    do {
                        try transaction.insert(package)
                    } catch TroveError.alreadyExists {
                        throw CatalogueError.duplicate(path: path, line: line, name: package.name)
                    }
                }
            }
        }
        imported += batch.count
    }
}
