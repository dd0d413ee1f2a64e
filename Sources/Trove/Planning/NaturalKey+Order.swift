extension NaturalKey {
    /// The direction in which keys are in the order of some criteria, ties by id; nil when that is another order.
    ///
    /// - Parameter isFixed: whether all objects in question have one value in a field.
    func direction(of criteria: [SortKey], isFixed: (FieldPath) -> Bool) -> SortDirection? {
        var direction: SortDirection?
        var position = 0
        for key in criteria where !(hasField(key.path) && isFixed(key.path)) {
            guard direction == nil || direction == key.direction else { return nil }
            direction = key.direction
            // No two objects share an id, so nothing behind it decides.
            if key.path == .id { return direction }
            while position < parts.count, parts[position].path != key.path, isFixed(parts[position].path) { position += 1 }
            guard position < parts.count, parts[position].path == key.path, !key.ignoringCase else { return nil }
            position += 1
        }
        guard direction == .descending else { return .ascending }
        // What is equal so far comes ascending by id.
        return isWhole && parts[position...].allSatisfy { isFixed($0.path) } ? .descending : nil
    }
}
