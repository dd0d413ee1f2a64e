/// What an identity map has in its lock: entries at places, and the places by the keys.
struct IdentityTable {
    /// A million objects have a million of these, so they are small, and what few keys have stands elsewhere.
    struct Entry {
        let key: ObjectKey.Head
        let hash: UInt32
        var recentPlace: Int32
        /// The number of the object's class in `types`.
        let type: UInt16
        /// Whether the key leads here: it does not to an object that was found ending.
        var isReachable = true
        /// Whether the object comes from a read that began before the context's last save, and may be as its record was then. Until it is confirmed only reads
        /// find it, which bring it up to date at their end.
        var isProvisional = false
        /// nil for a place that can be taken.
        var object: ObjectHandle?
    }

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
    /// How many objects were put in.
    var insertionCount: UInt64 = 0

    func place(_ key: ObjectKey, _ hash: UInt32) -> Int? {
        places.place(hash) { isKey(key, of: $0) }
    }

    /// Whether the key of a place is this one.
    @inline(__always)
    func isKey(_ key: ObjectKey, of place: Int) -> Bool {
        entries[place].key == key.head && (key.rest == nil || rests[place] == key.rest)
    }

    /// The key that leads to a place.
    func key(of place: Int) -> ObjectKey { ObjectKey(entries[place].key, rest: rests[place]) }

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
