import Synchronization
import TroveBackendKit
import TroveStorage

/// What is left of a store whose environment had to be closed and whose file could not be opened again: enough to try it once more.
struct LostEnvironment {
    /// Keeps other processes from replacing the file meanwhile.
    let fileGuard: StoreGuard
    let access: Environment.Access
    /// How much of the file was checked.
    let checked: CheckedMark.Extent
    /// Whether commits have been made that a power loss could undo.
    let hasUnsyncedCommits: Bool
    /// Why the file could not be opened.
    var failure: (any Error)?

    func synchronize(at path: String) throws {
        if hasUnsyncedCommits { try fileGuard.synchronize(at: path) }
    }
}

extension LMDBEngine {
    /// Opens the file whose environment was closed just now. When that fails, each later call of a backend tries it again.
    ///
    /// For a thread that has both gates alone.
    ///
    /// - Parameter fileGuard: the lock on the file, which may have replaced the one of `closed`. It is shared afterwards.
    func openAgain(_ closed: Environment, fileGuard: StoreGuard, mapSize: Int) throws {
        let isSynchronized = fileGuard !== closed.fileGuard || !closed.hasUnsyncedCommits.load(ordering: .acquiring)
        let lost = LostEnvironment(fileGuard: fileGuard, access: closed.access, checked: closed.checkedExtent, hasUnsyncedCommits: !isSynchronized)
        try open(lost, mapSize: mapSize)
    }

    /// Opens the file if an earlier call could not.
    ///
    /// - Throws: why it cannot be opened.
    func openIfLost(timeout: Duration) throws {
        guard isLost.load(ordering: .acquiring) else { return }
        try alone(until: Deadline(timeout), for: "opening the store again") {
            guard let lost else { return }
            // LMDB would make a file where there is none.
            guard lost.fileGuard.isOf(path) else { throw lost.failure ?? errors.closed }
            // The file may have come to its place just before the failure.
            if lost.access == .writing { try StoreFile.synchronizeDirectory(of: path, engine: LMDBErrors.engine) }
            try open(lost, mapSize: options.mapSize)
        }
    }

    private func open(_ lost: LostEnvironment, mapSize: Int?) throws {
        defer { lost.fileGuard.share() }
        do {
            let environment = try Environment.open(
                path: path, fileGuard: lost.fileGuard, access: lost.access, mapSize: mapSize, options: options, errors: errors, checked: lost.checked)
            if lost.hasUnsyncedCommits { environment.hasUnsyncedCommits.store(true, ordering: .releasing) }
            replaceEnvironment(by: environment)
        } catch {
            var lost = lost
            lost.failure = error
            replaceEnvironment(by: nil, lost: lost)
            throw error
        }
    }
}
