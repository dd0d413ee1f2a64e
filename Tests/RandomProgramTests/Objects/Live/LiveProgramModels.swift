import Trove

// Rooms own chairs, which have stickers: what a deletion, an orphan and an inverse make of a step.

@Model
final class ProgramRoom {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \ProgramChair.room) var chairs: [ProgramChair] = []

    init(name: String) {
        self.name = name
    }
}

@Model
final class ProgramChair {
    @Attribute(.indexed) var legs: Int
    @Relationship var room: ProgramRoom?
    @Relationship(inverse: \ProgramSticker.chairs) var stickers: [ProgramSticker] = []

    init(legs: Int) {
        self.legs = legs
    }
}

@Model
final class ProgramSticker {
    var name: String
    @Relationship var chairs: [ProgramChair] = []

    init(name: String) {
        self.name = name
    }
}
