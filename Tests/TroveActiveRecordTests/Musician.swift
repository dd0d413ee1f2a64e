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
