import Foundation
import Synchronization
import Trove
import TroveBackendKit

/// Tells that a side of a mirror may have changed: from the store's commits in this process, from what the system says of the
/// directory, and from looks at the store's file.
final class MirrorSignal: Sendable {
    private let mirror: StoreMirror
    private let wakeUp = WakeUp(isDue: false)
    private let watched = Mutex<Set<String>>([])
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let directory: DirectoryWatch?

    /// A pause between looks that leaves the processor to others.
    static let leastInterval = Duration.milliseconds(10)

    /// Begins to wait, on a thread of the mirror: reading the store may wait for its files.
    static func begin(_ mirror: StoreMirror, _ interval: Duration) async -> MirrorSignal {
        await withCheckedContinuation { continuation in mirror.queue.async { continuation.resume(returning: MirrorSignal(mirror, interval)) } }
    }

    private init(_ mirror: StoreMirror, _ interval: Duration) {
        self.mirror = mirror
        directory = DirectoryWatch(mirror.directory) { [wakeUp] in wakeUp.note() }
        watchModels()
        // What is at first is noted before the first run, not when the task begins.
        var look = mirror.store.commitLook()
        _ = try? look.hasNews()
        let looks = Task { [weak self, first = look] in
            var look = first
            while true {
                do { try await Task.sleep(for: max(interval, Self.leastInterval).withinACentury) } catch { return }
                guard let self else { return }
                look = await self.look(look)
            }
        }
        tasks.withLock { $0.append(looks) }
    }

    /// Looks at the store and for new folders and models, on a thread of the mirror; returns what the next look begins with.
    private func look(_ last: CommitLook) async -> CommitLook {
        await withCheckedContinuation { continuation in
            mirror.queue.async {
                var look = last
                // Who reads the store finds out why it cannot be looked at.
                let hasNews = (try? look.hasNews()) ?? true
                // Where the system tells nothing of the directory, every look is one at all files.
                if hasNews || self.directory?.update() != true { self.note() }
                self.watchModels()
                continuation.resume(returning: look)
            }
        }
    }

    /// Waits for the commits of each model that is not waited for yet.
    private func watchModels() {
        guard let names = try? mirror.store.layouts().mirroredNames else { return }
        for name in names.subtracting(watched.withLock { $0 }) {
            // A model that tells nothing of its commits is asked again with the next look.
            guard let signal = try? mirror.store.commitSignal(of: name) else { continue }
            watched.withLock { _ = $0.insert(name) }
            let task = Task { [weak self] in
                while true {
                    do { try await signal.next() } catch { return }
                    guard let self else { return }
                    self.note()
                }
            }
            tasks.withLock { $0.append(task) }
        }
    }

    private func note() { wakeUp.note() }

    /// Returns when something may have changed since it returned last.
    ///
    /// - Throws: `CancellationError`.
    func next() async throws {
        try await wakeUp.next()
        // Also the folders that come with what is read now.
        _ = directory?.update()
    }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }
}
