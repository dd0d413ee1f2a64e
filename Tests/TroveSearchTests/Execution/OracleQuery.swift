import TestSupport
@testable import Trove

/// A query twice over: as Trove has it, and as plain Swift over an array.
struct OracleQuery {
    var filter = Filter.constant(true)
    var passes: (Tune) -> Bool = { _ in true }
    var sort: [OracleSort] = []
    var offset = 0
    var limit: Int?

    /// The answer of plain Swift, from tracks ascending by id.
    func answer(_ tracks: [Tune]) -> [Tune] {
        let ordered = tracks.filter(passes).sorted { left, right in
            for criterion in sort {
                let order = criterion.compare(left, right)
                if order != 0 { return order < 0 }
            }
            return left.id < right.id
        }
        let rest = ordered.dropFirst(offset)
        return Array(limit.map { rest.prefix($0) } ?? rest)
    }

    func fetch<Source>(_ fetch: Fetch<Tune, Source>) -> Fetch<Tune, Source> {
        let sorted = fetch.where(filter).sorted(using: sort.map(\.key)).offset(offset)
        return limit.map { sorted.limit($0) } ?? sorted
    }
}

extension OracleQuery: CustomStringConvertible {
    var description: String { "\(filter) sort \(sort.map(\.key)) offset \(offset) limit \(limit.map(String.init) ?? "none")" }
}

/// A criterion of a sort, and how plain Swift compares by it.
struct OracleSort {
    let key: SortKey
    /// Negative, zero or positive.
    let compare: (Tune, Tune) -> Int

    init(_ key: SortKey, _ compare: @escaping (Tune, Tune) -> Int) {
        self.key = key
        self.compare = key.direction == .ascending ? compare : { -compare($0, $1) }
    }

    static func random(_ random: inout SeededGenerator) -> OracleSort {
        let direction: SortDirection = Bool.random(using: &random) ? .ascending : .descending
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            let ignoring = folding(&random)
            return OracleSort(SortKey("artist", direction, ignoring: ignoring)) {
                order(PlainFolding.folded($0.artist, ignoring), PlainFolding.folded($1.artist, ignoring))
            }
        case 2: return OracleSort(SortKey("rating", direction)) { order($0.rating, $1.rating) }
        case 3: return OracleSort(SortKey("title", direction)) { order($0.title, $1.title) }
        case 4: return OracleSort(SortKey("seconds", direction)) { Int($0.seconds - $1.seconds) }
        case 5: return OracleSort(SortKey("id", direction)) { $0.id < $1.id ? -1 : $0.id == $1.id ? 0 : 1 }
        default: return OracleSort(SortKey("year", direction)) { $0.year - $1.year }
        }
    }

    /// What a condition or criterion ignores of texts.
    static func folding(_ random: inout SeededGenerator) -> TextFolding { TextFolding(rawValue: UInt8.random(in: 0...3, using: &random)) }

    static func order(_ left: String, _ right: String) -> Int {
        if Array(left.utf8) == Array(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    static func order(_ left: Double?, _ right: Double?) -> Int {
        func rank(_ value: Double?) -> (Int, Double) { value.map { $0.isNaN ? (2, 0) : (1, $0) } ?? (0, 0) }
        let (first, second) = (rank(left), rank(right))
        return first < second ? -1 : first == second ? 0 : 1
    }
}

extension SortKey {
    init(_ field: String, _ direction: SortDirection, ignoring: TextFolding = []) {
        self.init(FieldPath(field), direction, ignoring: ignoring)
    }
}
