@testable import Trove

/// Criteria text.
enum CriteriaCheck {
    static func run(_ input: inout FuzzInput) throws {
        let text = input.text()
        try check(text, CriteriaArguments(positional: ["Bill", 1959]))
        try check(text, CriteriaArguments(named: ["name": "Bill", "from": nil]))
        try check(text, CriteriaArguments())
    }

    private static func check(_ text: String, _ arguments: CriteriaArguments) throws {
        guard let query = try valueOrTypedError("a criteria text", { try Query("Song", criteria: text, arguments) }) else { return }
        let written = query.description
        let again = try mustSucceed("reading what a query is written as, \(written)") { try Query("Song", criteria: written) }
        try require(again.description == written, "\(written) is written again as \(again.description)")
        // A query that is not equal to itself has a number that is none; words and phrases of one word mean the same.
        try require(again == query || query != query || written.contains("has words"), "\(written) is another query")
    }
}
