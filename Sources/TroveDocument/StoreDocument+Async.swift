import Foundation
import Trove
import TroveBackendKit

/// The asynchronous twins run on a thread of the document.
extension StoreDocument {
    /// Writes the document to its file.
    public func save(overwriting: Bool = false, verifying: Bool = true) async throws {
        try await run { try $0.save(overwriting: overwriting, verifying: verifying) }
    }

    /// Writes the document to a file at another place, which is the document's from now on.
    public func save(to url: URL, as engine: DocumentEngine? = nil, overwriting: Bool = false, verifying: Bool = true) async throws {
        try await run { try $0.save(to: url, as: engine, overwriting: overwriting, verifying: verifying) }
    }

    /// Writes a copy of the document to another file; the document stays where it is.
    public func exportCopy(to url: URL, as engine: DocumentEngine? = nil, overwriting: Bool = false, verifying: Bool = true) async throws {
        try await run { try $0.exportCopy(to: url, as: engine, overwriting: overwriting, verifying: verifying) }
    }

    /// Gives up what was not saved: the working copy becomes a copy of the file again.
    public func revert() async throws { try await run { try $0.revert() } }

    private func run(_ body: @escaping @Sendable (StoreDocument) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }
}

extension StoreDocument {
    /// Without it an interval of nothing would keep a thread busy.
    private static let leastInterval = Duration.milliseconds(10)

    /// Saves the document to its file now and then, whenever it has unsaved changes.
    ///
    /// It goes on until the document is closed or ``stopAutosaving()`` is called. A document without a file is not saved; its
    /// working copy has all its commits anyway.
    ///
    /// - Parameters:
    ///   - interval: the time between two looks, 10 milliseconds at least.
    ///   - failure: called with what a save throws, such as ``DocumentError/changedOutside(_:)``; the next look comes all the same.
    public func autosave(every interval: Duration, onFailure failure: @escaping @Sendable (any Error) -> Void) {
        let interval = max(interval, Self.leastInterval).withinACentury
        let task = Task { [weak self] in
            while true {
                do { try await Task.sleep(for: interval) } catch { return }
                guard let document = self else { return }
                guard document.url != nil, document.hasUnsavedChanges else { continue }
                // Asked last: what changes after `stopAutosaving` is not saved by a look that had begun before.
                if Task.isCancelled { return }
                do {
                    try await document.save()
                } catch DocumentError.closed {
                    return
                } catch {
                    failure(error)
                }
            }
        }
        let previous = state.withLock { state in
            defer { state.autosaving = task }
            return state.autosaving
        }
        previous?.cancel()
    }

    /// Ends what ``autosave(every:onFailure:)`` began. No save begins after it; one that has begun comes to its end.
    public func stopAutosaving() {
        state.withLock { state in
            defer { state.autosaving = nil }
            return state.autosaving
        }?.cancel()
    }
}
