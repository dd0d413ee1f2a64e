import Foundation
import Trove

@testable import TestModels

/// Models of the tests of transfers.
enum Transferred {
    @Model struct Track: Equatable {
        #Unique<Track>([\.title])
        @Attribute(.indexed) var artist: String
        var title: String
        var seconds: Double = 180
        var recorded: Date?
        var tags: Set<String> = []
        var album: Reference<Album>?
    }

    @Model struct Album: Equatable {
        let id: String
        var year: Int
        var subject: AnyReference?
    }

    @Model struct Seat: Equatable {
        #Unique<Seat>([\.row, \.number], identity: true)
        var row: String
        var number: Int
        var guest: String?
    }

    @Model struct Pressing: Equatable {
        struct Sleeve: Codable, Hashable, Sendable { var colour: String }

        #Unique<Pressing>([\.label, \.number], identity: true)
        var label: String
        var number: Int
        var genre: Genre
        var sleeve: Sleeve
    }

    @Model struct Signed: Equatable {
        let id: Int
        @Attribute(.writeOnce) var by: String
        @Attribute(.keepIfNil) var note: String?
    }

    @Model struct Payment: Equatable {
        #Index<Payment>([\.account], aggregates: [.sum(\.amount)])
        let id: Int
        var account: String
        var amount: Decimal
    }

    @Model("Café") struct Cafe: Equatable {
        let id: Int
        var a: String
    }

    @Model final class Person {
        var name: String
        var born: Date?
        @Relationship var friends: [Person] = []
        init(name: String) { self.name = name }
    }
}

/// A model at its first version.
@Model("Ticket") struct TicketBefore: Equatable {
    let id: Int
    var price: Int32
}

/// The same later.
@Model("Ticket", version: 2) struct TicketAfter: Equatable {
    let id: Int
    var price: Int64
    var note: String = "none"

    mutating func upgrade(from old: StoredRecord) throws { note = "upgraded" }
}
