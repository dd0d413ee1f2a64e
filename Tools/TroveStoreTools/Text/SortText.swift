import Trove

/// An order as a person writes it: paths with commas between, each with `desc` or `ignoring case and accents` behind it where wanted.
package enum SortText {
    private static let lead = "order by "

    /// - Throws: ``StoreToolError/moreThanAnOrder(text:)``; ``TroveError/invalidCriteria(text:position:expected:)``, with the position in this text.
    package static func keys(_ text: String) throws -> [SortKey] {
        do {
            let query = try Query("", criteria: lead + text)
            guard query.limit == nil, query.offset == 0 else { throw StoreToolError.moreThanAnOrder(text: text) }
            return query.sort
        } catch TroveError.invalidCriteria(_, let position, let expected) {
            throw TroveError.invalidCriteria(text: text, position: max(0, position - lead.count), expected: expected)
        }
    }
}
