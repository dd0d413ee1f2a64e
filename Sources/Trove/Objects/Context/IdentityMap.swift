import Synchronization

/// The objects of a context by their keys: one instance for each record, not kept by the map, and the ones met last, which it keeps.
///
/// It has a lock of its own, which is held for a few instructions and never while anything else is called, so that objects can be made inside of an
/// engine's read without taking the lock of the context.
///
/// An object's state knows its place in the map, and gives it back when the object ends; see ``forget(_:)``. So an object that is in the map is in the domain whose map it is.
final class IdentityMap: Sendable {
    /// The place of an object that is in no map.
    static let noPlace = UInt32.max

    /// A million objects have a million of these, so they are small, and what few keys have stands elsewhere.
    private struct Entry {
        let key: ObjectKey.Head
        let hash: UInt32
        var recentPlace: Int32
        /// The number of the object's class in `types`.
        let type: UInt16
        /// Whether the key leads here: it does not to an object that was found ending.
        var isReachable = true
        /// Whether the object comes from a read that began before the context's last save, and may be as its record was then. Until it is confirmed only reads find
        /// it, which bring it up to date at their end.
        var isProvisional = false
        /// nil for a place that can be taken.
        var object: ObjectHandle?
    }

    private struct State {
        /// Grows with each save, roll-back and refresh of the context: a read that was under way meanwhile has to look at its objects again.
        var epoch: UInt64 = 1
        var places = PlaceTable()
        var entries: [Entry] = []
        /// What keys have behind their heads, by the places of those that have something.
        var rests: [Int: [UInt8]] = [:]
        /// Places in `entries` that can be taken.
        var free: [UInt32] = []
        var recent: RecentObjects
        /// The classes of the objects.
        var types: [any LiveModel.Type] = []
        /// The positions of models in `types`.
        var typeNumbers: [ObjectIdentifier: UInt16] = [:]
        /// The model of the object that came last.
        var lastType: (model: ObjectIdentifier, number: UInt16)?

        func place(_ key: ObjectKey, _ hash: UInt32) -> Int? {
            places.place(hash) { isKey(key, of: $0) }
        }

        /// Whether the key of a place is this one.
        @inline(__always)
        func isKey(_ key: ObjectKey, of place: Int) -> Bool {
            entries[place].key == key.head && (key.rest == nil || rests[place] == key.rest)
        }

        /// The object at a place, unless it is ending or gone.
        func object(at place: Int) -> (any LiveModel)? {
            guard let object = entries[place].object?.object else { return nil }
            let type: any LiveModel.Type = types[Int(entries[place].type)]
            return cast(object, to: type)
        }

        private func cast<Object: LiveModel>(_ object: AnyObject, to type: Object.Type) -> any LiveModel { unsafeDowncast(object, to: type) }

        /// The number of a class.
        mutating func number(of model: ObjectIdentifier, _ type: any LiveModel.Type) -> UInt16 {
            if let lastType, lastType.model == model { return lastType.number }
            let number = typeNumbers[model] ?? UInt16(types.count)
            if number == types.count {
                types.append(type)
                typeNumbers[model] = number
            }
            lastType = (model, number)
            return number
        }

        /// Makes a place one that no key leads to.
        mutating func hide(_ place: Int) {
            guard entries[place].isReachable else { return }
            places.remove(place, entries[place].hash)
            entries[place].isReachable = false
            if !rests.isEmpty { rests[place] = nil }
        }

        /// Makes a place one that can be taken.
        mutating func free(_ place: Int) {
            hide(place)
            entries[place].object = nil
            free.append(UInt32(place))
            // The memory of many objects that have ended is given back with the last.
            if free.count == entries.count, free.count > 1_024 { (places, entries, free) = (PlaceTable(), [], []) }
        }
    }

    private let seed = UInt64.random(in: .min ... .max)
    private let state: Mutex<State>

