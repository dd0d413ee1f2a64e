import Testing

/// Whatever Swift takes for a default value, a model has too.
@Suite(.enabled(if: SourceCheck.isPossible)) struct DefaultValueTests {
    @Test func whatANameAloneLeadsTo() throws {
        let source = #"""
            import Foundation
            import Trove
            private let global = 1
            @Model struct Song {
                private static let first = 1_900
                static func years(_ year: Int) -> [Int] { [year] }
                var year = first; var years: [Int] = years(first); var last: Int? = first; var more = [1].map { $0 + first }; var text = "\(first)"; var other = global; var own = ["a"].map { first in first.count }; var elsewhere: Int = .bitWidth
                var both: [Int] = years(first) + [1].map { first in first }
                var branches: Int = if let first = Optional(first), first > 3 { first } else { first }
                var kind: Int = if first > 3 { first } else { 4 }
                var name = switch first { case 3: "three"; default: "other" }
            }
            @Model struct Written { static let first = 1; var year = first; init() {} }
            @Model final class Album { static let first = 1; var year = first; var last: Int? = if first > 3 { first } else { nil }; @Transient var now = first; init() {} }
            @Model final class Page {
                static let first = 1; static func words(_ text: String) -> [String] { [text] }
                @Attribute(.lazy) var text: String = if first > 3 { "a" } else { "b" }; @Attribute(.lazy) var number: Int = first; @Attribute(.lazy) var `some words`: [String] = words("a")
                @Relationship var album: Album? = if first > 3 { made() } else { nil }; @Relationship var albums: [Album] = [made()]; static func made() -> Album { Album() }
                init() {}
            }
            @AbstractModel class Media { static let first = 1; class func made() -> Int { 4 }; var year = first; var size: Int? = made(); @Attribute(.lazy) var text: Int = first; init() {} }
            @Model final class Film: Media { static let long = 1; var length = long; @Attribute(.lazy) var notes: Int = long }
            enum Outer {
                static let first = 2
                @Model struct Song { static let last = 1; var year = first; var end = last }
                @Model final class Album { static let last = 1; var end = last; init() {} }
            }
            """#
        #expect(try SourceCheck().errors(in: source) == [])
    }
}
