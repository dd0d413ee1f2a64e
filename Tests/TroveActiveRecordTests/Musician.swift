import Trove
import TroveActiveRecord

@ActiveRecord @Model
final class Musician {
    var name: String
    var born = 1900
    @Relationship(inverse: \Band.members) var band: Band?

    init(name: String, born: Int = 1900) {
        self.name = name
        self.born = born
    }
}

@ActiveRecord @Model
final class Band {
    var name: String
    @Relationship var members: [Musician] = []

    init(name: String) {
        self.name = name
    }
}

@ActiveRecord @Model
final class Shop {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Shelf.shop) var shelves: [Shelf] = []

    init(name: String) {
        self.name = name
    }
}

@ActiveRecord @Model
final class Shelf {
    var name: String
    @Relationship(whenTargetDeleted: .deny) var band: Band?
    @Relationship var shop: Shop?

    init(name: String) {
        self.name = name
    }
}

@ActiveRecord @Model
final class Tour {
    var name: String
    @Relationship(deleteRule: .deny) var band: Band?

    init(name: String) {
        self.name = name
    }
}

@ActiveRecord @Model
final class Song {
    var name: String

    init(name: String) {
        self.name = name
    }

    func didSave() { try? LogEntry(text: "saved \(name)").save() }
}

@ActiveRecord @Model
struct LogEntry {
    var text: String
}