    /// - Parameter recentCount: how many objects are kept.
    init(recentCount: Int) {
        state = Mutex(State(recent: RecentObjects(capacity: recentCount)))
    }

    /// An object of the map, and what the map keeps no longer.
    ///
    /// It is `@unchecked Sendable` because the objects are live ones, which are; that they are given without their class keeps the map free of generic code, which
    /// would look up types at run time for each object.
    struct Found: @unchecked Sendable {
        /// The object.
        var object: AnyObject?
        /// Its place.
        var place = IdentityMap.noPlace
        /// Whether it may be as its record was before a save.
        var isProvisional = false
        /// It may end with this value, so that who holds locks can wait with it: its deinit is the application's.
        var evicted: AnyObject?
    }

    var epoch: UInt64 { state.withLock { $0.epoch } }

    func beginEpoch() { state.withLock { $0.epoch += 1 } }

    /// The object with this key, when it is in memory and not provisional; it is one of the recent ones then.
    func object<Object: LiveModel>(_ type: Object.Type, _ key: ObjectKey) -> Object? {
        let found = find(key)
        guard let object = found.object, !found.isProvisional else { return nil }
        return unsafeDowncast(object, to: type)
    }

    /// The object with this key, provisional or not, when it is in memory; it is one of the recent ones then.
    func find(_ key: ObjectKey) -> Found {
        let hash = key.hash(seed: seed)
        return state.withLock { state -> Found in
            guard let place = state.place(key, hash), let object = state.entries[place].object?.object else { return Found() }
            let isProvisional = state.entries[place].isProvisional
            return Found(object: object, place: UInt32(place), isProvisional: isProvisional, evicted: Self.touch(object, at: place, &state))
        }
    }

    /// The objects with these keys, in their order, as ``object(_:_:)`` gives each; nil where there is none.
    func objects(_ keys: [ObjectKey]) -> [AnyObject?] {
        keys.map { key in
            let found = find(key)
            return found.isProvisional ? nil : found.object
        }
    }

    /// Notes that objects are as their records are now.
    func confirm(_ objects: [any LiveModel]) {
        state.withLock { state in
            for object in objects where object.live.place != Self.noPlace { state.entries[Int(object.live.place)].isProvisional = false }
        }
    }

    /// The object with this key, when it is in memory and not provisional; it is one of the recent ones then.
    func object(_ key: ObjectKey) -> (any LiveModel)? {
        let found = find(key)
        if found.isProvisional { return nil }
        // Nobody else can have the place as long as the object is there.
        return found.object == nil ? nil : object(at: found.place)
    }

    /// Makes an object one of the recent ones; returns the one that had to give way.
    private static func touch(_ object: AnyObject, at place: Int, _ state: inout State) -> AnyObject? {
        if state.recent.touch(object, at: Int(state.entries[place].recentPlace)) { return nil }
        let (recentPlace, evicted) = state.recent.add(object)
        state.entries[place].recentPlace = Int32(recentPlace)
        return evicted
    }

    /// The object with this key, when it is in memory, without making it one of the recent ones.
    func peek(_ key: ObjectKey) -> (any LiveModel)? {
        let hash = key.hash(seed: seed)
        return state.withLock { state in state.place(key, hash).flatMap { state.object(at: $0) } }
    }

    /// Whether there is an object with this key in memory.
    func contains(_ key: ObjectKey) -> Bool {
        peek(key) != nil
    }

    /// Whether a key leads to an object.
    func isKey(_ key: ObjectKey, of object: some LiveModel) -> Bool {
        state.withLock { state in
            let place = object._$state._withUnsafeGuaranteedRef { $0.place }
            return place != Self.noPlace && state.entries[Int(place)].isReachable && state.isKey(key, of: Int(place))
        }
    }

    /// Puts an object in, and gives its place without the object; or leaves it out, and gives the object that has its key.
    ///
    /// - Parameter epoch: the one in which the read began that made the object; nil for one that does not come from a record.
    func insert<Object: LiveModel>(_ object: Object, _ key: ObjectKey, readIn epoch: UInt64? = nil) -> Found {
        insert(Newcomer(object: Unmanaged.passUnretained(object), live: object._$state), Object.self, key, epoch)
    }

