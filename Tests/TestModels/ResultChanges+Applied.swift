import Trove

extension ResultChanges {
    /// The list that the changes make of another.
    func applied(to old: [Object]) -> [Object] {
        var result = old
        for position in (removed.map(\.position) + moved.map(\.oldPosition)).sorted(by: >) { result.remove(at: position) }
        let arriving = inserted.map { ($0.position, $0.object) } + moved.map { ($0.position, $0.object) }
        for (position, object) in arriving.sorted(by: { $0.0 < $1.0 }) { result.insert(object, at: position) }
        for placed in updated { result[placed.position] = placed.object }
        return result
    }
}
