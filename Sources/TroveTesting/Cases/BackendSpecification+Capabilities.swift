import Foundation
import Synchronization
import TroveStorage

extension BackendSpecification {
    /// Capabilities are truths: they are checked against what the engine does.
    static let capabilities: [SpecificationCase] = [
        SpecificationCase("capabilities.limits", "The limits are at least those every engine has, and every level of durability has a promise.") { run in
            let capabilities = try run.open().capabilities
            try run.check(
                !capabilities.engine.isEmpty && !capabilities.engineVersion.isEmpty, "an engine's name and version",
                found: "'\(capabilities.engine)' and '\(capabilities.engineVersion)'")
            try run.check(capabilities.maxKeySize >= StorageLimits.maxKeySize, "keys of \(StorageLimits.maxKeySize) bytes", found: "\(capabilities.maxKeySize)")
            try run.check(
                capabilities.maxValueSize >= StorageLimits.maxValueSize, "values of \(StorageLimits.maxValueSize) bytes", found: "\(capabilities.maxValueSize)")
            try run.check(
                capabilities.maxKeyspaces >= StorageLimits.minKeyspaces, "\(StorageLimits.minKeyspaces) keyspaces", found: "\(capabilities.maxKeyspaces)")
            for level in Durability.allCases {
                try run.check(capabilities.promises[level] != nil, "a promise for level \(level)", found: "\(capabilities.promises)")
            }
        },
        SpecificationCase(
            "capabilities.promises", "A higher level of durability promises no less than a lower one, and only a store without files promises nothing."
        ) { run in
            let promises = try run.open().capabilities.promises
            let levels = Durability.allCases.sorted().compactMap { promises[$0] }
            try run.check(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 }, "promises that rise with the level", found: "\(promises)")
            if run.factory.isPersistent {
                try run.check(levels.allSatisfy { $0 >= .cleanClose }, "every level to survive a clean close", found: "\(promises)")
            } else {
                try run.check(levels.allSatisfy { $0 == .nothing }, "no promise without files", found: "\(promises)")
            }
        },
        SpecificationCase("capabilities.readers-proceed", "Where readers proceed during a write, a read begins and ends while a write body runs.") { run in
            let store = try run.open()
            guard store.capabilities.readersDuringWrite == .proceed else { return }
            try store.fill(.numbered(0..<10))
            let done = run.signal("a read beside a running write to end")
            let reader: Worker = try store.writing { writer, data in
                for number in 0..<5_000 { try writer.put(.number(number), .pattern(100, seed: 9), in: data) }
                let reader = run.worker {
                    try run.equal(try store.entries() ?? [], .numbered(0..<10), "the contents beside the write")
                    done.raise()
                }
                try done.wait()
                return reader
            }
            try reader.join()
        },
        SpecificationCase("capabilities.stable", "The capabilities are the same before and after use, and name the engine that errors name.") { run in
            let store = try run.open()
            let before = store.capabilities
            try store.fill(.numbered(0..<10))
            try run.equal(store.capabilities, before, "the capabilities after a write")
            try store.close()
            do { try store.read { _ in } } catch let error as StorageError {
                try run.equal(error.details.engine, before.engine, "the engine's name in an error")
                try run.equal(error.details.path, store.path, "the path in an error")
            }
        },
        SpecificationCase("capabilities.path", "The path leads to the store's file; a store without files leaves none.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<10), durability: .durable)
            try run.check(!store.path.isEmpty, "a path", found: "an empty text")
            try run.equal(
                FileManager.default.fileExists(atPath: run.path()), run.factory.kind == .files, "whether there is a file at the path given")
            if run.factory.kind == .files {
                try run.check(FileManager.default.fileExists(atPath: store.path), "a file at the store's path", found: store.path)
            }
        },
        SpecificationCase("capabilities.details", "Errors say the same on every way in: the engine, the path and what to do.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                do { try writer.put([], [1], in: data) } catch let error as StorageError {
                    try run.equal(error.details.engine, store.capabilities.engine, "the engine's name")
                    try run.equal(error.details.path, store.path, "the path")
                    try run.check(error.description.contains(error.name), "the description to name the error", found: error.description)
                    try run.check(!error.isRetryable && !error.suspectsCorruption, "an empty key to be neither retryable nor corruption")
                }
            }
        },

        SpecificationCase("capabilities.readers-wait", "Where readers wait for the commit, a read begun during a write ends after it and sees it.") { run in
            let store = try run.open()
            guard store.capabilities.readersDuringWrite == .waitForCommit else { return }
            try store.fill([Entry([1], [1])])
            let isRead = Mutex(false)
            let reader: Worker = try store.writing { writer, data in
                try writer.put([1], [2], in: data)
                let started = run.signal("the reader to start")
                let reader = run.worker {
                    started.raise()
                    try run.equal(try store.entries() ?? [], [Entry([1], [2])], "the contents in a read begun during the write")
                    isRead.withLock { $0 = true }
                }
                try started.wait()
                run.pause(0.5)
                try run.check(!isRead.withLock { $0 }, "the read to wait for the commit", found: "it ended during the write")
                return reader
            }
            try reader.join()
            try run.check(isRead.withLock { $0 }, "the read to end after the commit", found: "it has not ended")
        },
    ]
}
