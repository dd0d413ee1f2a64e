import ArgumentParser
import Trove
import TroveStoreTools

/// Parts of criteria text that stand by themselves on the command line. Mistakes in them are told by what was typed.
enum QueryText {
    /// The keys of an order, see ``SortText``.
    ///
    /// - Throws: `ValidationError` where it has more in it; ``TroveError/invalidCriteria(text:position:expected:)``.
    static func sortKeys(_ text: String) throws -> [SortKey] {
        do {
            return try SortText.keys(text)
        } catch StoreToolError.moreThanAnOrder {
            throw ValidationError("'\(text)' has more than an order; say --limit and --offset")
        }
    }

    /// The paths of a list with commas between.
    ///
    /// - Throws: `ValidationError` where one is missing, or is followed by `desc`; ``TroveError/invalidCriteria(text:position:expected:)``.
    static func paths(_ text: String) throws -> [FieldPath] {
        let keys: [SortKey]
        do {
            keys = try sortKeys(text)
        } catch TroveError.invalidCriteria where text.split(separator: ",", omittingEmptySubsequences: false).contains(where: { $0.allSatisfy(\.isWhitespace) })
        {
            throw ValidationError("'\(text)' is to name values with commas between, as title,artist; one of them is missing")
        }
        if keys != keys.map({ SortKey($0.path) }) { throw ValidationError("'\(text)' names values, which have no order; --sort has one") }
        return keys.map(\.path)
    }
}
