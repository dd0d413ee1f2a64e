import ArgumentParser
import Foundation
import Synchronization
import Trove

/// How a command changes objects, and shows what it changed.
struct ChangeOptions: ParsableArguments {
    @OptionGroup var permission: WriteFlag
    @Flag(help: "Show what would change, with what rules take along; change nothing. It needs no --write.")
    var dryRun = false
    @OptionGroup var output: OutputOptions

    /// Thrown to take back what was only tried.
    private struct DryRun: Error {}

    /// - Throws: ``CommandError/needsWrite(command:)`` without permission.
    func check(_ command: String) throws {
        if !dryRun { try permission.check(command) }
    }

    /// Calls `body` in a transaction of the store, and shows a row for each object that it changed, whatever did that.
    ///
    /// - Throws: ``CommandError/needsWrite(command:)`` without permission; ``ExitStatus/negative`` when nothing changed.
    func change(_ argument: StoreArgument, command: String, on output: Output, _ body: (WriteTransaction, StoreModels) throws -> Void) throws {
        try check(command)
        let rows = try argument.change { store in
            let recorder = ChangeRecorder()
            store.delegate = recorder
            defer { store.delegate = nil }
            var rows: [[StoredValue?]] = []
            do {
                try store.write { transaction in
                    recorder.removeAll()
                    let models = try StoreModels(transaction)
                    // What follows from the changes is done when it ends.
                    try transaction.savepoint { try body(transaction, models) }
                    rows = try recorder.rows(models)
                    if dryRun { throw DryRun() }
                }
            } catch is DryRun {}
            return rows
        }
        if rows.isEmpty { throw ExitStatus.negative }
        let sheet = self.output.sheet(["change", "model", "id"].map { Column($0, isData: $0 == "id") }, on: output)
        for row in rows { try sheet.add(row) }
        try sheet.finish()
    }
}

/// Takes down which objects a transaction changes.
private final class ChangeRecorder: StoreDelegate {
    private let changes = Mutex<[ObjectChange]>([])

    func didChange(_ change: ObjectChange) { changes.withLock { $0.append(change) } }

    func removeAll() { changes.withLock { $0.removeAll() } }

    /// What became of each object, in the order in which they were first changed.
    func rows(_ models: StoreModels) throws -> [[StoredValue?]] {
        var order: [AnyReference] = []
        var ends: [AnyReference: (first: ObjectChange, last: ObjectChange)] = [:]
        for change in changes.withLock({ $0 }) {
            if let known = ends[change.reference] {
                ends[change.reference] = (known.first, change)
            } else {
                order.append(change.reference)
                ends[change.reference] = (change, change)
            }
        }
        return try order.compactMap { reference in
            guard let (first, last) = ends[reference], let word = Self.word(first, last) else { return nil }
            return [.string(word), .string(reference.modelName == Self.bags ? "a bag" : reference.modelName), try Self.id(of: reference, models)]
        }
    }

    private static let bags = "$bags"

    /// What became of an object; nil when it is as it was.
    private static func word(_ first: ObjectChange, _ last: ObjectChange) -> String? {
        switch (first.kind == .insertion, last.kind == .deletion) {
        case (true, true): nil
        case (true, false): "inserted"
        case (false, true): "deleted"
        case (false, false): first.oldRecord == last.newRecord ? nil : "changed"
        }
    }

    private static func id(of reference: AnyReference, _ models: StoreModels) throws -> StoredValue {
        guard let model = models.all.first(where: { $0.name == reference.modelName }) else { return .data(Data(reference.keyBytes)) }
        return try model.ids.value(of: reference.keyBytes)
    }
}
