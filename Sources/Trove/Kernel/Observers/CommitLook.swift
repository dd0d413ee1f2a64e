import TroveBackendKit

/// Finds out whether a store was committed to since the look before, by whomever.
///
/// Where several processes may have the store, most looks are two questions about its files. Otherwise, or when these have changed, the engine's stamp decides.
package struct CommitLook: Sendable {
    private let backend: any StorageBackend
    /// Whether a file that was not written tells that nobody has committed. An engine that has the store alone may write it as late as it likes.
    private let trustsFiles: Bool
    /// The stamps of the files before the last look read the state; nil where the next commit may leave them as they are.
    private var files: StoreStamp?
    /// The state that the last look found; nil where the engine did not tell.
    private(set) var state: StateStamp?

    init(_ backend: any StorageBackend) {
        self.backend = backend
        trustsFiles = backend.capabilities.sharing != .oneProcess
    }

    /// Whether there may have been a commit since the last look; true the first time. Where the engine gives no stamp it is
    /// unless files that are trusted are as they were.
    ///
    /// - Throws: what reading throws; the next look finds then what this one was to find.
    package mutating func hasNews() throws -> Bool {
        let found = StoreStamp(ofStoreAt: backend.path)
        if trustsFiles, files == found { return false }
        var now: StateStamp?
        try backend.read { (reader: any StorageReader) throws -> Void in now = reader.stateStamp }
        // Without a stamp nobody knows, where the files tell nothing.
        let isSame = now != nil && now == state
        state = now
        files = found.hasFile && found.isSettled ? found : nil
        return !isSame
    }
}
