extension Filter {
    /// The filter as criteria text, with long values and lists cut.
    var explained: String { CriteriaWriter(abbreviates: true).text(self) }
}
