import Synchronization

/// The named memory stores that are open, so that opening a name twice shares one.
enum MemoryRegistry {
    private struct Entry {
        let engine: MemoryEngine
        var users = 1
    }

    private static let entries = Mutex<[String: Entry]>([:])

    /// The engine of this name, made when none is open; every use is given up with ``release(_:)``.
    static func engine(named name: String) -> MemoryEngine {
        entries.withLock { entries in
            entries[name]?.users += 1
            if let entry = entries[name] { return entry.engine }
            let entry = Entry(engine: MemoryEngine(path: name))
            entries[name] = entry
            return entry.engine
        }
    }

    /// Gives up one use of the engine; returns whether it was the last one.
    static func release(_ engine: MemoryEngine) -> Bool {
        entries.withLock { entries in
            guard var entry = entries[engine.path], entry.engine === engine else { return true }
            entry.users -= 1
            entries[engine.path] = entry.users == 0 ? nil : entry
            return entry.users == 0
        }
    }
}
