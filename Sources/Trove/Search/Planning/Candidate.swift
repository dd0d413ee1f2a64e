/// A way to find the records of a query, or of a part of it, before it is chosen.
struct Candidate {
    var access: Access
    /// The numbers of the conditions that it makes sure of.
    var answered: Set<Int>
    /// The order in which it can give its results.
    var order: IndexOrder?

    var rows: Double { access.estimatedRows }

    /// Whether it makes sure that nothing passes.
    var isEmpty: Bool {
        if case .nothing = access.kind { true } else { false }
    }
}
