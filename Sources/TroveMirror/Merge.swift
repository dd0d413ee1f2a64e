import Trove

/// Both sides' changes of an object since they had it in common.
struct Merge {
    /// What both sides get; nil for no object.
    let result: WrittenObject?
    /// The properties that both changed to different values.
    let conflicts: [String]
    /// Whether the directory's version is in the result only in part.
    let isConflict: Bool

    /// - Parameters:
    ///   - base: what both had; nil for nothing.
    ///   - store: what the store has now.
    ///   - file: what the directory has now.
    init(base: WrittenObject?, store: WrittenObject?, file: WrittenObject?) {
        if store.isSame(as: file) || file.isSame(as: base) {
            (result, conflicts, isConflict) = (store, [], false)
        } else if store.isSame(as: base) {
            (result, conflicts, isConflict) = (file, [], false)
        } else if let store, let file {
            var found: [String] = []
            var merged = store
            if store.className != file.className {
                if store.className == base?.className { merged.className = file.className } else if file.className != base?.className { found.append("$class") }
            }
            merged.value = Self.merged(base?.value, store.value, file.value, path: "", &found)
            (result, conflicts, isConflict) = (merged, found, !found.isEmpty)
        } else {
            // One deleted what the other changed: the store's side stays.
            (result, conflicts, isConflict) = (store, [], true)
        }
    }

    /// Values by names are merged name by name, at any depth; others are taken whole.
    private static func merged(_ base: StoredValue?, _ store: StoredValue?, _ file: StoredValue?, path: String, _ conflicts: inout [String]) -> StoredValue {
        if store.isSame(as: file) || file.isSame(as: base) { return store ?? .null }
        if store.isSame(as: base) { return file ?? .null }
        guard case .object(let ours)? = store, case .object(let theirs)? = file else {
            conflicts.append(path.isEmpty ? "$value" : path)
            return store ?? .null
        }
        let common: StoredFields? = if case .object(let fields)? = base { fields } else { nil }
        var values: [(String, StoredValue)] = []
        for name in Set(ours.map(\.key) + theirs.map(\.key)).sorted() {
            let (old, left, right) = (common?[name], ours[name], theirs[name])
            // A name that a side took away.
            if left == nil, right.isSame(as: old) || right == nil { continue }
            if right == nil, left.isSame(as: old) { continue }
            if left == nil || right == nil, old != nil {
                conflicts.append(path.isEmpty ? name : "\(path).\(name)")
                if let left { values.append((name, left)) }
                continue
            }
            values.append((name, merged(old, left, right, path: path.isEmpty ? name : "\(path).\(name)", &conflicts)))
        }
        return .object(values)
    }
}

extension StoredValue? {
    fileprivate func isSame(as other: StoredValue?) -> Bool {
        if let self, let other { self.isSame(as: other) } else { self == nil && other == nil }
    }
}

extension WrittenObject? {
    /// Whether nothing has changed; both may be no object.
    func isSame(as other: WrittenObject?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.model == other.model && self.id == other.id && self.className == other.className && self.value.isSame(as: other.value)
    }
}
