import Testing

/// A mistake that the macros tell is the only error of a program, however much of it uses the model.
@Suite(.enabled(if: SourceCheck.isPossible)) struct OnlyErrorTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What stands in the braces of the class.
        let members: String
        let message: String
        let initializer: String

        init(_ name: String, _ members: String, _ message: String, initializer: String = "init() { name = \"\" }") {
            testDescription = name
            self.members = members
            self.message = message
            self.initializer = initializer
        }
    }

    private static let mistakes: [Mistake] = [
        Mistake("redundant index", "@Attribute(.indexed, .unique) var code = 1", "the unique index of 'code' serves queries too; remove this one"),
        Mistake("repeated attribute", "@Attribute(.indexed) @Attribute(.writeOnce) var code = 1", "'code' has '@Attribute' twice; write one with all options"),
        Mistake("variable id", "var id = UUID()", "'id' tells which record the object is, and must be a constant without a value here; write 'let id: UUID'"),
        Mistake("constant id with a value", "let id = UUID()", "'id' is a constant with a value, so that of a stored object could not be read back into it"),
        Mistake("type of an id that is not there", "typealias ID = Int", "'ID' is the type of the id, and 'Author' declares none; write 'let id: ID'"),
        Mistake("constant with a value", "let year = 1900", "'year' is a constant with a value"),
        Mistake("lazy property", "lazy var words = [name]", "'words' is 'lazy'"),
        Mistake("weak property", "weak var player: Plain?", "'player' is 'weak'"),
        Mistake("several variables", "var one = 1, two = 2", "several properties are declared as one"),
        Mistake("tuple", "var (one, two) = (1, 2)", "'(one, two)' declares several properties as one"),
        Mistake("property wrapper", "@Clamped var rating = 1", "'rating' has '@Clamped', a property wrapper"),
        Mistake("name of a storage", "var _name = 1", "'_name' is the name that '@Model' keeps the values of 'name' under"),
        Mistake(
            "transient without a value", "@Transient var page: Int!; @Transient let place: Int", "'place' is '@Transient' and needs a default value",
            initializer: "init(place: Int) { (name, self.place) = (\"\", place) }"),
        Mistake(
            "required target", "@Relationship var rival: Author", "'rival' is a relationship to one object",
            initializer: "init(rival: Author) { (name, self.rival) = (\"\", rival) }"),
        Mistake("optional collection", "@Relationship var rivals: [Author]?", "'rivals' is a relationship to many"),
        Mistake("wrong index", "#Index<Author>([\\.name, \\.name])", "'name' is in the index twice"),
        Mistake("variable in the identity", "#Unique<Author>([\\.name], identity: true)", "'name' tells which record the object is, and must be a 'let'"),
        Mistake("stored in #if", "#if os(Linux)\nvar path = 1\n#endif", "'path' is stored inside '#if'"),
    ]

    private static func source(attributes: String = "@Model", header: String = "final class Author", members: String = "", initializer: String = "") -> String {
        """
        import Foundation
        import Trove
        final class Plain {}
        @propertyWrapper struct Clamped { var wrappedValue: Int }
        \(attributes) \(header) {
            var name: String
            \(members)
            @Relationship(inverse: \\Book.author) var books: [Book] = []
            \(initializer)
        }
        @Model final class Book {
            var title: String
            @Relationship var author: Author?
            init(title: String, author: Author?) { self.title = title; self.author = author }
        }
        func run(store: ObjectStore, context: ObjectContext, author: Author) async throws {
            let book = Book(title: "Emma", author: author)
            try context.insert(author)
            try context.insert(book)
            try await context.save()
            author.books.append(book)
            author.name = "Jane"
            _ = try await context.fetch(Author.self).where { $0.name == "Jane" }.sorted(by: \\.name).all().map(\\.name)
            _ = try await context.fetch(Book.self).where { $0.author.name == "Jane" }.sorted(by: \\.title).all().map { $0.author?.name }
            _ = try await store.fetch(Author.self, id: author.id)
            _ = try await store.fetch(Author.self).where { $0.books.any { $0.title == "Emma" } }.count()
        }
        """
    }

    @Test(arguments: mistakes) func ofAMember(_ mistake: Mistake) throws {
        try expectOnly(mistake.message, in: Self.source(members: mistake.members, initializer: mistake.initializer))
    }

    @Test func ofTheDeclaration() throws {
        let initializer = "init(name: String) { self.name = name }\nstatic func made() -> Author { Author(name: \"Jane\") }"
        try expectOnly("'Author' is marked as a model twice; remove '@Model'", in: Self.source(attributes: "@Model @Model", initializer: initializer))
        try expectOnly("'Author' is marked as a model twice; remove '@AbstractModel'", in: Self.source(attributes: "@AbstractModel @Model", initializer: initializer))
        try expectOnly("'version' must be a decimal integer literal", in: Self.source(attributes: "@Model(version: 0)", initializer: initializer))
    }

    @Test func ofAMissingInitializer() throws {
        let use = "\nfunc make() -> Author { Author(name: \"Jane\", year: 1775) }"
        try expectOnly(
            "'Author' has no initializer, and 'name' and 'year' have no value; write an initializer, as in 'init(name: String, year: Int)'",
            in: Self.source(members: "var year: Int", initializer: "") + use)
    }

    /// A class of which each property has a value needs no initializer.
    @Test func noneWhereEverythingHasAValue() throws {
        let source = "import Trove\n@Model final class Author { var name = \"\"; var year: Int?; @Relationship var rivals: [Author] }\nlet author = Author()"
        #expect(try SourceCheck().errors(in: source) == [])
    }

    /// What has the id's names without being in its way.
    @Test func ofNoneThatOnlyLooksLikeAnID() throws {
        let source = """
            import Trove
            @Model struct Song { typealias ID = ObjectID; var title: String; static func id() -> Int { 1 } }
            @Model final class Album { #Unique<Album>([\\.name], identity: true); typealias ID = String; let name: String; init() { name = "" } }
            @Model final class Author { var name = ""; func id(of name: String) -> Int { 1 } }
            """
        #expect(try SourceCheck().errors(in: source) == [])
    }

    private func expectOnly(_ message: String, in source: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let errors = try SourceCheck().errors(in: source)
        #expect(errors.count == 1 && errors.first?.hasPrefix(message) ?? false, "\(errors.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }
}
