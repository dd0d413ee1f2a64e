import Foundation
import TestSupport
@testable import Trove

extension OracleQuery {
    /// A query of random conditions, criteria, offset and limit over tracks.
    static func random(_ random: inout SeededGenerator, _ tracks: [Tune]) -> OracleQuery {
        var query = OracleQuery()
        if Int.random(in: 0..<8, using: &random) > 0 {
            (query.filter, query.passes) = condition(&random, tracks, depth: Int.random(in: 0...3, using: &random))
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) { query.sort.append(.random(&random)) }
        if Int.random(in: 0..<3, using: &random) == 0 { query.offset = Int.random(in: 0...30, using: &random) }
        if Bool.random(using: &random) { query.limit = Int.random(in: 0...40, using: &random) }
        return query
    }

    private typealias Condition = (Filter, (Tune) -> Bool)

    private static func condition(_ random: inout SeededGenerator, _ tracks: [Tune], depth: Int) -> Condition {
        if depth > 0 {
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in condition(&random, tracks, depth: depth - 1) }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return (.not(parts[0].0), { !parts[0].1($0) })
            case 1, 2: return (.or(parts.map(\.0)), { track in parts.contains { $0.1(track) } })
            default: return (.and(parts.map(\.0)), { track in parts.allSatisfy { $0.1(track) } })
            }
        }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1, 2: return artist(&random)
        case 3, 4, 5: return year(&random)
        case 6, 7: return rating(&random)
        case 8, 9: return tags(&random)
        case 10, 11: return title(&random)
        case 12: return id(&random, tracks)
        case 13: return path(&random)
        default: return seconds(&random)
        }
    }

    private static func comparison(_ random: inout SeededGenerator) -> (Comparison, (Int) -> Bool) {
        let comparison = Comparison.allCases.randomElement(using: &random) ?? .equal
        return (comparison, { order in
            switch comparison {
            case .equal: order == 0
            case .notEqual: order != 0
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        })
    }

    private static func artist(_ random: inout SeededGenerator) -> Condition {
        let text = Tune.artists.randomElement(using: &random) ?? ""
        let ignoring = OracleSort.folding(&random)
        let value: (String) -> String = { PlainFolding.folded($0, ignoring) }
        switch Int.random(in: 0..<6, using: &random) {
        case 4:
            let others = (0..<3).map { _ in Tune.artists.randomElement(using: &random) ?? "" }
            let parts = others.map { Filter.comparison(.path("artist"), .equal, .value(.string($0)), ignoring: ignoring) }
            return (.or(parts), { track in others.contains { OracleSort.order(value($0), value(track.artist)) == 0 } })
        case 5:
            let others = (0..<3).map { _ in Tune.artists.randomElement(using: &random) ?? "" }
            let parts = others.map { Filter.comparison(.path("artist"), .notEqual, .value(.string($0)), ignoring: ignoring) }
            return (.and(parts), { track in others.allSatisfy { OracleSort.order(value($0), value(track.artist)) != 0 } })
        case 0:
            let prefix = String(text.prefix(2))
            return (
                .text(.path("artist"), .hasPrefix, .value(.string(prefix)), ignoring: ignoring),
                { Array(value($0.artist).utf8).starts(with: value(prefix).utf8) }
            )
        case 1:
            let others = (0..<3).map { _ in Tune.artists.randomElement(using: &random) ?? "" }
            return (
                .membership(.path("artist"), others.map { .string($0) }, ignoring: ignoring),
                { track in others.contains { OracleSort.order(value($0), value(track.artist)) == 0 } }
            )
        default:
            let (comparison, test) = comparison(&random)
            return (
                .comparison(.path("artist"), comparison, .value(.string(text)), ignoring: ignoring),
                { test(OracleSort.order(value($0.artist), value(text))) }
            )
        }
    }

    private static func year(_ random: inout SeededGenerator) -> Condition {
        let year = Int.random(in: 1953...1967, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (.membership(.path("year"), [.int(Int64(year)), .double(1960), .null]), { $0.year == year || $0.year == 1960 })
        case 1:
            return (
                .and([
                    .comparison(.path("year"), .greaterOrEqual, .value(.int(Int64(year)))),
                    .comparison(.path("year"), .less, .value(.int(Int64(year + 3)))),
                ]), { (year..<year + 3).contains($0.year) }
            )
        case 2:
            let (comparison, test) = comparison(&random)
            let limit = Double(year) + 0.5
            return (
                .comparison(.value(.double(limit)), comparison.mirrored, .path("year")),
                { test(Double($0.year) < limit ? -1 : 1) }
            )
        default:
            let (comparison, test) = comparison(&random)
            return (.comparison(.path("year"), comparison, .value(.int(Int64(year)))), { test($0.year - year) })
        }
    }

    private static func rating(_ random: inout SeededGenerator) -> Condition {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return (.isNil("rating"), { $0.rating == nil })
        case 1: return (.comparison(.path("rating"), .notEqual, .value(.null)), { $0.rating != nil })
        case 2: return (.membership(.path("rating"), [.null, .double(5), .int(0)]), { $0.rating == nil || $0.rating == 5 || $0.rating == 0 })
        default:
            let value = [-1.5, 0, 3, 5, .infinity, .nan].randomElement(using: &random) ?? 0
            let comparison = Comparison.allCases.randomElement(using: &random) ?? .equal
            return (
                .comparison(.path("rating"), comparison, .value(.double(value))),
                { track in
                    switch comparison {
                    case .equal: track.rating == value
                    case .notEqual: track.rating != value
                    case .less: track.rating.map { $0 < value } ?? false
                    case .lessOrEqual: track.rating.map { $0 <= value } ?? false
                    case .greater: track.rating.map { $0 > value } ?? false
                    case .greaterOrEqual: track.rating.map { $0 >= value } ?? false
                    }
                }
            )
        }
    }

    private static func tags(_ random: inout SeededGenerator) -> Condition {
        let word = Tune.words.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return (
                .quantified(.any, "tags", .elements, .text(.path(.element), .hasPrefix, .value(.string("l")), ignoringCase: true)),
                { $0.tags.contains { CaseFolding.folded($0).hasPrefix("l") } }
            )
        case 1: return (.quantified(.none, "tags", .elements, .comparison(.path(.element), .equal, .value(.string(word)))), { track in !track.tags.contains { OracleSort.order($0, word) == 0 } })
        case 2:
            return (
                .quantified(.all, "tags", .elements, .comparison(.path(.element), .less, .value(.string(word)))),
                { $0.tags.allSatisfy { OracleSort.order($0, word) < 0 } }
            )
        default: return (.quantified(.any, "tags", .elements, .comparison(.path(.element), .equal, .value(.string(word)))), { track in track.tags.contains { OracleSort.order($0, word) == 0 } })
        }
    }

    private static func title(_ random: inout SeededGenerator) -> Condition {
        let long = String(repeating: "long ", count: 50)
        let text = (Bool.random(using: &random) ? long : "") + "\(Int.random(in: 0..<20, using: &random))"
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let prefix = String(text.prefix(Int.random(in: 0...text.count, using: &random)))
            return (.text(.path("title"), .hasPrefix, .value(.string(prefix))), { $0.title.hasPrefix(prefix) })
        case 1: return (.text(.path("title"), .hasSuffix, .value(.string("9"))), { $0.title.hasSuffix("9") })
        case 2: return (.text(.path("title"), .contains, .value(.string("g 1"))), { $0.title.contains("g 1") })
        default:
            let (comparison, test) = comparison(&random)
            return (.comparison(.path("title"), comparison, .value(.string(text))), { test(OracleSort.order($0.title, text)) })
        }
    }

    private static func seconds(_ random: inout SeededGenerator) -> Condition {
        let value = Int32.random(in: -10...310, using: &random)
        let (comparison, test) = comparison(&random)
        return (.comparison(.path("seconds"), comparison, .value(.int(Int64(value)))), { test(Int($0.seconds - value)) })
    }

    private static func id(_ random: inout SeededGenerator, _ tracks: [Tune]) -> Condition {
        let some = (0..<3).map { _ in tracks.randomElement(using: &random)?.id ?? ObjectID() }
        if Bool.random(using: &random) {
            return (.membership(.path(.id), some.map { .objectID($0) } + [.objectID(ObjectID())]), { some.contains($0.id) })
        }
        let (comparison, test) = comparison(&random)
        let bound = some[0]
        return (.comparison(.path(.id), comparison, .value(.objectID(bound))), { test($0.id < bound ? -1 : $0.id == bound ? 0 : 1) })
    }

    /// One field against another.
    private static func path(_ random: inout SeededGenerator) -> Condition {
        let (comparison, test) = comparison(&random)
        return (.comparison(.path("artist"), comparison, .path("title")), { test(OracleSort.order($0.artist, $0.title)) })
    }
}

extension FieldPath: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
