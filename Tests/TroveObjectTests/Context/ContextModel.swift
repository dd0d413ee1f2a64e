/// What a context should do, on plain dictionaries.
struct ContextModel {
    struct Values: Equatable {
        var name: String
        var balance: Int
        var note: String?
    }

    /// One object as a context has it.
    struct Object {
        /// As it was read or saved; nil when it was inserted.
        var base: Values?
        var now: Values
        var isDeleted = false

        var isChanged: Bool { base != now }
    }

    var objects: [Int: Object] = [:]
    /// What the other context saved since changes were merged last.
    var inbox: Set<Int> = []

    var hasChanges: Bool { objects.values.contains { $0.isDeleted || $0.isChanged } }

    /// What the store would be after a save.
    func preview(of store: [Int: Values]) -> [Int: Values] {
        var result = store
        for (id, object) in objects where object.isDeleted || object.isChanged { result[id] = object.isDeleted ? nil : object.now }
        return result
    }

    /// Reads everything: what is not known yet is as it is stored.
    mutating func read(_ store: [Int: Values]) {
        for (id, values) in store where objects[id] == nil { objects[id] = Object(base: values, now: values) }
    }

    mutating func delete(_ id: Int) {
        if objects[id]?.base == nil { objects[id] = nil } else { objects[id]?.isDeleted = true }
    }

    /// Whether somebody else changed what is to be saved.
    func conflicts(with store: [Int: Values]) -> Bool {
        objects.contains { id, object in
            guard let base = object.base, object.isDeleted || object.isChanged else { return false }
            return object.isDeleted && store[id] == nil ? false : store[id] != base
        }
    }

    /// Saves, and returns the ids of what was stored or deleted.
    mutating func save(_ store: inout [Int: Values]) -> [Int] {
        let changed = objects.filter { $0.value.isDeleted || $0.value.isChanged }.map(\.key)
        let concerned = changed.filter { id in store[id] != nil || objects[id]?.isDeleted == false }
        store = preview(of: store)
        for id in changed {
            guard let object = objects[id] else { continue }
            objects[id] = object.isDeleted ? nil : Object(base: object.now, now: object.now)
        }
        return concerned
    }

    mutating func rollBack() {
        for (id, object) in objects {
            objects[id] = object.base.map { Object(base: $0, now: $0) }
        }
    }

    /// Takes over what is stored for some ids.
    mutating func refresh(_ ids: some Sequence<Int>, _ store: [Int: Values], keepingChanges: Bool) {
        for id in Array(ids) {
            guard let object = objects[id], let base = object.base else { continue }
            if keepingChanges, object.isDeleted { continue }
            if keepingChanges, object.isChanged {
                guard let stored = store[id] else { continue }
                let now = object.now
                let overlaps =
                    (now.name != base.name && stored.name != base.name && now.name != stored.name)
                    || (now.balance != base.balance && stored.balance != base.balance && now.balance != stored.balance)
                    || (now.note != base.note && stored.note != base.note && now.note != stored.note)
                if overlaps { continue }
                objects[id] = Object(
                    base: stored,
                    now: Values(
                        name: now.name == base.name ? stored.name : now.name, balance: now.balance == base.balance ? stored.balance : now.balance,
                        note: now.note == base.note ? stored.note : now.note))
            } else {
                objects[id] = store[id].map { Object(base: $0, now: $0) }
            }
        }
    }
}
