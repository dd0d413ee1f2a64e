import Trove

/// What is looked at when everything is stored.
extension ImportRun {
    /// Tells references to what neither the source nor the store has.
    func findDangling(_ state: inout ImportState) throws {
        let (awaited, spaces) = (state.awaited, state.spaces)
        if awaited.isEmpty { return }
        let dangling = try store.read { transaction in
            let names = Set(try transaction.collectionNames())
            return try awaited.values.filter { awaited in
                let space = awaited.reference.space
                if let model = models[space] { return try transaction.documents(of: model.name).fetch(id: model.idValue(awaited.reference) ?? .null) == nil }
                return try !(spaces[space] ?? [space]).contains { name in
                    try names.contains(name) && transaction.documents(name).contains(id: awaited.reference.objectID)
                }
            }
        }
        for (reference, row) in dangling.sorted(by: { ($0.from.collection, $0.from.place.description) < ($1.from.collection, $1.from.place.description) }) {
            state.faults.note(
                ImportFault(
                    collection: row.collection, place: row.place.description,
                    reason: "it is the first to refer to \(reference.key.description) of \(reference.space), which is not there; the id is stored, and leads nowhere"))
        }
    }

    /// Reads back what was stored, on several threads: nothing is compared but what this import has stored.
    func verify(_ state: inout ImportState) throws {
        for (place, stored) in state.stored.enumerated() where !stored.ids.isEmpty {
            let name = state.collections[place].name
            let (ids, model) = (stored.ids, models[name])
            let parts = try store.inParts(of: ids.count, atLeast: Self.batchSize) { part in
                var (count, hash) = (0, 0)
                for start in stride(from: part.lowerBound, to: part.upperBound, by: Self.batchSize) {
                    let batch = ids[start..<min(start + Self.batchSize, part.upperBound)]
                    let found = try store.read { transaction in try model.map { try read(batch, $0, transaction) } ?? read(batch, name, transaction) }
                    count += found.count
                    hash &+= found.hash
                }
                return (count: count, hash: hash)
            }
            let count = parts.reduce(0) { $0 + $1.count }
            state.collections[place].isVerified = count == ids.count && parts.reduce(0) { $0 &+ $1.hash } == stored.hash
        }
    }

    private func read(_ ids: ArraySlice<StoredValue>, _ collection: String, _ transaction: ReadTransaction) throws -> (count: Int, hash: Int) {
        let documents = transaction.documents(collection)
        let dates = try documents.dates()
        var (count, hash) = (0, 0)
        for document in try documents.fetch(ids: ids.compactMap { if case .objectID(let id) = $0 { id } else { nil } }) {
            count += 1
            var value = document.value
            // The store has put them in.
            for name in [dates.creation, dates.modification] { if let name { value.remove(at: DocumentPath([.name(name)])) } }
            hash &+= value.hashValue
        }
        return (count, hash)
    }

    private func read(_ ids: ArraySlice<StoredValue>, _ model: ImportedModel, _ transaction: ReadTransaction) throws -> (count: Int, hash: Int) {
        let documents = transaction.documents(of: model.name)
        var (count, hash) = (0, 0)
        for id in ids {
            guard let document = try documents.fetch(id: id) else { continue }
            count += 1
            hash &+= document.value.hashValue
        }
        return (count, hash)
    }
}
