import Foundation
import TestSupport
import Trove
import TroveTesting

extension FaultOperation {
    /// What is done to a store as a whole.
    static let wholeStore: [FaultOperation] = [
        FaultOperation("copy from a store", commits: false) { trial in
            let store = try open(trial.backend)
            return {
                let target = MemoryBackend()
                try store.copy(to: target)
                try expectCopy(of: store, in: target)
            }
        },
        // The store of the trial is the target.
        FaultOperation("copy to a store", isAtomic: false, prepare: { _ in }, state: completeCopies, open: openCopyOrNothing) { trial in
            let source = MemoryBackend()
            try fill(source)
            let store = try open(source)
            return { try store.copy(to: trial.backend) }
        },
        FaultOperation("compaction", commits: false) { trial in
            let store = try open(trial.backend)
            try store.deleteAll(FaultSong.self)
            return { try store.compact() }
        },
        FaultOperation("synchronization", commits: false) { trial in
            let store = try open(trial.backend)
            return { try store.synchronize() }
        },
        FaultOperation("backup", commits: false, engines: Engine.persistent) { trial in
            let store = try open(trial.backend)
            let reference = try open(trial.engineBackend)
            return {
                // A backup that fails leaves nothing behind, so the next one can have its name.
                try store.backUp(to: trial.file("backup"))
                let backup = try trial.engine.open(trial.file("backup"))
                try expectCopy(of: reference, in: backup)
                try backup.close()
            }
        },
    ]

    private struct DifferentCopy: Error {}

    private static func expectCopy(of store: ObjectStore, in target: any StorageBackend) throws {
        let copy = try open(target)
        guard try copy.fetch(FaultSong.self).all() == store.fetch(FaultSong.self).all(), try copy.verify().isSound else { throw DifferentCopy() }
    }

    /// A target that does not open as a store counts as one without a copy.
    @Sendable private static func completeCopies(_ backend: any StorageBackend) throws -> [String] {
        guard try !StoredEntries(of: backend).isEmpty else { return [] }
        do {
            return try records(backend)
        } catch TroveError.incompleteCopy {
            return []
        }
    }

    @Sendable private static func openCopyOrNothing(_ backend: any StorageBackend) throws -> ObjectStore {
        do {
            return try open(backend)
        } catch TroveError.incompleteCopy {
            return try open(MemoryBackend())
        }
    }
}
