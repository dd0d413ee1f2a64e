/// What a cursor should do, over a ``SortedModel``: it remembers a key, not a position.
struct ModelCursor {
    private enum Place {
        case beforeFirst
        case at([UInt8])
        case afterLast
    }

    private var place = Place.beforeFirst

    mutating func seek(to key: [UInt8], in model: SortedModel) -> Bool {
        go(to: model.position(of: key), in: model)
    }

    mutating func seekToLast(in model: SortedModel) -> Bool {
        go(to: model.entries.count - 1, in: model)
    }

    mutating func next(in model: SortedModel) -> Bool {
        switch place {
        case .beforeFirst: go(to: 0, in: model)
        case .at(let key): go(to: model.position(of: key + [0]), in: model)
        case .afterLast: false
        }
    }

    mutating func previous(in model: SortedModel) -> Bool {
        switch place {
        case .beforeFirst: false
        case .at(let key): go(to: model.position(of: key) - 1, in: model)
        case .afterLast: go(to: model.entries.count - 1, in: model)
        }
    }

    func entry(in model: SortedModel) -> Entry? {
        guard case .at(let key) = place, let value = model.value(of: key) else { return nil }
        return Entry(key, value)
    }

    private mutating func go(to position: Int, in model: SortedModel) -> Bool {
        if position < 0 {
            place = .beforeFirst
        } else if position < model.entries.count {
            place = .at(model.entries[position].key)
            return true
        } else {
            place = .afterLast
        }
        return false
    }
}
