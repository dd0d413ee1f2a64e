import Synchronization

/// The objects of a context by their keys: one instance for each record, held weakly, and the ones met last, held strongly.
///
/// It has a lock of its own, which is held for a few instructions and never while anything else is called, so that objects can be made inside of an
/// engine's read without taking the lock of the context.
final class IdentityMap: Sendable {
    /// A weak reference, and where the object was put among the recent ones.
    private struct Entry {
        var key: ObjectKey
        weak var object: (any LiveModel)?
        var recentPlace: Int
    }

    private struct State {
        /// Where the entries are: a copy of an entry, which a dictionary of them would hand out, costs as much as all the rest.
        var places: [ObjectKey: Int] = [:]
        var entries: [Entry] = []
        /// Places in `entries` that can be taken.
        var free: [Int] = []
        var recent: RecentObjects
        /// How many entries there may be before those of objects that are gone are cleared away.
        var limit = IdentityMap.leastLimit

        /// Forgets an entry.
        mutating func remove(at place: Int) {
            places[entries[place].key] = nil
            entries[place].object = nil
            free.append(place)
        }
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
            guard let place = state.places[key], let object = state.entries[place].object else { return (nil, nil) }
            if state.recent.touch(object, at: state.entries[place].recentPlace) { return (object, nil) }
            let (recentPlace, evicted) = state.recent.add(object)
            state.entries[place].recentPlace = recentPlace
            return (object, evicted)
        }
        return found
    }

    /// The object with this key, when it is in memory, without making it one of the recent ones.
    func peek(_ key: ObjectKey) -> (any LiveModel)? {
        state.withLock { state in state.places[key].flatMap { state.entries[$0].object } }
    }

    /// Whether there is an object with this key in memory.
    func contains(_ key: ObjectKey) -> Bool {
        peek(key) != nil
    }

    /// Puts an object in, unless there is one with its key already, and returns the one that is there.
    func insert(_ object: any LiveModel, _ key: ObjectKey) -> any LiveModel {
        let (present, _, _) = state.withLock { state -> (any LiveModel, (any LiveModel)?, [any LiveModel]) in
            let known = state.places[key]
            if let known, let present = state.entries[known].object { return (present, nil, []) }
            let (recentPlace, evicted) = state.recent.add(object)
            let isFull = known == nil && state.free.isEmpty && state.entries.count >= state.limit
            // What is met on the way may be let go of by its last owner meanwhile; it ends outside of the lock, as what is evicted does.
            let met = isFull ? Self.clear(&state) : []
            if let place = known ?? state.free.popLast() {
                state.entries[place].key = key
                state.entries[place].object = object
                state.entries[place].recentPlace = recentPlace
                if known == nil { state.places[key] = place }
            } else {
                state.places[key] = state.entries.count
                state.entries.append(Entry(key: key, object: object, recentPlace: recentPlace))
            }
            return (object, evicted, met)
        }
        return present
    }

    /// Takes an object out, so that its key is free.
    func remove(_ object: any LiveModel, _ key: ObjectKey) {
        let held = state.withLock { state -> (any LiveModel)? in
            guard let place = state.places[key] else { return nil }
            // Another object of the key may have lost its last owner meanwhile: like all that is let go of, it ends outside of the lock.
            if let present = state.entries[place].object, present !== object { return present }
            state.remove(at: place)
            return state.recent.remove(object, at: state.entries[place].recentPlace)
        }
        withExtendedLifetime(held) {}
    }

    /// All objects in memory.
    var objects: [any LiveModel] {
        state.withLock { state in state.entries.compactMap(\.object) }
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
            let held = state.recent.removeAll()
            state.places = [:]
            state.entries = []
            state.free = []
            state.limit = Self.leastLimit
            return held
        }
        withExtendedLifetime(held) {}
    }

    /// Makes room where objects are gone, and returns those that are not. As the limit is twice what is left, each insertion pays for a constant
    /// number of entries.
    private static func clear(_ state: inout State) -> [any LiveModel] {
        var met: [any LiveModel] = []
        for place in state.entries.indices {
            if let object = state.entries[place].object {
                met.append(object)
            } else if state.places[state.entries[place].key] == place {
                // Those that are free already have no key of their own any more.
                state.remove(at: place)
            }
        }
        state.limit = max(leastLimit, 2 * state.places.count)
        return met
    }
}

