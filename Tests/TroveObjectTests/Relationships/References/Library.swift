import Foundation
import TestSupport
import Trove

// A library whose models refer to each other in every form, by ids of several kinds.

@Model struct Composer: Equatable {
    var id: String
    var name: String
    var born: Int?
    var mentor: Reference<Composer>?
}

@Model struct Disc: Equatable {
    var id: Int16
    var title: String
    var year: Int?
    var artist: Reference<Composer>?
    var labels: [String] = []
}

/// Points with every shape of relationship.
@Model struct Piece: Equatable {
    var id: Int
    var title: String
    var album: Reference<Disc>?
    var writers: [Reference<Composer>] = []
    var guests: Set<Reference<Composer>> = []
    var roles: [String: Reference<Composer>] = [:]
    var edition: Reference<Printing>?
    @Relationship(whenTargetDeleted: .noAction) var original: Reference<Piece>
    var about: AnyReference?
    var links: [AnyReference] = []
    @Attribute(.indexed) var rank = 0
}

struct PrintingID: StorableKey {
    var work: String
    var number: Int

    init(_ work: String, _ number: Int) {
        self.work = work
        self.number = number
    }

    func encode(into key: inout KeyEncoder) {
        work.encode(into: &key)
        number.encode(into: &key)
    }

    init(from key: inout KeyDecoder) throws {
        work = try String(from: &key)
        number = try Int(from: &key)
    }
}

@Model struct Printing: Equatable {
    var id: PrintingID
    var printed: Int
    var of: Reference<Disc>?
}

enum Library {
    static func open(_ backend: any StorageBackend) throws -> ObjectStore { try ObjectStore(backend, durability: .relaxed, models: Piece.self) }

    /// A text id that is too long to be whole in an index's entries, or in a key.
    static func long(_ name: String, _ count: Int) -> String { name + String(repeating: "-", count: count) + name }
}
