import Testing

/// The likeliest mistakes, and what the compiler says of them: each message names the property or says what to write.
@Suite(.enabled(if: SourceCheck.isPossible)) struct MistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String
        /// What one of the errors has to be.
        let message: String

        init(_ name: String, _ source: String, _ message: String) {
            testDescription = name
            self.source = source
            self.message = message
        }

        /// A mistake in a function that has a store.
        static func statement(_ name: String, _ statement: String, _ message: String) -> Mistake {
            Mistake(name, "private func run(store: ObjectStore, context: ObjectContext, wanted: Int?) async throws {\n\(statement)\n}", message)
        }
    }

    private static let models = """
        import Foundation
        import Trove
        @Model struct Song { var title: String; var year: Int; var rating: Double? }
        @Model struct Flagged { var isOn: Bool? }
        @Model final class Note { var title = ""; init() {} }

        """

    private static let noYeer = "value of type 'Fields<Song>' has no dynamic member 'yeer' using key path from root type 'Song'"

    private static let heldModel =
        "'init(_:_:originalName:hasDefault:options:)' is unavailable: an object of a model has its own record, and others refer to it: make this a 'Reference', "
        + "as in 'Reference<Song>?' or '[Reference<Song>]', or between classes a '@Relationship'"

    private static let notChosen = "'buildExpression' is unavailable: only values of types that Trove stores natively are selected and grouped: make an enum 'StorableConvertible'"

    /// Each stands in a file of one module.
    private static let statements: [Mistake] = [
        .statement("wrong name", "_ = try await store.fetch(Song.self).where { $0.yeer > 1 }.all()", noYeer),
        .statement("wrong name, without a result", "_ = store.fetch(Song.self).where { $0.yeer > 1 }", noYeer),
        .statement("wrong name among others", "_ = store.fetch(Song.self).where { $0.yeer > 1 && $0.title == \"x\" }", noYeer),
        .statement(
            "wrong type", "_ = store.fetch(Song.self).where { $0.year > \"1990\" }",
            "'>' is unavailable: this property has another type than the value, so they do not compare; write a value of the property's type"),
        .statement(
            "wrong type of a text", "_ = store.fetch(Song.self).where { $0.title == 5 }",
            "'==' is unavailable: this property has another type than the value, so they do not compare; write a value of the property's type"),
        .statement(
            "optional against value", "_ = store.fetch(Song.self).where { $0.year == wanted }",
            "value of optional type 'Int?' must be unwrapped to a value of type 'Int'"),
        .statement(
            "nil against value", "_ = store.fetch(Song.self).where { $0.year == nil }",
            "'==' is unavailable: this property is never nil, so there is nothing to compare; make it optional, or remove the condition"),
        .statement("unknown sort key", "_ = store.fetch(Song.self).sorted(by: \\.yeer)", "value of type 'Song' has no member 'yeer'"),
        .statement(
            "unknown sort key after a condition", "_ = store.fetch(Song.self).where { $0.year > 1 }.sorted(by: \\.yeer, .descending)",
            "value of type 'Song' has no member 'yeer'"),
        .statement("unknown key of groups", "_ = try store.fetch(Song.self).grouped(by: \\.yeer).aggregate(.count)", "value of type 'Song' has no member 'yeer'"),
        .statement("unknown property of a sum", "_ = try await store.fetch(Song.self).aggregate(.sum(\\.yeer))", "value of type 'Song' has no member 'yeer'"),
        .statement("unknown property of different values", "_ = try await store.fetch(Song.self).distinct(\\.yeer)", "value of type 'Song' has no member 'yeer'"),
        .statement(
            "changed case", "_ = store.fetch(Song.self).where { $0.title.lowercased() == \"x\" }",
            "'lowercased()' is unavailable: a condition does not change texts; ignore the case where you compare: equals(\"x\", ignoringCase: true), and so in hasPrefix, hasSuffix, contains, isIn and matches"),
        .statement("prefix of a sequence", "_ = store.fetch(Song.self).where { $0.title.starts(with: \"x\") }", "'starts(with:)' has been renamed to 'hasPrefix(_:ignoringCase:)'"),
        .statement(
            "part by a locale", "_ = store.fetch(Song.self).where { $0.title.localizedStandardContains(\"x\") }",
            "'localizedStandardContains' is unavailable: a store knows no locale; ignore case and accents: contains(\"x\", ignoring: [.case, .diacritics])"),
        .statement(
            "sort by a closure", "_ = store.fetch(Song.self).sorted { $0.year < $1.year }",
            "'sorted' is unavailable: a store sorts by properties: sorted(by: \\.year), sorted(by: \\.year, .descending); to sort objects in memory, sort what all() gives"),
        .statement(
            "optional Bool as a condition", "_ = store.fetch(Flagged.self).where { $0.isOn }",
            "'where' is unavailable: a property of type 'Bool?' is true, false or nil: write '$0.isLive == true'"),
        .statement(
            "condition as text", "_ = store.fetch(Song.self).where(\"year > ?\", 1990)",
            "'where' has been renamed to 'matching(_:_:)': a condition as text is 'matching(\"year > ?\", 1990)'"),
        .statement(
            "sections of a fetch", "func show(_ notes: Fetch<Note, ObjectContext>) throws { _ = try notes.results(sectionedBy: \\.title) }",
            "'results(sectionedBy:)' is unavailable: make the list, and its sections of that: 'results().sectioned(by: \\.artist)'"),
        .statement(
            "struct in a context", "func add(_ song: Song) throws { try context.insert(song) }",
            "'insert' is unavailable: a context keeps objects of classes, and this is a struct: save it in the store, 'try store.save(song)', or make its model a class"),
        .statement(
            "structs in a context", "func add(_ songs: [Song]) throws { try context.insert(songs) }",
            "'insert' is unavailable: a context keeps objects of classes, and these are structs: save them in the store"),
        .statement(
            "struct deleted in a context", "func remove(_ song: Song) throws { try context.delete(song) }",
            "'delete' is unavailable: a context keeps objects of classes, and this is a struct: delete it in the store, 'try store.delete(song)'"),
        .statement("filter of a query", "_ = store.fetch(Song.self).filter { $0.year > 1 }", "'filter' is unavailable: name the condition with 'where { … }'"),
        .statement("first by a closure", "_ = store.fetch(Song.self).first { $0.year > 1 }", "'first(where:)' is unavailable: use 'where { … }.first()'"),
        .statement("contains by a closure", "_ = store.fetch(Song.self).contains { $0.year > 1 }", "'contains(where:)' is unavailable: use 'where { … }.count()', or 'exists()'"),
        .statement("map of a query", "_ = store.fetch(Song.self).map { $0.year }", "'map' is unavailable: end the query with 'all()'"),
        .statement(
            "wrong type of id", "_ = try await store.fetch(Song.self, id: \"x\")",
            "cannot convert value of type 'String' to expected argument type 'ObjectID'"),
        .statement(
            "class without @Model", "final class Plain {}\n_ = store.fetch(Plain.self)",
            "instance method 'fetch' requires that 'Plain' conform to 'Model'"),
    ]

    private static let declarations: [Mistake] = [
        // The compiler accepts the mark of a transient property there, whose accessors it would leave out.
        Mistake(
            "several transient variables of a class", "@Model final class Moment { var title = \"\"; @Transient var first = 1, second = 2 }",
            "several properties are declared as one, and in a class each is given accessors of its own; declare each on its own"),
        Mistake(
            "live objects included",
            "@Model final class Team { var name = \"\"; init() {} }\n@Model final class Player { @Relationship var team: Team?; init() {} }\nfunc run(context: ObjectContext) throws { _ = try context.fetch(Player.self).including { $0.team } }",
            "'subscript(dynamicMember:)' is unavailable: 'including' follows the references of structs"),
        Mistake(
            "class that is Codable", "@Model final class Tune: Codable { var a = 1; init() {} }",
            "Swift cannot make the class 'Tune' 'Codable' by itself"),
        Mistake(
            "SwiftData's external storage", "@Model final class Tune { @Attribute(.externalStorage) var a: Data?; init() {} }",
            "'@Attribute' has no option 'externalStorage'; a large value is kept apart from its record by '.lazy' in a class"),
        Mistake("enum in a selection", "enum Kind: String { case a }\n@Model struct Tune { var kind: Kind }\nfunc run(store: ObjectStore) throws { _ = try store.fetch(Tune.self).select { $0.kind }.all() }", Self.notChosen),
        Mistake(
            "enum among what a selection has",
            "enum Kind: String { case a }\n@Model struct Tune { var year: Int; var kind: Kind }\nfunc run(store: ObjectStore) throws { _ = try store.fetch(Tune.self).select { ($0.year, $0.kind) }.all() }",
            Self.notChosen),
        Mistake("enum as a group", "enum Kind: String { case a }\n@Model struct Tune { var kind: Kind }\nfunc run(store: ObjectStore) throws { _ = try store.fetch(Tune.self).grouped { $0.kind }.aggregate(.count) }", Self.notChosen),
        Mistake(
            "update of a context's objects",
            "@Model final class Tune { var plays: Int; init(plays: Int) { self.plays = plays } }\nfunc run(context: ObjectContext) throws { _ = try context.fetch(Tune.self).update { $0.plays += 1 } }",
            "'update' is unavailable: objects of a context are changed as other objects are: 'for object in try fetch.all() { … }', and the context is saved; many records at once are changed by a fetch of the store"),
        Mistake(
            "forgotten try", "func run(store: ObjectStore) throws { _ = store.fetch(Song.self).all() }",
            "call can throw but is not marked with 'try'"),
        Mistake(
            "class without @Relationship",
            """
            @Model final class Band { var name = ""; var members: [Player] = []; init() {} }
            @Model final class Player { var name = ""; init() {} }
            """,
            "'init(_:_:originalName:hasDefault:options:)' is unavailable: a property that gives objects is a relationship: "
                + "write '@Relationship' before it"),
        Mistake(
            "unstorable property", "struct Color { var red = 0 }\n@Model struct Painting { var color: Color }",
            "'init(_:_:originalName:hasDefault:options:)' is unavailable: this type cannot be stored: make it Codable, or an enum with a raw value, "
                + "or mark the property '@Transient'"),
        Mistake("model in a model", "@Model struct Album { var best: Song }", Self.heldModel),
        Mistake("optional model in a model", "@Model struct Album { var best: Song? }", Self.heldModel),
        Mistake("models in a model", "@Model struct Album { var songs: [Song] }", Self.heldModel),
        Mistake("models by name in a class", "@Model final class Album { var songs: [String: Song] = [:] }", Self.heldModel),
        Mistake("two marks", "@Model @Model struct Thing { var number = 1 }", "'Thing' is marked as a model twice; remove '@Model'"),
        Mistake("two kinds of marks", "@AbstractModel @Model class Thing { var number = 1; init() {} }", "'Thing' is marked as a model twice; remove '@AbstractModel'"),
        Mistake(
            "enum as an id", "enum Kind: String, Codable { case a }\n@Model struct Thing { var id: Kind }",
            "'decodeID()' is unavailable: an id must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"),
        Mistake(
            "enum in an identity",
            "enum Kind: String { case a }\n@Model struct Thing { #Unique<Thing>([\\.kind, \\.number], identity: true); var kind: Kind; var number: Int }",
            "'_keyPart' is unavailable: a property of an identity must be a 'StorableKey', such as an enum with a raw value: "
                + "'enum Kind: String, StorableKey'"),
        // Swift resolves the arguments of both attributes while it finds out what the other's type is; nothing of Trove's is asked before.
        Mistake(
            "inverse on both sides",
            """
            @Model final class Band { @Relationship(inverse: \\Player.band) var members: [Player] = []; init() {} }
            @Model final class Player { @Relationship(inverse: \\Band.members) var band: Band?; init() {} }
            """,
            "circular reference resolving attached macro 'Relationship'"),
        Mistake(
            "superclass", "class Base { var code = \"\" }\n@Model final class Sub: Base { var number = 1; override init() {} }",
            "'check()' is unavailable: a superclass's properties would not be stored; write '@AbstractModel' before the superclass, "
                + "or declare them in the class itself"),
        Mistake(
            "property of a subclass", "@AbstractModel class Base { var code = \"\"; init() {} }\n@Model final class Sub: Base { var number = 1; override init() { super.init() } }\n"
                + "func found(_ context: ObjectContext) throws -> Int { try context.fetchAny(Base.self).where { $0.number == 1 }.count() }",
            "value of type 'MixedFields<Base>' has no dynamic member 'number' using key path from root type 'Base'"),
        Mistake(
            "abstract model as a model", "@AbstractModel class Base { var code = \"\"; init() {} }\n"
                + "func found(_ context: ObjectContext) throws -> [Base] { try context.fetch(Base.self).all() }",
            "instance method 'fetch' requires that 'Base' conform to 'Model'"),
    ]

    @Test(arguments: declarations) func isToldByItsName(_ mistake: Mistake) throws {
        check(mistake, try SourceCheck().errors(in: Self.models + mistake.source))
    }

    @Test func statementsAreToldByTheirNames() throws {
        let sources = Self.statements.map { "import Foundation\nimport Trove\n" + $0.source }
        let errors = try SourceCheck().errors(inEach: sources + [Self.models])
        for (mistake, errors) in zip(Self.statements, errors) { check(mistake, errors) }
        #expect(errors.last == [])
    }

    private func check(_ mistake: Mistake, _ errors: [String]) {
        let all = "\(mistake.testDescription): \(errors.joined(separator: "\n"))"
        #expect(errors.contains { $0.hasPrefix(mistake.message) }, "\(all)")
        #expect(!errors.contains { $0.contains("failed to produce diagnostic") || $0.contains("Sequence") }, "\(all)")
    }

    /// A model that is `Codable` may be stored as a value, and references are what the message advises.
    @Test func modelsThatAreValuesAreStored() throws {
        let source = """
            @Model struct Tag: Codable { var name: String }
            struct Place: Codable { var city: String }
            @Model struct Album {
                var tag: Tag; var last: Tag?; var tags: [Tag]; var place: Place; var second: Place?; var places: [String: Place]
                var best: Reference<Song>; var worst: Reference<Song>?; var songs: [Reference<Song>]
            }
            """
        #expect(try SourceCheck().errors(in: Self.models + source) == [])
    }

    /// The advice is never chosen where the call is right.
    @Test func classesGoIntoContexts() throws {
        let source = """
            @AbstractModel class Media { var code = ""; init() {} }
            @Model final class Film: Media { var length = 1; override init() { super.init() } }
            @Model final class Tune { var name = ""; init() {} }
            func run(context: ObjectContext, tune: Tune, film: Film, media: Media, any: any LiveModel, all: [any LiveModel]) throws {
                try context.insert(tune)
                try context.insert(film)
                try context.insert(media)
                try context.insert(any)
                try context.insert(all)
                try context.insert([tune])
                try context.insert([film, tune])
                try context.insert([film] as [Media])
                try context.delete(tune)
                try context.delete(film)
                try context.delete(media)
                try context.delete(any)
                try context.delete([tune])
                try context.delete([film, tune])
            }
            func insert<Object: LiveModel>(_ object: Object, into context: ObjectContext) throws {
                try context.insert(object)
                try context.insert([object])
                try context.delete(object)
            }
            """
        #expect(try SourceCheck().errors(in: Self.models + source) == [])
    }

    /// Protocols of all kinds in the first place, where a superclass would stand.
    @Test func protocolsAreNoSuperclasses() throws {
        let source = """
            protocol Named: AnyObject { associatedtype Part; var name: String { get } }
            protocol Plain {}
            protocol Bound: AnyObject {}
            enum Space { protocol Inner {} }
            typealias Both = Plain & Bound
            @Model final class A: Named { typealias Part = Int; var name = ""; init() {} }
            @Model final class B: Bound, Plain { var name = ""; init() {} }
            @Model final class C: @unchecked Sendable { var name = ""; init() {} }
            @Model final class D: Plain & Bound { var name = ""; init() {} }
            @Model final class E: Space.Inner { var name = ""; init() {} }
            @Model final class F: Both { var name = ""; init() {} }
            """
        #expect(try SourceCheck().errors(in: Self.models + source) == [])
    }
}
