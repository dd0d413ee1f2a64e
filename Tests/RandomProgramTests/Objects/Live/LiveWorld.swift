import Trove

/// What a store of rooms, chairs and stickers should hold, in plain dictionaries; and what it does hold.
struct LiveWorld: Equatable {
    struct Room: Equatable {
        var name: String
        /// In the order of the list.
        var chairs: [ObjectID] = []
    }

    struct Chair: Equatable {
        var legs: Int
        var room: ObjectID?
        var stickers: Set<ObjectID> = []
    }

    struct Sticker: Equatable {
        var name: String
        var chairs: Set<ObjectID> = []
    }

    var rooms: [ObjectID: Room] = [:]
    var chairs: [ObjectID: Chair] = [:]
    var stickers: [ObjectID: Sticker] = [:]

    init() {}

    /// What a read shows, without live objects.
    init(_ transaction: ReadTransaction) throws {
        func records(_ name: String, _ body: (ObjectID, StoredRecord) throws -> Void) throws {
            guard try transaction.modelNames().contains(name) else { return }
            try transaction.forEachStoredRecord(of: name) { record, _ in try body(ObjectID(keyBytes: record.key), record) }
        }
        try records("ProgramRoom") { id, record in
            let chairs = try record.value(of: "chairs", as: [Reference<ProgramChair>].self)
            rooms[id] = Room(name: try record.value(of: "name"), chairs: chairs.map(\.id))
        }
        try records("ProgramChair") { id, record in
            let room = try record.value(of: "room", as: Reference<ProgramRoom>?.self)
            let stickers = try record.value(of: "stickers", as: [Reference<ProgramSticker>].self)
            chairs[id] = Chair(legs: try record.value(of: "legs"), room: room?.id, stickers: Set(stickers.map(\.id)))
        }
        try records("ProgramSticker") { id, record in
            let chairs = try record.value(of: "chairs", as: [Reference<ProgramChair>].self)
            stickers[id] = Sticker(name: try record.value(of: "name"), chairs: Set(chairs.map(\.id)))
        }
    }

    var count: Int { rooms.count + chairs.count + stickers.count }

    // MARK: Changes, each with all that follows from it

    /// Puts a chair into a room, at the end; one that leaves its room for none goes with it.
    mutating func move(_ chair: ObjectID, to room: ObjectID?, since base: LiveWorld) {
        guard let former = chairs[chair]?.room else {
            if let room { place(chair, in: room) }
            return
        }
        if former == room { return }
        rooms[former]?.chairs.removeAll { $0 == chair }
        if let room { place(chair, in: room) } else { release(chair, since: base) }
    }

    /// A chair that no room has any more goes, unless it stood in none before either.
    private mutating func release(_ chair: ObjectID, since base: LiveWorld) {
        if let former = base.chairs[chair], former.room == nil { chairs[chair]?.room = nil } else { delete(chair: chair) }
    }

    private mutating func place(_ chair: ObjectID, in room: ObjectID) {
        rooms[room]?.chairs.append(chair)
        chairs[chair]?.room = room
    }

    /// Lets a room have these chairs in this order.
    mutating func fill(_ room: ObjectID, with list: [ObjectID], since base: LiveWorld) {
        let former = rooms[room]?.chairs ?? []
        for chair in list {
            if let other = chairs[chair]?.room, other != room { rooms[other]?.chairs.removeAll { $0 == chair } }
            chairs[chair]?.room = room
        }
        rooms[room]?.chairs = list
        for chair in former where !list.contains(chair) { release(chair, since: base) }
    }

    mutating func stick(_ list: Set<ObjectID>, on chair: ObjectID) {
        for sticker in stickers.keys {
            if list.contains(sticker) { stickers[sticker]?.chairs.insert(chair) } else { stickers[sticker]?.chairs.remove(chair) }
        }
        chairs[chair]?.stickers = list
    }

    mutating func delete(room: ObjectID) {
        for chair in rooms[room]?.chairs ?? [] { delete(chair: chair) }
        rooms[room] = nil
    }

    mutating func delete(chair: ObjectID) {
        stick([], on: chair)
        if let room = chairs[chair]?.room { rooms[room]?.chairs.removeAll { $0 == chair } }
        chairs[chair] = nil
    }

    mutating func delete(sticker: ObjectID) {
        for chair in stickers[sticker]?.chairs ?? [] { chairs[chair]?.stickers.remove(sticker) }
        stickers[sticker] = nil
    }
}

extension LiveWorld {
    /// The objects that are otherwise than expected, for people.
    func difference(from expected: LiveWorld) -> String {
        func lines<Value: Equatable>(_ found: [ObjectID: Value], _ expected: [ObjectID: Value]) -> [String] {
            Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.map { id in
                "\(id.tail): found \(found[id].map { "\($0)" } ?? "nothing"), expected \(expected[id].map { "\($0)" } ?? "nothing")"
            }
        }
        return (lines(rooms, expected.rooms) + lines(chairs, expected.chairs) + lines(stickers, expected.stickers)).joined(separator: "\n")
    }
}

extension ObjectID {
    /// As much of it as tells the objects of a program apart.
    var tail: String { String("\(description)".suffix(12)) }
}
