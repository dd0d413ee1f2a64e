import Trove

extension CatalogueDemo {
    /// Closes the store, opens its file again, and looks whether everything is there.
    func reopen(_ store: ObjectStore, _ expected: CatalogueChecksum) async throws -> ObjectStore {
        try await store.close()
        let reopened = try ObjectStore(engine.open(path: directory.path(of: engine)), models: CataloguePackage.self)
        try await require(expected, in: reopened, after: "reopening")
        try console.check("reopen", "closed and opened again: the edited package is edited, what was deleted is gone, the rest is as it was")
        return reopened
    }

    /// Has the store check every byte it holds.
    func verify(_ store: ObjectStore) async throws {
        let report = try await ProgressBar.show("Verifying", on: console) { bar in
            try await store.verify { try bar.update($0.completed, of: $0.total) }
        }
        if let problem = report.problems.first {
            throw disagreement("verify() found \(report.problemCount) problems, first \(problem)")
        }
        try console.check(
            "verify", "every record, index entry and reference read and checked (\(report.records.packages)), all sound; "
                + "\(report.danglingReferenceCount.grouped) references to names of no package, which may be")
    }

    /// Copies the store to the next engine, and compares the two object by object.
    func copy(_ store: ObjectStore, _ expected: CatalogueChecksum) async throws {
        let target = engine.successor
        let backend = try target.open(path: directory.path(ofCopyOf: engine))
        try await ProgressBar.show("Copying", on: console) { bar in
            try await store.copy(to: backend) { try bar.update($0.completed, of: $0.total) }
        }
        let copy = try ObjectStore(backend, models: CataloguePackage.self)
        let compared = try await compare(store, copy)
        guard compared == expected else {
            throw disagreement("the copy on \(target.title) has \(compared.count) packages with the checksum \(compared)")
        }
        try await copy.close()
        try console.check(
            "copy", "\(compared.count.packages) on \(target.title), equal one by one, checksum \(compared)")
    }

    /// Reads both stores side by side, in flat memory, and throws at the first difference.
    private func compare(_ store: ObjectStore, _ copy: ObjectStore) async throws -> CatalogueChecksum {
        var checksum = CatalogueChecksum()
        var copies = copy.fetch(CataloguePackage.self).stream().makeAsyncIterator()
        for try await package in store.fetch(CataloguePackage.self).stream() {
            let twin = try await copies.next()
            guard twin == package else {
                throw disagreement("the copy has \(twin.map { "'\($0.name)', changed" } ?? "nothing") in the place of '\(package.name)'")
            }
            checksum.add(package)
        }
        if let extra = try await copies.next() { throw disagreement("the copy has '\(extra.name)', which the original lacks") }
        return checksum
    }
}
