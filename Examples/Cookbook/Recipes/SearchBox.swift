import Trove

enum SearchBox: Recipe {
    @Model
    struct Book {
        #FullText<Book>([\.title, \.summary])
        var title: String
        var summary: String
        @Attribute(.indexed) var year: Int
    }

    static let title = "words typed by a person: ranked, highlighted, combined with conditions, page by page"
    static let printed = [
        "Moby-Dick; or, The [Whale]: A captain [hunts] a white [whale].",
        "The Old Man and the Sea: An old man [hunts] a fish, not a [whale].",
        "since 1900: The Old Man and the Sea",
        "an empty box shows all: 3",
        "page 1: Walden, The Old Man and the Sea", "page 2: Moby-Dick; or, The Whale",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Book.self)
        try store.save([
            Book(title: "Moby-Dick; or, The Whale", summary: "A captain hunts a white whale.", year: 1851),
            Book(title: "Walden", summary: "A man lives in the woods.", year: 1854),
            Book(title: "The Old Man and the Sea", summary: "An old man hunts a fish, not a whale.", year: 1952),
        ])
        let books = store.fetch(Book.self)

        for hit in try books.search("hunt* whale") { print("\(hit.highlighted(\.title)): \(hit.highlighted(\.summary))") }
        for hit in try books.where({ $0.year >= 1900 }).search("whale") { print("since 1900: \(hit.object.title)") }
        print("an empty box shows all: \(try books.where { $0.title.hasWords("", ifBlank: .findsAll) }.count())")

        // A page goes on where the last one ended, whatever was saved or deleted meanwhile.
        let pages = books.where { $0.year < 2000 }.sorted(by: \.title, .descending)
        var token: ContinuationToken?
        var number = 1
        repeat {
            let (page, next) = try pages.page(2, after: token)
            print("page \(number): \(page.map(\.title).joined(separator: ", "))")
            (token, number) = (next, number + 1)
        } while token != nil
        try store.close()
    }
}
