/// What a store answers in a program.
enum ObjectAnswer: Hashable {
    case text(String)
    /// All objects, a line each.
    case lines([String])

    func difference(to found: ObjectAnswer) -> String {
        guard case .lines(let expected) = self, case .lines(let found) = found else { return "found \(found), expected \(self)" }
        let missing = expected.filter { !found.contains($0) }
        let added = found.filter { !expected.contains($0) }
        if missing.isEmpty && added.isEmpty { return "found the objects in another order: \(found)" }
        return "found \(added), expected \(missing)"
    }
}
