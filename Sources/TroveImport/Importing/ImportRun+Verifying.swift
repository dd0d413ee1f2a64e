import Trove

/// What is looked at when everything is stored. What fails here is told in the report, which nothing else has.
extension ImportRun {
    /// Tells references to what neither the source nor the store has.
    func findDangling(_ state: inout ImportState) {
        let (awaited, spaces) = (state.settled.awaited.flatMap(\.value.values), state.spaces)
        if awaited.isEmpty { return }
        do {
            let dangling = try store.read { transaction in
                let names = Set(try transaction.collectionNames())
                return try awaited.filter { awaited in
                    let space = awaited.reference.space
                    // What was stored, which may be no id of the model that the row became.
                    let id = storedID(of: awaited.reference)
                    return try !(spaces[space] ?? [space]).contains { name in
                        if let model = models[name] { return try model.has(id, transaction) }
                        guard case .objectID(let id) = id else { return false }
                        return try names.contains(name) && transaction.documents(name).contains(id: id)
                    }
                }
            }
            for row in dangling.sorted(by: { ($0.collection, $0.place.description) < ($1.collection, $1.place.description) }) {
                let reason =
                    "it is the first to refer to \(row.reference.key.description) of \(row.reference.space), which is not there; "
                    + "the id is stored, and leads nowhere"
                state.faults.note(ImportFault(collection: row.collection, place: row.place.description, reason: reason))
            }
        } catch {
            state.faults.note(ImportFault(collection: "", place: "the references", reason: "what they lead to could not be looked up: \(error)"))
        }
    }

    /// Reads back what was stored, on several threads: nothing is compared but what this import has stored.
    func verify(_ state: inout ImportState) {
        for (place, ids) in state.settled.stored.sorted(by: { $0.key < $1.key }) {
            let (name, stored) = (state.collections[place].name, state.stored[place])
            do {
                state.collections[place].isVerified = try isStored(ids, of: name, stored)
            } catch {
                state.collections[place].isVerified = false
                state.faults.note(ImportFault(collection: name, place: "what was stored", reason: "it could not be read back: \(error)"))
            }
        }
        verifyBags(&state)
    }

    private func isStored(_ ids: [StoredValue], of name: String, _ stored: ImportState.StoredObjects) throws -> Bool {
        let (model, dates) = (models[name], stored.dates ?? [])
        // As large as the batches in which they came.
        let batch = max(1, min(Self.batchSize, Self.batchBytes / max(1, stored.size / max(1, ids.count))))
        let parts = try store.inParts(of: ids.count, atLeast: batch) { part in
            var (count, hash) = (0, 0)
            for start in stride(from: part.lowerBound, to: part.upperBound, by: batch) {
                let batch = ids[start..<min(start + batch, part.upperBound)]
                let found = try store.read { transaction in try model.map { try read(batch, $0, transaction) } ?? read(batch, name, dates, transaction) }
                count += found.count
                hash &+= found.hash
            }
            return (count: count, hash: hash)
        }
        return parts.reduce(0) { $0 + $1.count } == ids.count && parts.reduce(0) { $0 &+ $1.hash } == stored.hash
    }

    private func read(
        _ ids: ArraySlice<StoredValue>, _ collection: String, _ dates: Set<String>, _ transaction: ReadTransaction
    ) throws -> (count: Int, hash: Int) {
        var (count, hash) = (0, 0)
        for document in try transaction.documents(collection).fetch(ids: ids.compactMap { if case .objectID(let id) = $0 { id } else { nil } }) {
            count += 1
            hash &+= document.value.wholeHash(without: dates)
        }
        return (count, hash)
    }

    private func read(_ ids: ArraySlice<StoredValue>, _ model: ImportedModel, _ transaction: ReadTransaction) throws -> (count: Int, hash: Int) {
        let documents = transaction.documents(of: model.name)
        var (count, hash) = (0, 0)
        for id in ids {
            guard let document = try documents.fetch(id: id) else { continue }
            count += 1
            hash &+= document.value.wholeHash(without: model.derived)
        }
        return (count, hash)
    }
}

extension ImportedModel {
    /// Whether the object of an id is stored. One whose id is none of the model's is not.
    fileprivate func has(_ id: StoredValue, _ transaction: ReadTransaction) throws -> Bool {
        do {
            return try transaction.documents(of: name).contains(id: id)
        } catch TroveError.invalidProperty {
            return false
        }
    }
}
