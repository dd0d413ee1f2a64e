import Foundation
import Trove

enum Photos: Recipe {
    @Model
    struct Photo {
        var title: String
        /// Kept apart from the record, and read when it is asked for.
        var image: Lazy<Data>
    }

    @Model
    final class Article {
        var title: String
        @Attribute(.lazy, .fullText) var text: String = ""

        init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    static let title = "large values that are read when they are asked for"
    static let printed = [
        "Fjord, its image not loaded",
        "its image has 2000000 bytes",
        "the text with 'canon': Fugues",
        "it begins: A canon",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Photo.self, Article.self)
        try store.save(Photo(title: "Fjord", image: Lazy(Data(repeating: 7, count: 2_000_000))))
        for photo in try store.fetch(Photo.self).all() {
            print("\(photo.title), its image \(photo.image.isLoaded ? "loaded" : "not loaded")")
            print("its image has \(try photo.image.load().count) bytes")
        }

        // A class reads by itself.
        let context = ObjectContext(store)
        try context.insert(Article(title: "Fugues", text: "A canon " + String(repeating: "and another voice ", count: 500)))
        try context.insert(Article(title: "Dances", text: "A gigue " + String(repeating: "and another step ", count: 500)))
        try context.save()
        let reader = ObjectContext(store)
        for article in try reader.fetch(Article.self).where({ $0.hasWords("canon") }).all() {
            print("the text with 'canon': \(article.title)")
            print("it begins: \(article.text.prefix(7))")
        }
        try store.close()
    }
}
