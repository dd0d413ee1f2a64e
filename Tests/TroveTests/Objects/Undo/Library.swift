import Trove

/// Shelves own books, which have tags: all ways in which a deletion goes on.
@Model
final class Shelf {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Book.shelf) var books: [Book] = []

    init(name: String) {
        self.name = name
    }
}

@Model
final class Book {
    @Attribute(.indexed) var title: String
    var pages = 0
    @Relationship var shelf: Shelf?
    @Relationship(inverse: \Tag.books) var tags: [Tag] = []

    init(title: String) {
        self.title = title
    }
}

@Model
final class Tag {
    var name: String
    @Relationship var books: [Book] = []

    init(name: String) {
        self.name = name
    }
}
