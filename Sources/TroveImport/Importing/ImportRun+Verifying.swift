import Dispatch
import Foundation
import Synchronization
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
                return try !(spaces[space] ?? [space]).contains { name in try names.contains(name) && transaction.documents(name).contains(id: awaited.reference.objectID) }
            }
        }
        for (reference, row) in dangling.sorted(by: { ($0.from.collection, $0.from.place.description) < ($1.from.collection, $1.from.place.description) }) {
            state.faults.note(
                ImportFault(
                    collection: row.collection, place: row.place.description,
                    reason: "it is the first to refer to \(reference.key.description) of \(reference.space), which is not there; the id is stored, and leads nowhere"))
        }
    }

    /// Reads back what was stored.
    func verify(_ state: inout ImportState) throws {
        for (place, stored) in state.stored.enumerated() where !stored.ids.isEmpty {
            let name = state.collections[place].name
            let found = try inParts(of: stored.ids) { ids in
                try store.read { transaction in try models[name].map { try read(ids, $0, transaction) } ?? read(ids, name, transaction) }
            }
            state.collections[place].isVerified = found.count == stored.ids.count && found.hash == stored.hash
        }
    }

    /// Reads some of the ids on each core. It does not matter in which snapshots: nothing is compared but what this import has stored.
    private func inParts(of ids: [StoredValue], _ read: @Sendable (ArraySlice<StoredValue>) throws -> (count: Int, hash: Int)) throws -> (count: Int, hash: Int) {
        let parts = max(1, min(ProcessInfo.processInfo.activeProcessorCount, ids.count / Self.batchSize))
        let found = Mutex(Result<(count: Int, hash: Int), any Error>.success((0, 0)))
        let interruption = Interruption.current
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let range = ids.count * part / parts..<ids.count * (part + 1) / parts
            let result = Result { try Interruption.$current.withValue(interruption) { try read(ids[range]) } }
            found.withLock { sum in
                sum = sum.flatMap { sum in result.map { (sum.count + $0.count, sum.hash &+ $0.hash) } }
            }
        }
        return try found.withLock { $0 }.get()
    }

    private func read(_ ids: ArraySlice<StoredValue>, _ collection: String, _ transaction: ReadTransaction) throws -> (count: Int, hash: Int) {
        let documents = transaction.documents(collection)
        let dates = try documents.dates()
        var (count, hash) = (0, 0)
        for start in stride(from: ids.startIndex, to: ids.endIndex, by: Self.batchSize) {
            let batch = ids[start..<min(start + Self.batchSize, ids.endIndex)].compactMap { if case .objectID(let id) = $0 { id } else { nil } }
            for document in try documents.fetch(ids: batch) {
                count += 1
                var value = document.value
                // The store has put them in.
                for name in [dates.creation, dates.modification] { if let name { value.remove(at: DocumentPath([.name(name)])) } }
                hash &+= value.hashValue
            }
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
