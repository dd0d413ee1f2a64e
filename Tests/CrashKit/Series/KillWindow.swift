/// When in its life a process ends.
package enum KillWindow: String, CaseIterable, Sendable, CustomStringConvertible {
    /// At a random moment while it writes.
    case moment
    /// At a system call that changes or syncs a file, while it writes: inside commits, checkpoints and growth of the map.
    case call
    /// Between two storage operations, while it writes: between record and index entry, between the savepoints of a group, before and after the commit.
    case operation
    /// At a system call of opening the store: making a new one, or recovering after the crash before.
    case opening
    /// At a system call of `compact`.
    case compaction
    /// At a system call of `backUp`.
    case backup
    /// At a system call of copying the store into another one of the same engine.
    case copy
    /// At a system call of `synchronize`, or right after it.
    case synchronization
    /// At a system call of `close`, or right after it.
    case closing

    package var description: String { rawValue }
}
