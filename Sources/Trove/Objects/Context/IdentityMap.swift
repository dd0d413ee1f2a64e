import Synchronization

/// The objects of a context by their keys: one instance for each record, not kept by the map, and the ones met last, which it keeps.
///
/// It has a lock of its own, which is held for a few instructions and never while anything else is called, so that objects can be made inside of an
/// engine's read without taking the lock of the context.
///
/// An object's state knows its place in the map, and gives it back when the object ends; see ``forget(_:)``. So an object that is in
/// the map is in the domain whose map it is.
final class IdentityMap: Sendable {
    /// The place of an object that is in no map.
    static let noPlace = UInt32.max

    private let seed = UInt64.random(in: .min ... .max)
    private let state: Mutex<IdentityTable>

    /// That a key led nowhere, which holds until the next object is put in.
    struct Absence {
        fileprivate let hash: UInt32
        fileprivate let insertionCount: UInt64
    }

    /// - Parameter recentCount: how many objects are kept.
    init(recentCount: Int) {
        state = Mutex(IdentityTable(recent: RecentObjects(capacity: recentCount)))
    }

    /// An object of the map, and what the map keeps no longer.
    ///
    /// It is `@unchecked Sendable` because the objects are live ones, which are; that they are given without their class keeps the map free of generic code,
    /// which would look up types at run time for each object.
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
        var absence: Absence?
        return find(key, &absence)
    }

    /// The same; tells also when there is none.
    func find(_ key: ObjectKey, _ absence: inout Absence?) -> Found {
        let hash = key.hash(seed: seed)
        return state.withLock { state -> Found in
            guard let place = state.place(key, hash) else {
                absence = Absence(hash: hash, insertionCount: state.insertionCount)
                return Found()
            }
            guard let object = state.entries[place].object?.object else { return Found() }
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
    private static func touch(_ object: AnyObject, at place: Int, _ state: inout IdentityTable) -> AnyObject? {
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

    /// The key that leads to an object, whatever its id has become; nil when there is none.
    func key(of object: some LiveModel) -> ObjectKey? {
        state.withLock { state in
            let place = object._$state._withUnsafeGuaranteedRef { $0.place }
            return place != Self.noPlace && state.entries[Int(place)].isReachable ? state.key(of: Int(place)) : nil
        }
    }

    /// Puts an object in, and gives its place without the object; or leaves it out, and gives the object that has its key.
    ///
    /// - Parameters:
    ///   - absence: what a search for the key gave before; nil when there was none.
    ///   - epoch: the one in which the read began that made the object; nil for one that does not come from a record.
    func insert<Object: LiveModel>(_ object: Object, _ key: ObjectKey, _ absence: Absence? = nil, readIn epoch: UInt64? = nil) -> Found {
        insert(Newcomer(object: Unmanaged.passUnretained(object), live: object._$state), Object.self, key, absence, epoch)
    }

    /// An object that is put in, and its state, whose caller has them.
    ///
    /// It is `@unchecked Sendable` because the objects are live ones, which are.
    private struct Newcomer: @unchecked Sendable {
        let object: Unmanaged<AnyObject>
        let live: Unmanaged<_LiveObjectState>
    }

    private func insert(_ newcomer: Newcomer, _ type: any LiveModel.Type, _ key: ObjectKey, _ absence: Absence?, _ epoch: UInt64?) -> Found {
        let hash = absence?.hash ?? key.hash(seed: seed)
        return state.withLock { state -> Found in
            if absence?.insertionCount != state.insertionCount, let known = state.place(key, hash) {
                if let present = state.entries[known].object?.object {
                    return Found(object: present, place: UInt32(known), isProvisional: state.entries[known].isProvisional)
                }
                // It is ending, and gives back its place itself.
                state.hide(known)
            }
            state.insertionCount &+= 1
            let number = state.number(of: key.model, type)
            // The caller has the object, so it is not counted here but where it is kept.
            let (place, evicted) = newcomer.object._withUnsafeGuaranteedRef { object in
                let (recentPlace, evicted) = state.recent.add(object)
                let entry = IdentityTable.Entry(key: key.head, hash: hash, recentPlace: Int32(recentPlace), type: number, object: ObjectHandle(object))
                guard let free = state.free.popLast() else {
                    state.entries.append(entry)
                    return (state.entries.count - 1, evicted)
                }
                state.entries[Int(free)] = entry
                return (Int(free), evicted)
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
