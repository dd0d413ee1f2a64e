import Trove

extension CatalogueDemo {
    /// Reads a package, changes it, saves it, and looks whether it changed.
    func edit(_ example: CataloguePackage, in store: ObjectStore, _ expected: inout CatalogueChecksum) async throws {
        guard var package = try await store.fetch(CataloguePackage.self, id: example.id), package == example else {
            throw disagreement("'\(example.name)' was not found as it was imported")
        }
        package.priority = package.priority == .required ? .important : .required
        package.tags.append("demo::edited")
        // It gets one dependency more, in front of the others.
        let added = Reference<CataloguePackage>(id: survey.neediest)
        package.depends.insert(added, at: 0)
        try await store.save(package)

        let found = try await store.fetch(CataloguePackage.self, id: example.id)
        guard let found, found == package else { throw disagreement("the edit of '\(example.name)' was not found") }
        let dependents = try await store.read { try PackageGraph($0).dependents(of: added.id).ids() }
        guard dependents.contains(example.name) else { throw disagreement("'\(added.id)' does not know that '\(example.name)' depends on it now") }
        expected.remove(example)
        expected.add(package)
        try await require(expected, in: store, after: "an edit")
        try console.check(
            "edit",
            "\(package.name): priority \(example.priority.text) is now \(found.priority.text), one tag more; "
                + "it depends on \(added.id) first, which is needed by \(dependents.count.packages) now")
    }

    /// Tries to delete the package that most others depend on.
    func deny(in store: ObjectStore, _ expected: CatalogueChecksum) async throws {
        let names = survey.mostNeeded.map(\.name)
        guard let name = try await store.fetch(CataloguePackage.self, ids: names).first?.name else { return }
        // What depends on nothing but itself may go.
        guard try await store.read({ try PackageGraph($0).dependents(of: name).ids() }).contains(where: { $0 != name }) else { return }
        do {
            try await store.delete(CataloguePackage.self, id: name)
            throw disagreement("'\(name)' could be deleted, though others depend on it")
        } catch TroveError.deletionDenied(_, let id, let blockers) {
            try await require(expected, in: store, after: "a deletion that was denied")
            try console.check(
                "deny", "\(id) cannot be deleted: \(blockers.prefix(3).map(\.id).joined(separator: ", ")) and others depend on it")
        }
    }

    /// Deletes a package with all that do not work without it, and looks whether these, and nothing else, are gone.
    func delete(_ example: CataloguePackage, in store: ObjectStore, _ expected: inout CatalogueChecksum) async throws {
        let broken = try await store.read { try PackageGraph($0).breaking(without: example.id) }
        let names = [example.id] + broken
        let packages = try await store.fetch(CataloguePackage.self, ids: names)
        // Judged together: that one is needed by another denies nothing, since both go.
        let deleted = try await store.delete(CataloguePackage.self, ids: names)
        for package in packages { expected.remove(package) }
        guard deleted == names.count, try await store.fetch(CataloguePackage.self, ids: names).isEmpty else {
            throw disagreement("\(names.count.packages) were to be deleted, and \(deleted) were")
        }
        try await require(expected, in: store, after: "a deletion")
        let others = broken.isEmpty ? "which nothing depends on" : "with \(broken.count.packages) that need it"
        try console.check("delete", "\(example.name), \(others), is gone; \(expected.count.packages) left")
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
            guard change.deleted == expected.count, change.left == 0 else {
                throw disagreement("of \(expected.count) packages \(change.deleted) could be deleted, and \(change.left) were left")
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
