/// A bounded number of objects held strongly: those met last, by the clock rule (Corbató 1968).
///
/// A hand goes round the places; an object that was met again since the hand passed it last is passed over once more.
struct RecentObjects {
    private struct Place {
        var object: AnyObject?
        var wasMet: Bool
    }

    private let capacity: Int
    private var places: [Place] = []
    private var hand = 0

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// Notes that an object was met again; false when it is not at this place any more.
    mutating func touch(_ object: AnyObject, at place: Int) -> Bool {
        if capacity == 0 { return true }
        guard place < places.count, places[place].object === object else { return false }
        places[place].wasMet = true
        return true
    }

    /// Adds an object, and returns its place and the object that had to give way.
    mutating func add(_ object: AnyObject) -> (place: Int, evicted: AnyObject?) {
        guard capacity > 0 else { return (0, nil) }
        if places.count < capacity {
            places.append(Place(object: object, wasMet: false))
            return (places.count - 1, nil)
        }
        while places[hand].wasMet {
            places[hand].wasMet = false
            hand = hand + 1 == capacity ? 0 : hand + 1
        }
        let place = hand
        hand = hand + 1 == capacity ? 0 : hand + 1
        // Exchanged, which counts fewer references than a copy of what is there.
        var exchanged = Place(object: object, wasMet: false)
        swap(&places[place], &exchanged)
        return (place, exchanged.object)
    }

    /// Lets go of an object that may be at this place, and returns it.
    mutating func remove(_ object: AnyObject, at place: Int) -> AnyObject? {
        guard place < places.count, places[place].object === object else { return nil }
        places[place] = Place(object: nil, wasMet: false)
        return object
    }

    /// Lets go of all objects and returns them.
    mutating func removeAll() -> [AnyObject] {
        let objects = places.compactMap(\.object)
        places.removeAll()
        hand = 0
        return objects
    }
}
