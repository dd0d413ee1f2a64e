import ArgumentParser
import Trove
import TroveStoreTools

/// Whether a command goes on where a record cannot be read.
struct DamageOptions: ParsableArguments {
    @Flag(help: "Pass over what cannot be read; each record is told, and the status is 4.")
    var skipDamaged = false

    /// Calls `body` with a view of the store, without its damaged records where that was asked for; tells of each, and returns how many there were.
    ///
    /// - Parameter body: gets what tells of a lazy value that is damaged, of a record that can be read; nil where nothing is passed over.
    func read<Result>(_ store: ObjectStore, _ body: (ReadTransaction, DamagedRecords?) throws -> Result) throws -> (result: Result, damaged: Int) {
        guard skipDamaged else { return (try store.read { try body($0, nil) }, 0) }
        let damaged = DamagedRecords(try StoreModels(store))
        let result = try store.read(passingOver: damaged.passOver) { try body($0, damaged) }
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

    func tell(_ record: DamagedRecord, _ fate: String) { tell(record.error, fate) }

    private func tell(_ error: any Error, _ fate: String) {
        count += 1
        Output.tell("\(fate): \(CommandAdvice.description(of: models?.naming(error) ?? error))")
    }

    /// Reads the values of a record; nil where one is damaged, which is told.
    static func reading<Result>(passingOver damaged: DamagedRecords?, _ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as TroveError {
            // In one view of the store a lazy value that is gone is damage too.
            let isGone = if case .lazyValueGone = error { true } else { false }
            guard let damaged, isGone || ExitStatus(error) == .damage else { throw error }
            damaged.tell(error, "passed over")
            return nil
        }
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
