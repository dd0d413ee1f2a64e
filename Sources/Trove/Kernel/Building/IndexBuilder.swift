import Synchronization

/// How many records of an index are built in one transaction.
struct BatchSize {
    /// The next batch's number.
    private(set) var records: Int
    private let range: ClosedRange<Int>
    private let longestHold: Duration?

    /// Many, while nobody waits: larger batches write their entries in fewer sorted runs.
    static let alone = BatchSize(records: 200_000, range: 200_000...200_000, longestHold: nil)

    /// As many as keep other writers from the store for up to half a second, commit and sync included. How many those are depends on the engine
    /// and the disk: one that syncs ten times slower would otherwise let others wait ten times as long.
    static let besideOthers = BatchSize(records: 1_000, range: 100...10_000, longestHold: .milliseconds(500))

    /// Takes into account how long the batch had the store.
    mutating func adjust(afterHolding time: Duration) {
        guard let longestHold else { return }
        if time > longestHold {
            records = max(range.lowerBound, records / 2)
        } else if time < longestHold / 4 {
            records = min(range.upperBound, records * 2)
        }
    }
}

/// Builds the indexes of a store that are not ready and removes those that are no longer wanted, in batches of a transaction each.
///
/// How far each index is stands in the catalogue and is read anew in each batch. So building goes on where it broke off, other writes have their
/// turn between batches, and two programs that build at once only share the work.
struct IndexBuilder {
    let core: StoreCore
    let durability: Durability
    let batches: BatchSize
    /// The numbers of the indexes to build; nil for all. What is no longer wanted is removed in any case.
    var only: Set<Int>?
    /// Whether to stop after the batch that runs.
    let isCancelled: @Sendable () -> Bool

    /// - Parameter done: how many records have been done already, of which `progress` is told at the beginning.
    /// - Throws: what `progress` throws; `CancellationError`; what reading a damaged record throws; and, when the other indexes are built,
    ///   ``TroveError/uniqueViolation(model:index:values:id:otherID:)`` of the first unique index that cannot be, which is left where it was;
    ///   ``TroveError/tooManyPaths(collection:path:limit:)`` likewise, of a collection's. A unique index that was made at run time and has never been ready is
    ///   given up then, so that it keeps no program from opening the store; its violation is thrown to who asked for just that one.
    func run(after done: Int = 0, _ progress: (StoreProgress) throws -> Void) throws {
        let total = try core.read { try $0.recordsOfUnbuiltIndexes(only) }
        var completed = done
        if done > 0 { try progress(StoreProgress(completed: done, total: max(total, done))) }
        var unbuildable: [UnbuildableIndex] = []
        var batches = batches
        let clock = ContinuousClock()
        while true {
            let excluded = Set(unbuildable.map(\.number))
            // What is done when the task is cancelled is not taken for broken off.
            if isCancelled(), try core.read({ try $0.indexTable.isUnfinished(only, except: excluded) }) { throw CancellationError() }
            do {
                var begun = clock.now
                let step = try core.write(durability) {
                    begun = clock.now
                    return try $0.buildIndexes(only, batchSize: batches.records, except: excluded)
                }
                guard let step else { break }
                batches.adjust(afterHolding: clock.now - begun)
                completed += step
            } catch let index as UnbuildableIndex {
                let isGivenUp = try core.write(durability) { transaction in
                    // Before others see that it is gone.
                    core.indexCreations.note(index.violation, of: index.number)
                    return try transaction.giveUpIndex(index.number)
                }
                if !isGivenUp || only != nil { unbuildable.append(index) }
                continue
            }
            try progress(StoreProgress(completed: completed, total: max(total, completed)))
        }
        // That objects break a rule matters more than that an index is missing.
        if let first = unbuildable.first(where: { !$0.isOfPaths }) ?? unbuildable.first { throw first.violation }
    }
}

extension ReadTransaction {
    /// How many records the models have that have indexes to build; 0 when none have.
    ///
    /// - Parameter only: the numbers of the indexes that count; nil for all.
    fileprivate func recordsOfUnbuiltIndexes(_ only: Set<Int>?) throws -> Int {
        let models = Set(try indexTable.unbuilt(only).map(\.binding.modelName))
        return try models.reduce(0) { sum, name in
            guard let keyspace = try reader.keyspace(named: name) else { return sum }
            return try sum + reader.count(in: keyspace)
        }
    }
}

extension IndexTable {
    /// The indexes that the program can build, and after which record.
    ///
    /// - Parameter only: the numbers of those that are asked for; nil for all.
    func unbuilt(_ only: Set<Int>? = nil) -> [(binding: IndexBinding, position: [UInt8]?)] {
        entries.compactMap { entry in
            // Those of models that the program does not have are left to the programs that have them.
            guard case .building(let position) = entry.state, only?.contains(entry.number) ?? true, storedModel(named: entry.modelName) == nil,
                let binding = bindings(of: entry.modelName).first(where: { $0.number == entry.number })
            else { return nil }
            return (binding, position)
        }
    }

    /// Whether there is something to build, but for indexes of some numbers, or, where all are asked for, something to remove.
    fileprivate func isUnfinished(_ only: Set<Int>?, except excluded: Set<Int>) -> Bool {
        unbuilt(only).contains { !excluded.contains($0.binding.number) } || only == nil && entries.contains { $0.state == .dropping }
    }

    /// Whether there is something to build or to remove.
    var needsWork: Bool { !unbuilt().isEmpty || entries.contains { $0.state == .dropping } }
}

/// The indexes that are being created at run time, and why they cannot be built: whoever builds all indexes may find that out, and give one up, before the
/// builder of who creates it does.
final class IndexCreations: Sendable {
    /// By the index's number. Several threads may create the same one.
    private let state = Mutex<[Int: (creators: Int, violation: TroveError?)]>([:])

    func begin(_ number: Int) { state.withLock { $0[number, default: (0, nil)].creators += 1 } }

    func end(_ number: Int) {
        state.withLock { state in
            state[number]?.creators -= 1
            if state[number]?.creators == 0 { state[number] = nil }
        }
    }

    fileprivate func note(_ violation: TroveError, of number: Int) { state.withLock { $0[number]?.violation = violation } }

    /// Why an index could not be built; nil when no builder of this store has met a reason.
    func violation(of number: Int) -> TroveError? { state.withLock { $0[number]?.violation } }
}
