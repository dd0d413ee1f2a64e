import Trove

extension CatalogueDemo {
    /// Reads a package, changes it, saves it, and looks whether it changed.
    func edit(_ example: CataloguePackage, in store: ObjectStore, _ expected: inout CatalogueChecksum) async throws {
        guard var package = try await store.fetch(CataloguePackage.self, id: example.id), package == example else {
            throw disagreement("'\(example.name)' was not found as it was imported")
        }
        package.priority = package.priority == .required ? .important : .required
        package.tags.append("demo::edited")
        try await store.save(package)

        let found = try await store.fetch(CataloguePackage.self, id: example.id)
        guard let found, found == package else { throw disagreement("the edit of '\(example.name)' was not found") }
        expected.remove(example)
        expected.add(package)
        try await require(expected, in: store, after: "an edit")
        try console.check(
            "edit", "\(package.name): priority \(example.priority.text) is now \(found.priority.text), one tag more")
    }

    /// Deletes a package, and looks whether it, and nothing else, is gone.
    func delete(_ example: CataloguePackage, in store: ObjectStore, _ expected: inout CatalogueChecksum) async throws {
        let wasThere = try await store.delete(CataloguePackage.self, id: example.id)
        let isThere = try await store.contains(CataloguePackage.self, id: example.id)
        let count = try await store.fetch(CataloguePackage.self).count()
        guard wasThere, !isThere, count == survey.count - 1 else {
            throw disagreement("'\(example.name)' was to be deleted, and \(count) packages are left")
        }
        expected.remove(example)
        try await require(expected, in: store, after: "a deletion")
        try console.check("delete", "\(example.name) is gone, \(count.packages) left")
    }

    /// Begins a transaction, deletes everything in it, and gives it up.
    func rollBack(in store: ObjectStore, _ expected: CatalogueChecksum) async throws {
        struct ChangeOfMind: Error {
            let deleted: Int
            let left: Int
        }
        do {
            try await store.write { transaction in
                let deleted = try transaction.deleteAll(CataloguePackage.self)
                // The transaction sees its own changes; nobody else ever does.
                throw ChangeOfMind(deleted: deleted, left: try transaction.fetch(CataloguePackage.self).count())
            }
        } catch let change as ChangeOfMind {
            guard change.deleted == survey.count - 1, change.left == 0 else {
                throw disagreement("of \(survey.count - 1) packages \(change.deleted) could be deleted, and \(change.left) were left")
            }
            try await require(expected, in: store, after: "a transaction that was rolled back")
            try console.check(
                "roll back", "a transaction deleted everything (\(change.deleted.packages)), then threw an error: nothing is gone")
        }
    }
}

extension Optional<PackagePriority> {
    fileprivate var text: String { map { "'\($0.rawValue)'" } ?? "none" }
}
