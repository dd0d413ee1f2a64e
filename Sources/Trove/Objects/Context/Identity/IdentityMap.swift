import Synchronization

/// The objects of a context by their keys: one instance for each record, held weakly, and the ones met last, held strongly.
///
/// It has a lock of its own, which is held for a few instructions and never while anything else is called, so that objects can be made inside of an
/// engine's read without taking the lock of the context.
final class IdentityMap: Sendable {
    /// A weak reference, and where the object was put among the recent ones.
    private struct Entry {
        weak var object: (any LiveModel)?
        var slot: Int
    }

    private struct State {
        var entries: [ObjectKey: Entry] = [:]
        var recent: RecentObjects
        /// How many entries there may be before those of objects that are gone are cleared away.
        var limit = IdentityMap.leastLimit
    }

    private static let leastLimit = 1_024

    private let state: Mutex<State>

    /// - Parameter recentCount: how many objects are held strongly.
    init(recentCount: Int) {
        state = Mutex(State(recent: RecentObjects(capacity: recentCount)))
    }

    /// The object with this key, when it is in memory.
    func object(_ key: ObjectKey) -> (any LiveModel)? {
        // What the cache lets go of ends outside of the lock: its deinit is the application's.
        let (found, _) = state.withLock { state -> ((any LiveModel)?, (any LiveModel)?) in
            guard let entry = state.entries[key], let object = entry.object else { return (nil, nil) }
            if state.recent.touch(object, at: entry.slot) { return (object, nil) }
            let (slot, evicted) = state.recent.add(object)
            if slot != entry.slot { state.entries[key]?.slot = slot }
            return (object, evicted)
        }
        return found
    }

    /// The object with this key, when it is in memory, without making it one of the recent ones.
    func peek(_ key: ObjectKey) -> (any LiveModel)? {
        state.withLock { $0.entries[key]?.object }
    }

    /// Whether there is an object with this key in memory.
    func contains(_ key: ObjectKey) -> Bool {
        state.withLock { $0.entries[key]?.object != nil }
    }

    /// Puts an object in, unless there is one with its key already, and returns the one that is there.
    func insert(_ object: any LiveModel, _ key: ObjectKey) -> any LiveModel {
        let (present, _) = state.withLock { state -> (any LiveModel, (any LiveModel)?) in
            if let entry = state.entries[key], let present = entry.object { return (present, nil) }
            let (slot, evicted) = state.recent.add(object)
            state.entries[key] = Entry(object: object, slot: slot)
            if state.entries.count > state.limit { Self.clear(&state) }
            return (object, evicted)
        }
        return present
    }

    /// Takes an object out, so that its key is free.
    func remove(_ object: any LiveModel, _ key: ObjectKey) {
        let held = state.withLock { state -> (any LiveModel)? in
            guard let entry = state.entries[key] else { return nil }
            if let present = entry.object, present !== object { return nil }
            state.entries[key] = nil
            return state.recent.remove(object, at: entry.slot)
        }
        withExtendedLifetime(held) {}
    }

    /// All objects in memory.
    var objects: [any LiveModel] {
        state.withLock { state in state.entries.values.compactMap(\.object) }
    }

    /// The number of entries, those of objects that are gone included.
    var entryCount: Int { state.withLock { $0.entries.count } }

    /// Lets go of the objects that are held only because they were met last.
    func forgetRecent() {
        let held = state.withLock { $0.recent.removeAll() }
        withExtendedLifetime(held) {}
    }

    /// Forgets all objects.
    func removeAll() {
        let held = state.withLock { state in
            let held = (state.entries, state.recent.removeAll())
            state.entries = [:]
            state.limit = Self.leastLimit
            return held
        }
        withExtendedLifetime(held) {}
    }

    /// Clears away the entries of objects that are gone. As the limit doubles with what is left, each insertion pays for a constant number of entries.
    private static func clear(_ state: inout State) {
        state.entries = state.entries.filter { $0.value.object != nil }
        state.limit = max(leastLimit, 2 * state.entries.count)
    }
}