/// What a context knows an object by: its model and the bytes of its id.
///
/// Up to 16 bytes, which most ids have, are kept in place, so that looking an object up allocates nothing.
struct ObjectKey: Hashable, Sendable {
    private static let inlineSize = 16

    let model: ObjectIdentifier
    private let count: Int
    private let first: UInt64
    private let second: UInt64
    /// The bytes behind the first 16; nil when there are none.
    private let rest: [UInt8]?

    init(_ model: ObjectIdentifier, _ bytes: UnsafeRawBufferPointer) {
        var words = (UInt64(0), UInt64(0))
        let inline = min(bytes.count, Self.inlineSize)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<inline])) }
        self.model = model
        count = bytes.count
        (first, second) = words
        rest = bytes.count > inline ? [UInt8](bytes[inline...]) : nil
    }

    init(_ model: ObjectIdentifier, _ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ObjectKey(model, $0) }
    }

    /// The words are mixed by one product before the hasher sees them, which takes half the time of hashing each.
    func hash(into hasher: inout Hasher) {
        let salt = UInt64(UInt(bitPattern: model)) ^ UInt64(truncatingIfNeeded: count)
        let product = (first ^ 0x9E37_79B9_7F4A_7C15 ^ salt).multipliedFullWidth(by: second ^ 0xD1B5_4A32_D192_ED03)
        hasher.combine(product.high ^ product.low ^ first.byteSwapped)
        if let rest { hasher.combine(rest) }
    }

    /// The id's bytes, ``StorableKey/keyBytes``.
    var bytes: [UInt8] {
        let start = withUnsafeBytes(of: (first, second)) { [UInt8]($0[..<min(count, Self.inlineSize)]) }
        return rest.map { start + $0 } ?? start
    }
}

/// A bounded number of objects held strongly: those met last, by the clock rule (Corbató 1968).
///
/// A hand goes round the places; an object that was met again since the hand passed it last is passed over once more.
struct RecentObjects {
    private struct Place {
        var object: (any LiveModel)?
        var wasMet: Bool
    }

    private let capacity: Int
    private var places: [Place] = []
    private var hand = 0

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// Notes that an object was met again; false when it is not at this place any more.
    mutating func touch(_ object: any LiveModel, at place: Int) -> Bool {
        if capacity == 0 { return true }
        guard place < places.count, places[place].object === object else { return false }
        places[place].wasMet = true
        return true
    }

    /// Adds an object, and returns its place and the object that had to give way.
    mutating func add(_ object: any LiveModel) -> (place: Int, evicted: (any LiveModel)?) {
        guard capacity > 0 else { return (0, nil) }
        if places.count < capacity {
            places.append(Place(object: object, wasMet: false))
            return (places.count - 1, nil)
        }
        while places[hand].wasMet {
            places[hand].wasMet = false
            hand = (hand + 1) % capacity
        }
        let place = hand
        hand = (hand + 1) % capacity
        let evicted = places[place].object
        places[place] = Place(object: object, wasMet: false)
        return (place, evicted)
    }

    /// Lets go of an object that may be at this place, and returns it.
    mutating func remove(_ object: any LiveModel, at place: Int) -> (any LiveModel)? {
        guard place < places.count, places[place].object === object else { return nil }
        places[place] = Place(object: nil, wasMet: false)
        return object
    }

    /// Lets go of all objects and returns them.
    mutating func removeAll() -> [any LiveModel] {
        let objects = places.compactMap(\.object)
        places.removeAll()
        hand = 0
        return objects
    }
}
