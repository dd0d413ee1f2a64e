import Foundation
import Trove

// Models with indexes in every form that the macros take; ``IndexMacroUsageTests`` looks at what they declare.

@Model struct MacroIndexed {
    #Index<MacroIndexed>([\.artist, \.year], [\.seconds])
    #Index<MacroIndexed>([.ascending(\.artist, ignoringCase: true), .descending(\.year)], name: "by artist", covering: [\.title, \.seconds])
    #Index<MacroIndexed>([\.year, \.artist], covering: [\.title], aggregates: [.count, .sum(\.seconds)])
    #Index<MacroIndexed>([\.address.city], [\.other?.city, \.artist])
    #Index<MacroIndexed>([.path("labels.genre"), .path("address.street", .descending, ignoringCase: true)])
    #Index<MacroIndexed>("decade", version: 2, aggregates: [.count]) { $0.year / 10 * 10 }
    #Index<MacroIndexed>("initial", version: 1) { song in
        let first = song.title.first
        return first.map { String($0) } ?? ""
    }
    #Unique<MacroIndexed>([\.artist, \.title], name: "work")
    #Unique<MacroIndexed>([.ignoringCase(\.email)])
    #FullText<MacroIndexed>([\.title, \.artist], [\.address.street])
    #Substring<MacroIndexed>(\.address.street, \.path)
    #Index<MacroIndexed>([.ascending(\.album, ignoring: [.case, .diacritics]), .descending(\.title, ignoring: .diacritics)], name: "plain")
    #Index<MacroIndexed>([.path("address.city", .descending, ignoring: .diacritics)])
    #Substring<MacroIndexed>(\.address.city, ignoresDiacritics: true)

    struct Address: Codable, Sendable {
        var city: String
        var street: String
    }

    @Attribute(.indexed) var artist: String
    @Attribute(.fullText, .writeOnce) var title: String
    @Attribute(.indexed, .indexed(ignoringCase: true)) var album: String
    var year: Int
    var seconds = 0
    @Attribute(.unique) private var isrc: String?
    @Attribute(.unique(ignoringCase: true)) var `default`: String?
    @Attribute(.substring) var file: String
    var path: String
    var email: String?
    var address: Address
    var other: Address?
    @Attribute(.indexed, originalName: "marks") var tags: Set<String>
    @Attribute(.indexed) var labels: [String: String]
}

/// The members of an index may be named where they are only visible inside the outer type.
enum MacroIndexOuter {
    typealias Year = Int
    static let span = 10

    @Model struct Inner {
        #Index<Inner>("decade", version: 1) { (song: Inner) -> Year in song.year / span * span }
        #Index<MacroIndexOuter.Inner>([\Inner.year, \Self.name])
        var year: Year
        var name: String
    }
}

@Model public struct MacroIndexPublic {
    #Unique<MacroIndexPublic>([\.code], identity: true)
    #Unique<MacroIndexPublic>([\.name], identity: false)
    #Index<MacroIndexPublic>([\.name, \.code])
    public var code: String
    public var name: String
}

@Model struct MacroIndexPlain {
    @Attribute(.indexed(ignoring: [.case, .diacritics]), .substring(ignoresDiacritics: true)) var name: String
    @Attribute(.unique(ignoring: .diacritics)) var code: String
}

@Model struct MacroIndexesByHand {
    var year: Int
    static var indexes: [Index<MacroIndexesByHand>] { [Index(\.year, name: "by hand")] }
}
