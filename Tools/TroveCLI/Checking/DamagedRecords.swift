import ArgumentParser
import Trove
import TroveStoreTools

/// Whether a command goes on where a record cannot be read.
struct DamageOptions: ParsableArguments {
    @Flag(help: "Pass over what cannot be read; each record is told, and the status is 4.")
    var skipDamaged = false

    /// Calls `body` with a view of the store, without its damaged records where that was asked for; tells of each, and returns how many there were.
    func read<Result>(_ store: ObjectStore, _ body: (ReadTransaction) throws -> Result) throws -> (result: Result, damaged: Int) {
        guard skipDamaged else { return (try store.read(body), 0) }
        let damaged = DamagedRecords(try StoreModels(store))
        let result = try store.read(passingOver: damaged.passOver, body)
        return (result, damaged.count)
    }
}

/// Tells of records that cannot be read.
final class DamagedRecords {
    private(set) var count = 0
    /// Those of the store; nil when they cannot be read.
    private let models: StoreModels?

    init(_ models: StoreModels?) { self.models = models }

    func passOver(_ record: DamagedRecord) { tell(record, "passed over") }

    func tell(_ record: DamagedRecord, _ fate: String) {
        count += 1
        Output.tell("\(fate): \(CommandAdvice.description(of: models?.naming(record.error) ?? record.error))")
    }
}

extension StoreModels {
    /// An error with the id that commands take, where it is about a record and has the bytes of its key.
    func naming(_ error: any Error) -> any Error {
        guard case TroveError.corruptRecord(let name, let id, let reason) = error, let shown = shownID(of: StoredModel.bytes(of: id), name) else {
            return error
        }
        return TroveError.corruptRecord(model: name, id: shown, reason: reason)
    }

    /// The key of a record as commands take it; nil when it is none.
    func shownID(of key: [UInt8]?, _ modelName: String) -> String? {
        guard let key, let model = all.first(where: { $0.name == modelName }) else { return nil }
        return model.shownID(of: key)
    }
}

extension OpenStore {
    /// Calls `body` with the store; errors about a record have its id as commands take it.
    func naming<Result>(_ body: (OpenStore) throws -> Result) throws -> Result {
        do {
            return try body(self)
        } catch let error as TroveError {
            guard case .corruptRecord = error, let models = try? StoreModels(store) else { throw error }
            throw models.naming(error)
        }
    }
}
