import Trove

/// Shelves own books, which have tags: all ways in which a deletion goes on.
@Model
final class UndoShelf {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \UndoBook.shelf) var books: [UndoBook] = []

    init(name: String) {
        self.name = name
    }
}

@Model
final class UndoBook {
    @Attribute(.indexed) var title: String
    var pages = 0
    @Attribute(.lazy) var text: String = ""
    @Relationship var shelf: UndoShelf?
    @Relationship(inverse: \UndoTag.books) var tags: [UndoTag] = []

    init(title: String) {
        self.title = title
    }
}

@Model
final class UndoTag {
    var name: String
    @Relationship var books: [UndoBook] = []

    init(name: String) {
        self.name = name
    }
}

/// Points at a shelf, which knows nothing of it.
@Model
final class UndoNote {
    var text: String
    @Relationship var shelf: UndoShelf?

    init(text: String, shelf: UndoShelf? = nil) {
        self.text = text
        self.shelf = shelf
    }
}

/// Points at two shelves, which know nothing of it.
@Model
final class UndoPair {
    let id: Int
    @Relationship var left: UndoShelf?
    @Relationship var right: UndoShelf?
    var label = ""

    init(id: Int) {
        self.id = id
    }
}