    /// An object that is put in, and its state, whose caller has them.
    ///
    /// It is `@unchecked Sendable` because the objects are live ones, which are.
    private struct Newcomer: @unchecked Sendable {
        let object: Unmanaged<AnyObject>
        let live: Unmanaged<_LiveObjectState>
    }

    private func insert(_ newcomer: Newcomer, _ type: any LiveModel.Type, _ key: ObjectKey, _ epoch: UInt64?) -> Found {
        let hash = key.hash(seed: seed)
        return state.withLock { state -> Found in
            let object = newcomer.object.takeUnretainedValue()
            if let known = state.place(key, hash) {
                if let present = state.entries[known].object?.object { return Found(object: present, place: UInt32(known)) }
                // It is ending, and gives back its place itself.
                state.hide(known)
            }
            let number = state.number(of: key.model, type)
            let (recentPlace, evicted) = state.recent.add(object)
            let place: Int
            if let free = state.free.popLast() {
                place = Int(free)
                state.entries[place] = Entry(key: key.head, hash: hash, recentPlace: Int32(recentPlace), type: number, object: ObjectHandle(object))
            } else {
                place = state.entries.count
                state.entries.append(Entry(key: key.head, hash: hash, recentPlace: Int32(recentPlace), type: number, object: ObjectHandle(object)))
            }
            if let rest = key.rest { state.rests[place] = rest }
            // With the lock: what a save finds in the map it brings up to date itself, and what comes later is found here.
            if let epoch, epoch != state.epoch { state.entries[place].isProvisional = true }
            state.places.insert(place, hash)
            newcomer.live._withUnsafeGuaranteedRef { $0.place = UInt32(place) }
            return Found(place: UInt32(place), evicted: evicted)
        }
    }

    /// Takes an object out, so that its key is free.
    func remove(_ object: any LiveModel) {
        let live = object.live
        let held = state.withLock { state -> Found in
            guard live.place != Self.noPlace else { return Found() }
            let place = Int(live.place)
            live.place = Self.noPlace
            let recentPlace = Int(state.entries[place].recentPlace)
            state.free(place)
            return Found(evicted: state.recent.remove(object, at: recentPlace))
        }
        withExtendedLifetime(held) {}
    }

    /// Gives back the place of an object that is ending.
    func forget(_ place: UInt32) {
        state.withLock { $0.free(Int(place)) }
    }

    /// The object at a place, when it is in memory.
    func object(at place: UInt32) -> (any LiveModel)? {
        state.withLock { state in Int(place) < state.entries.count ? state.object(at: Int(place)) : nil }
    }

    /// All objects in memory.
    var objects: [any LiveModel] {
        state.withLock { state in state.entries.indices.compactMap { state.entries[$0].isReachable ? state.object(at: $0) : nil } }
    }

    /// The number of keys that lead to objects, those that are ending included.
    var entryCount: Int { state.withLock { $0.places.count } }

    /// Lets go of the objects that are held only because they were met last.
    func forgetRecent() {
        let held = state.withLock { state in state.recent.removeAll().map { Found(evicted: $0) } }
        withExtendedLifetime(held) {}
    }

    /// Forgets all objects.
    func removeAll() {
        let held = state.withLock { state -> [Found] in
            var held = state.recent.removeAll().map { Found(evicted: $0) }
            let reachable = state.entries.indices.filter { state.entries[$0].isReachable }
            for place in reachable {
                if let object = state.object(at: place) {
                    object.live.place = Self.noPlace
                    held.append(Found(evicted: object))
                    state.free(place)
                } else {
                    // It is ending, and gives back its place itself.
                    state.hide(place)
                }
            }
            return held
        }
        withExtendedLifetime(held) {}
    }
}
