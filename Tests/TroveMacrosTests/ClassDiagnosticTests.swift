import Testing

/// Every diagnostic of classes: its text, its place, its fix-it.
@Suite struct ClassDiagnosticTests {
    @Test(arguments: declarations) func declaration(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let declarations = [
        DiagnosticCase(
            "not final", "@Model ▸class Song { var title: String }",
            "'Song' must be 'final': a subclass would have properties that '@Model' does not see; a class that models inherit is an '@AbstractModel'",
            fixIt: .init(message: "add 'final'", source: "@Model final class Song { var title: String }")),
        DiagnosticCase(
            "no initializer", "@Model final class ▸Song { var title: String; var year: Int?; var plays = 0 }",
            "'Song' has no initializer, and 'title' has no value; write an initializer, as in 'init(title: String)', or give it a default value"),
        DiagnosticCase(
            "no initializer for several", "@Model final class ▸Song: Named { var title: String; var plays: Int }",
            "'Song' has no initializer, and 'title' and 'plays' have no value; write an initializer, as in 'init(title: String, plays: Int)', or give them default values"),
        DiagnosticCase(
            "no initializer for constants", "@Model final class ▸Song { let id: UUID; let year: Int?; @Relationship var albums: [Album] }",
            "'Song' has no initializer, and 'id' and 'year' have no value; write an initializer, as in 'init(id: UUID, year: Int?)'"),
        DiagnosticCase(
            "superclass", "@Model final class Song: ▸NSObject { var title: String }",
            "'Song' has a superclass, whose properties '@Model' does not see; a model inherits nothing but an '@AbstractModel'"),
        DiagnosticCase(
            "private class", "@Model ▸private final class Song { var title: String }",
            "'Song' is a private class, where the accessors that '@Model' writes cannot be compiled; make it 'fileprivate', which is the same there",
            fixIt: .init(message: "replace 'private' with 'fileprivate'", source: "@Model fileprivate final class Song { var title: String }")),
        DiagnosticCase(
            "final abstract class", "@AbstractModel ▸final class Media { var title: String }",
            "'Media' is 'final', so no model can inherit it; remove 'final', or make it a '@Model'"),
        DiagnosticCase(
            "abstract struct", "@AbstractModel ▸struct Media { var title: String }",
            "'@AbstractModel' works on protocols, and classes that models inherit; it cannot be attached to a struct"),
        DiagnosticCase(
            "abstract enum", "@AbstractModel ▸enum Media { case title }",
            "'@AbstractModel' works on protocols, and classes that models inherit; it cannot be attached to an enum"),
        DiagnosticCase(
            "generic abstract class", "@AbstractModel class Media▸<T> { var title: String }",
            "'@AbstractModel' cannot be attached to a generic class: each 'Media<…>' would need a name and fields of its own"),
        DiagnosticCase(
            "abstract inverse", "@AbstractModel class Media { @Relationship(inverse: \\Person.media) var ▸owner: Person? }",
            "'owner' has an inverse, which would be that of one model alone; declare it in each class that inherits 'Media'"),
        DiagnosticCase(
            "handwritten indexes beside inherited ones", "@Model final class Song: Media { static let ▸indexes: [Index<Song>] = []; let number: Int }",
            "written by hand, this would leave out what 'Media' has; remove it, and declare indexes with '#Index'", inheritsModel: true),
        DiagnosticCase(
            "handwritten schema beside an inherited one", "@Model final class Song: Media { static let ▸schema = ModelSchema(\"Song\", fields: []); let number: Int }",
            "written by hand, this would leave out what 'Media' has; remove it", inheritsModel: true),
        DiagnosticCase(
            "several things inherited", "@Model final ▸class Song: Media & Named { let number: Int }",
            "'Song' inherits 'Media & Named', which is several things at once; write the superclass first and the protocols after it", inheritsModel: true),
        DiagnosticCase(
            "handwritten decoder of an abstract class", "@AbstractModel class Media { let number: Int; ▸init(from record: inout RecordDecoder) throws { number = 1 } }",
            "'@AbstractModel' writes this for the classes that inherit 'Media'; remove it"),
        DiagnosticCase(
            "lazy without a value", "@Model final class Song { @Attribute(▸.lazy) var cover: Data }",
            "'cover' is lazy, and needs a value for when it cannot be read; make it optional, or give it a default value",
            fixIt: .init(message: "make the type optional", source: "@Model final class Song { @Attribute(.lazy) var cover: Data? }")),
        DiagnosticCase(
            "lazy without a type", "@Model final class Song { @Attribute(▸.lazy) var text = \"\" }", "'text' is lazy, and its type has to be written"),
        DiagnosticCase(
            "lazy constant", "@Model final class Song { @Attribute(▸.lazy) let text: String? }",
            "'text' is lazy, and a constant could not be read later; make it a 'var'"),
        DiagnosticCase(
            "lazy with observers", "@Model final class Song { @Attribute(▸.lazy) var text: String = \"\" { didSet {} } }",
            "'text' is lazy and has observers, which reading it would call; remove them"),
        DiagnosticCase(
            "twice lazy", "@Model final class Song { @Attribute(▸.lazy) var text: Lazy<String> = Lazy(\"\") }", "the type of 'text' is lazy itself; remove '.lazy'"),
        DiagnosticCase(
            "lazy relationship", "@Model final class Song { @Attribute(▸.lazy) @Relationship var album: Album? }",
            "the objects of 'album' are read when they are asked for without '.lazy'; remove it"),
        DiagnosticCase(
            "lazy references", "@Model final class Song { @Attribute(▸.lazy) var albums: [Reference<Album>] = [] }",
            "'albums' has references, which are read with their object; remove '.lazy'"),
        DiagnosticCase(
            "lazy reference to anything", "@Model final class Song { @Attribute(▸.lazy) var other: AnyReference? }",
            "'other' has references, which are read with their object; remove '.lazy'"),
        DiagnosticCase(
            "lazy in a struct", "@Model struct Song { @Attribute(▸.lazy) var cover: Data? }",
            "'.lazy' is for the properties of classes, whose objects know their store; in a struct make the type 'Lazy<Data?>'",
            fixIt: .init(message: "make the type 'Lazy<Data?>'", source: "@Model struct Song { @Attribute(.lazy) var cover: Lazy<Data?> }")),
        DiagnosticCase(
            "inherited id", "@Model final class Song: Media { let ▸id: Int }", "the id is that of 'Media', which 'Song' inherits; remove this", inheritsModel: true),
        DiagnosticCase(
            "inherited identity", "@Model final class Song: Media { ▸#Unique<Song>([\\.number], identity: true); let number: Int }",
            "the id is that of 'Media', which 'Song' inherits; remove this", inheritsModel: true),
        DiagnosticCase(
            "generic class", "@Model final class Box▸<T> { var value: Int }",
            "'@Model' cannot be attached to a generic class: each 'Box<…>' would need a name and fields of its own"),
        DiagnosticCase(
            "inside a generic type", "struct Outer<T> { @Model final class ▸Song { var title: String } }",
            "'@Model' cannot be attached to a class inside a generic type or function; move 'Song' out"),
        DiagnosticCase(
            "directive of another class", "@Model final class Song { #Index<▸Album>([\\.title]); var title: String }",
            "'#Index' names another type than the class it is in: write '#Index<Song>'",
            fixIt: .init(
                message: "name 'Song'", source: "@Model final class Song { #Index<Song>([\\.title]); var title: String }")),
    ]

    @Test(arguments: properties) func property(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let properties = [
        DiagnosticCase(
            "variable id", "@Model final class Song { var ▸id: String }",
            "'id' tells which record the object is, and must be a 'let'",
            fixIt: .init(message: "replace 'var' with 'let'", source: "@Model final class Song { let id: String }")),
        DiagnosticCase(
            "id with a value", "@Model final class Song { let ▸id = UUID() }",
            "'id' is a constant with a value, so that of a stored object could not be read back into it; write 'let id: UUID', and give it its value in "
                + "the initializers, or leave it out for an 'ObjectID'",
            fixIt: .init(message: "write 'let id: UUID'", source: "@Model final class Song { let id: UUID }")),
        DiagnosticCase(
            "variable id with a value", "@Model final class Song { var ▸id = UUID() }",
            "'id' tells which record the object is, and must be a constant without a value here; write 'let id: UUID', and give it its value in "
                + "the initializers, or leave it out for an 'ObjectID'",
            fixIt: .init(message: "write 'let id: UUID'", source: "@Model final class Song { let id: UUID }")),
        DiagnosticCase(
            "variable id with a value and a type", "@Model final class Song { public var ▸id: Song.Number = .next() }",
            "'id' tells which record the object is, and must be a constant without a value here; write 'let id: Song.Number', and give it its value in "
                + "the initializers, or leave it out for an 'ObjectID'",
            fixIt: .init(message: "write 'let id: Song.Number'", source: "@Model final class Song { public let id: Song.Number }")),
        DiagnosticCase(
            "variable id with a value of an unknown type", "@Model final class Song { var ▸id = next() }",
            "'id' tells which record the object is, and must be a constant without a value here; write 'let id' with its type, and give it its value in "
                + "the initializers, or leave it out for an 'ObjectID'"),
        DiagnosticCase(
            "function named as the id", "@Model final class Song { var title = \"\"; func ▸id() -> Int { 1 } }",
            "'id' is the property that tells which record an object is; give the function another name"),
        DiagnosticCase(
            "type of an id that is not there", "@Model final class Song { typealias ▸ID = Int; var title = \"\" }",
            "'ID' is the type of the id, and 'Song' declares none; write 'let id: ID', or give the type another name"),
        DiagnosticCase(
            "constant with a value", "@Model final class Song { let ▸year = 1900 }",
            "'year' is a constant with a value, so a stored value could not be read back into it; "
                + "make it a 'var' or 'static', or mark it '@Transient'",
            fixIt: .init(message: "replace 'let' with 'var'", source: "@Model final class Song { var year = 1900 }")),
        DiagnosticCase(
            "variable in the identity", "@Model final class Song { #Unique<Song>([\\.▸name], identity: true); var name: String }",
            "'name' tells which record the object is, and must be a 'let'"),
        DiagnosticCase(
            "lazy", "@Model final class Song { lazy var ▸words = title.split() }",
            "'words' is 'lazy', and reading it for a save would change the object; make it a computed property, or mark it '@Transient'"),
        DiagnosticCase(
            "weak", "@Model final class Song { weak var ▸player: Player? }",
            "'player' is 'weak', and such references cannot be stored; make it a '@Relationship', which never keeps its object alive, "
                + "or mark it '@Transient'"),
        DiagnosticCase(
            "property wrapper", "@Model final class Song { @Clamped(0...5) var ▸rating: Int }",
            "'rating' has '@Clamped(0...5)', a property wrapper or macro that hides from '@Model' what is stored; "
                + "store a plain property, or mark this one '@Transient'"),
        DiagnosticCase(
            "several variables", "@Model final class Song { var ▸a, b: Int }",
            "several properties are declared as one, and in a class each is given accessors of its own; declare each on its own"),
        DiagnosticCase(
            "name of a storage", "@Model final class Song { var title: String; var ▸_title: String }",
            "'_title' is the name that '@Model' keeps the values of 'title' under; give it another name"),
        DiagnosticCase(
            "name of a storage that is transient", "@Model final class Song { var title = \"\"; @Transient var now = 1; @Transient var ▸_now = 2 }",
            "'_now' is the name that '@Model' keeps the values of 'now' under; give it another name"),
        DiagnosticCase(
            "transient in a condition",
            """
            @Model final class Song {
                var title = ""
                #if DEBUG
                @Transient var ▸now = 1
                #endif
            }
            """, "'now' is inside '#if', where '@Model' gives it no accessors; move it out"),
        DiagnosticCase(
            "no initializer beside an attribute of Swift", "@dynamicMemberLookup @Model final class ▸Song { let title: String }",
            "'Song' has no initializer, and 'title' has no value; write an initializer, as in 'init(title: String)'"),
        DiagnosticCase(
            "name without a key path", "@Model final class Song { var ▸`Type`: String }",
            "a stored property named 'Type' cannot be named in a key path; give it another name"),
        DiagnosticCase(
            "on the main actor", "▸@MainActor @Model final class Song { var title: String }",
            "'Song' is a model, whose objects may be used on any thread; remove '@MainActor'",
            fixIt: .init(message: "remove '@MainActor'", source: "@Model final class Song { var title: String }")),
        DiagnosticCase(
            "observable", "▸@Observable @Model final class Song { var title: String }",
            "the properties of 'Song' can be observed without '@Observable', which cannot stand beside '@Model'; remove it"),
        DiagnosticCase(
            "method that hides the module", "@Model final class Song { var title: String; func ▸Trove() {} }",
            "a member named 'Trove' hides the module of that name from the code '@Model' writes; give it another name"),
    ]

    @Test(arguments: relationships) func relationship(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let relationships = [
        DiagnosticCase(
            "required target", "@Model final class Song { @Relationship var ▸album: Album }",
            "'album' is a relationship to one object, which may not be there: make it optional",
            fixIt: .init(message: "make it 'Album?'", source: "@Model final class Song { @Relationship var album: Album? }")),
        DiagnosticCase(
            "relationship to a value", "@Model final class Song { @Relationship var ▸year: Int? }",
            "'year' is a relationship, but 'Int?' refers to no object; remove '@Relationship'",
            fixIt: .init(message: "remove '@Relationship'", source: "@Model final class Song { var year: Int? }")),
        DiagnosticCase(
            "relationship by number", "@Model final class Album { @Relationship var songs: ▸[Int: Song] }",
            "'songs' is a relationship by name, so that its keys are of the type 'String'; change the type of the keys"),
        DiagnosticCase(
            "optional collection", "@Model final class Album { @Relationship var ▸songs: [Song]? }",
            "'songs' is a relationship to many, which is empty when there are none; remove the '?'",
            fixIt: .init(message: "make it '[Song]'", source: "@Model final class Album { @Relationship var songs: [Song] }")),
        DiagnosticCase(
            "optional members", "@Model final class Album { @Relationship var songs: [▸Song?] }",
            "'songs' is a relationship, whose objects are never nil; remove the '?' behind 'Song'",
            fixIt: .init(message: "make it 'Song'", source: "@Model final class Album { @Relationship var songs: [Song] }")),
        DiagnosticCase(
            "optional of an optional", "@Model final class Song { @Relationship var album: ▸Album?? }",
            "'album' is a relationship, which is nil in one way only; remove the '?' behind 'Album'",
            fixIt: .init(message: "make it 'Album'", source: "@Model final class Song { @Relationship var album: Album? }")),
        DiagnosticCase(
            "objects of any model", "@Model final class Song { @Relationship var others: Set<▸any Model> }",
            "'others' is a relationship, which refers to objects of one model or abstract model; write its name in place of 'any Model'"),
        DiagnosticCase(
            "collections by name", "@Model final class Shelf { @Relationship var albums: [String: ▸[Album]] }",
            "'albums' is a relationship, which refers to objects of one model or abstract model; write its name in place of '[Album]'"),
        DiagnosticCase(
            "constant relationship", "@Model final class Song { @Relationship let ▸album: Album? }",
            "'album' is a relationship, which the deletion of its object changes; make it a 'var'",
            fixIt: .init(message: "replace 'let' with 'var'", source: "@Model final class Song { @Relationship var album: Album? }")),
        DiagnosticCase(
            "untyped relationship", "@Model final class Album { @Relationship var ▸songs = [Song]() }",
            "'songs' is a relationship and needs its type written, as in 'var songs: [Song] = []'",
            fixIt: .init(
                message: "write the type of 'songs'", source: "@Model final class Album { @Relationship var songs: <#Type#> = [Song]() }")),
        DiagnosticCase(
            "observed relationship", "@Model final class Song { @Relationship var ▸album: Album? { didSet {} } }",
            "'album' is a relationship, which also changes when its other side does, where no observer runs; remove 'willSet' and 'didSet'"),
        DiagnosticCase(
            "empty inverse", "@Model final class Song { @Relationship(inverse: ▸\"\") var album: Album? }",
            "the inverse of 'album' must be a key path with its type, as in '\\Album.songs', or the property's name"),
    ]
}
