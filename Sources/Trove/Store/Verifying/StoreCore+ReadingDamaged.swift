import TroveStorage

extension StoreCore {
    /// Adds to the report what can be read of a file whose structure is damaged.
    ///
    /// A transaction in which the engine met damage reads no more. So each part has transactions of its own, which may see different states.
    func readDamaged(_ report: inout VerificationReport, _ progress: (StoreProgress) throws -> Void) throws {
        var watch = ReadWatch()
        var completed = 0
        func advance() throws {
            try watch.step()
            completed += 1
            // How much there is cannot be told: counting goes through the same pages.
            if completed.isMultiple(of: StoreProgress.verificationInterval) { try progress(.init(completed: completed, total: completed)) }
        }
        do {
            var unread: Set<String> = []
            for name in try read({ try $0.reader.keyspaceNames() }) {
                var reading = DamagedKeyspaceReading(name, of: self)
                if try !reading.run(&report, advance) { unread.insert(name) }
            }
            try compareDamagedIndexes(passingOver: unread, &report, advance)
            try readDamagedReferences(&report)
        } catch where error.isOfDamage {
            report.isPartial = true
            report.addDamage(error)
        }
        try progress(.init(completed: completed, total: completed))
    }

    /// Compares each index by itself with the records of its model, where all of these could be read.
    private func compareDamagedIndexes(passingOver unread: Set<String>, _ report: inout VerificationReport, _ advance: () throws -> Void) throws {
        let indexes = try read { transaction in
            try transaction.verifiedModels.flatMap { model in try transaction.usableIndexes(of: model).map { (model: model, index: $0) } }
        }
        for (model, index) in indexes where !unread.contains(model.schema.name) {
            do {
                try read { transaction in
                    // Another one may have been made in its place meanwhile.
                    let same = try transaction.usableIndexes(of: model).filter { $0.number == index.number }
                    try transaction.verifyIndexes(same, of: model, &report, advance)
                }
            } catch where error.isOfDamage {
                report.isPartial = true
                report.addDamage(unreadable(index, error), in: model.schema.name)
            }
        }
    }

    /// An index in a damaged file cannot be built anew there, so that it is told as damage of the file.
    private func unreadable(_ index: IndexBinding, _ error: any Error) -> any Error {
        guard let error = error as? StorageError else { return error }
        let message = "the index '\(index.schema.name)' of \(index.modelName) cannot be read; export what can be read, and import it into a new store"
        return StorageError.corrupt(.init(engine: error.details.engine, path: backend.path, message: message, code: error.details.code))
    }

    private func readDamagedReferences(_ report: inout VerificationReport) throws {
        for place in 0..<(try read { try $0.relationshipsAndMemberships.count }) {
            do {
                try read { transaction in
                    let relationships = try transaction.relationshipsAndMemberships
                    if place < relationships.count { try transaction.verifyReferences(of: relationships[place], &report) }
                }
            } catch where error.isOfDamage {
                // The records or the index that it met are told.
                report.isPartial = true
            }
        }
    }
}
