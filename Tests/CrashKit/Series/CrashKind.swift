/// What befalls the process.
package enum CrashKind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// It is killed; what it has written is in the system's cache and stays.
    case kill
    /// The machine loses power; what was not synced is there or not.
    case powerLoss = "power loss"

    package var description: String { rawValue }
}
