import Testing

/// Every diagnostic: its text, its place, its fix-it.
@Suite struct DiagnosticTests {
    @Test(arguments: declarations) func declaration(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let declarations = [
        DiagnosticCase("enum", "@Model ▸enum Song { case a }", "'@Model' works on structs and final classes; it cannot be attached to an enum"),
        DiagnosticCase("actor", "@Model ▸actor Song {}", "'@Model' works on structs and final classes; it cannot be attached to an actor"),
        DiagnosticCase("protocol", "@Model ▸protocol Song {}", "'@Model' works on structs and final classes; it cannot be attached to a protocol"),
        DiagnosticCase(
            "generic struct", "@Model struct Box▸<T> { var value: Int }",
            "'@Model' cannot be attached to a generic struct: each 'Box<…>' would need a name and fields of its own"),
        DiagnosticCase(
            "inside a generic type", "struct Outer<T> { @Model struct ▸Song { var title: String } }",
            "'@Model' cannot be attached to a struct inside a generic type or function; move 'Song' out"),
        DiagnosticCase(
            "on the main actor", "▸@MainActor @Model struct Song { var title: String }",
            "'Song' is a model, whose values go from thread to thread; remove '@MainActor'",
            fixIt: .init(message: "remove '@MainActor'", source: "@Model struct Song { var title: String }")),
        DiagnosticCase(
            "noncopyable", "@Model struct Song: ▸~Copyable { var title: String }",
            "'@Model' cannot be attached to 'Song', which is noncopyable: a store hands out copies"),
        DiagnosticCase(
            "private and nested", "struct Outer { @Model ▸private struct Song { var title: String } }",
            "'Song' is private in another type, where the extension that '@Model' writes cannot reach it; make it 'fileprivate'",
            fixIt: .init(
                message: "replace 'private' with 'fileprivate'",
                source: "struct Outer { @Model fileprivate struct Song { var title: String } }")),
        DiagnosticCase(
            "in a private nested type", "struct Outer { private enum Inner { @Model struct ▸Song { var title: String } } }",
            "'Song' is inside a private nested type, where the extension that '@Model' writes cannot reach it; make that type 'fileprivate'"),
        DiagnosticCase(
            "interpolated name", #"@Model(▸"song\(1)") struct Song { var title: String }"#,
            "the name a model is stored under must be a string literal that is not empty"),
        DiagnosticCase(
            "empty name", #"@Model(▸"") struct Song { var title: String }"#,
            "the name a model is stored under must be a string literal that is not empty"),
        DiagnosticCase(
            "version 0", "@Model(version: ▸0) struct Song { var title: String }", "'version' must be a decimal integer literal of at least 1"),
        DiagnosticCase(
            "computed version", "@Model(version: ▸latest) struct Song { var title: String }",
            "'version' must be a decimal integer literal of at least 1"),
    ]

    @Test(arguments: properties) func property(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let properties = [
        DiagnosticCase(
            "constant with a value", "@Model struct Song { let ▸year = 1900 }",
            "'year' is a constant with a value, so a stored value could not be read back into it; "
                + "make it a 'var' or 'static', or mark it '@Transient'",
            fixIt: .init(message: "replace 'let' with 'var'", source: "@Model struct Song { var year = 1900 }")),
        DiagnosticCase(
            "constant id with a value", "@Model struct Song { let ▸id = UUID() }",
            "'id' is a constant with a value, so a stored value could not be read back into it; make it a 'var'",
            fixIt: .init(message: "replace 'let' with 'var'", source: "@Model struct Song { var id = UUID() }")),
        DiagnosticCase(
            "function named as the id", "@Model struct Song { var title: String; func ▸id() -> Int { 1 } }",
            "'id' is the property that tells which record an object is; give the function another name"),
        DiagnosticCase(
            "type of an id that is not there", "@Model struct Song { struct ▸ID: StorableKey {}; var title: String }",
            "'ID' is the type of the id, and 'Song' declares none; write 'var id: ID', or give the type another name"),
        DiagnosticCase(
            "lazy", "@Model struct Song { lazy var ▸words = title.split() }",
            "'words' is 'lazy', and reading it for a save would change the object; make it a computed property, or mark it '@Transient'"),
        DiagnosticCase(
            "optional collection of references", "@Model struct Album { var ▸songs: [Reference<Song>]? }",
            "'songs' has references to many, which are empty when there are none; remove the '?'",
            fixIt: .init(message: "make it '[Reference<Song>]'", source: "@Model struct Album { var songs: [Reference<Song>] }")),
        DiagnosticCase(
            "weak", "@Model struct Song { weak var ▸player: Player? }",
            "'player' is 'weak', and such references cannot be stored; store a 'Reference' to the other object, or mark it '@Transient'"),
        DiagnosticCase(
            "unowned", "@Model struct Song { unowned var ▸player: Player }",
            "'player' is 'unowned', and such references cannot be stored; store a 'Reference' to the other object, or mark it '@Transient'"),
        DiagnosticCase(
            "inverse without its type", "@Model struct Song { @Relationship(inverse: ▸\\.songs) var album: Reference<Album>? }",
            "the inverse of 'album' must be a key path with its type, as in '\\Album.songs', or the property's name"),
        DiagnosticCase(
            "relationship as id", "@Model struct Song { ▸@Relationship var id: Reference<Album> }",
            "'id' is the record's key, and refers to no other object; remove '@Relationship'",
            fixIt: .init(message: "remove '@Relationship'", source: "@Model struct Song { var id: Reference<Album> }")),
        DiagnosticCase(
            "computed relationship", "@Model struct Song { @Relationship var ▸album: Reference<Album>? { nil } }",
            "'album' is computed and not stored, so its '@Relationship' says nothing; remove it",
            fixIt: .init(message: "remove '@Relationship'", source: "@Model struct Song { var album: Reference<Album>? { nil } }")),
        DiagnosticCase(
            "property wrapper", "@Model struct Song { @Clamped(0...5) var ▸rating: Int }",
            "'rating' has '@Clamped(0...5)', a property wrapper or macro that hides from '@Model' what is stored; "
                + "store a plain property, or mark this one '@Transient'"),
        DiagnosticCase(
            "another module's attribute of a known name", "@Model struct Song { @SwiftData.Attribute(.unique) var ▸rating: Int }",
            "'rating' has '@SwiftData.Attribute(.unique)', a property wrapper or macro that hides from '@Model' what is stored; "
                + "store a plain property, or mark this one '@Transient'"),
        DiagnosticCase(
            "attributes in #if",
            """
            @Model struct Song {
                ▸#if DEBUG
                @Attribute(.indexed)
                #endif
                var year: Int
            }
            """,
            "attributes of 'year' are inside '#if', but a model is stored in the same way in every build; move them out"),
        DiagnosticCase(
            "nested type that hides the module", "@Model struct Song { enum ▸Trove { }; var title: String }",
            "a member named 'Trove' hides the module of that name from the code '@Model' writes; give it another name"),
        DiagnosticCase(
            "opaque type", "@Model struct Song { var ▸key: some Hashable = 5 }",
            "'key' has an opaque type, which stored values cannot be read back into; write the type"),
        DiagnosticCase(
            "tuple pattern", "@Model struct Song { var ▸(low, high) = (1, 2) }",
            "'(low, high)' declares several properties as one; declare each on its own"),
        DiagnosticCase("declared twice", "@Model struct Song { var title = 1; var ▸title = 2 }", "'title' is declared twice"),
        DiagnosticCase(
            "init accessor",
            "@Model struct Song { var stored: Int; var ▸year: Int { init { } get { stored } } }",
            "'year' has an 'init' accessor, which changes the memberwise initializer that '@Model' calls; declare an initializer in 'Song'"),
        DiagnosticCase(
            "stored in #if",
            """
            @Model struct Song {
                var title: String
                #if os(Linux)
                var ▸path: String
                #endif
            }
            """, "'path' is stored inside '#if', but a model has the same fields in every build; move it out"),
        DiagnosticCase(
            "transient without a value in a condition",
            """
            @Model struct Song {
                var title: String
                #if DEBUG
                @Transient var count = 0
                @Transient let ▸isSelected: Bool
                #endif
            }
            """, "'isSelected' is '@Transient' and needs a default value, which objects read from the store have",
            fixIt: .init(
                message: "give 'isSelected' a default value",
                source: """
                    @Model struct Song {
                        var title: String
                        #if DEBUG
                        @Transient var count = 0
                        @Transient let isSelected: Bool = <#default value#>
                        #endif
                    }
                    """)),
        DiagnosticCase(
            "initializer in a nested #if",
            """
            @Model struct Song {
                #if DEBUG
                #if os(Linux)
                ▸init() {}
                #endif
                #endif
            }
            """, "an initializer inside '#if' leaves open how '@Model' can make objects; move it out or into an extension"),
    ]

    @Test(arguments: attributes) func attribute(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let attributes = [
        DiagnosticCase(
            "transient without a value", "@Model struct Song { @Transient var ▸isSelected: Bool }",
            "'isSelected' is '@Transient' and needs a default value, which objects read from the store have",
            fixIt: .init(
                message: "give 'isSelected' a default value",
                source: "@Model struct Song { @Transient var isSelected: Bool = <#default value#> }")),
        DiagnosticCase(
            "transient and observed without a value", "@Model struct Song { @Transient var ▸isSelected: Bool { didSet {} } }",
            "'isSelected' is '@Transient' and needs a default value, which objects read from the store have",
            fixIt: .init(
                message: "give 'isSelected' a default value",
                source: "@Model struct Song { @Transient var isSelected: Bool = <#default value#> { didSet {} } }")),
        DiagnosticCase(
            "transient constant without a value", "@Model struct Song { @Transient let ▸cache: Int? }",
            "'cache' is '@Transient' and needs a default value, which objects read from the store have",
            fixIt: .init(
                message: "give 'cache' a default value",
                source: "@Model struct Song { @Transient let cache: Int? = <#default value#> }")),
        DiagnosticCase(
            "transient id", "@Model struct Song { @Transient var ▸id = 5 }", "'id' is the record's key and cannot be '@Transient'"),
        DiagnosticCase(
            "transient with options", "@Model struct Song { @Transient @Attribute(.writeOnce) var ▸cache = 5 }",
            "'cache' is '@Transient', so its '@Attribute' says nothing; remove one of them",
            fixIt: .init(message: "remove '@Attribute(.writeOnce)'", source: "@Model struct Song { @Transient var cache = 5 }")),
        DiagnosticCase(
            "options of a computed property", "@Model struct Song { @Attribute(.writeOnce) var ▸display: String { title } }",
            "'display' is computed and not stored, so its '@Attribute' says nothing; remove it",
            fixIt: .init(
                message: "remove '@Attribute(.writeOnce)'", source: "@Model struct Song { var display: String { title } }")),
        DiagnosticCase(
            "options of a static property", "@Model struct Song { @Attribute(.writeOnce) static var ▸limit = 10 }",
            "'limit' is static and not stored, so its '@Attribute' says nothing; remove it"),
        DiagnosticCase(
            "transient static property", "@Model struct Song { @Transient static var ▸limit = 10 }",
            "'limit' is static and not stored, so its '@Transient' says nothing; remove it"),
        DiagnosticCase(
            "options of the id", "@Model struct Song { @Attribute(.writeOnce) var ▸id: Int }",
            "'id' is the record's key, not a field, and takes no '@Attribute'",
            fixIt: .init(message: "remove '@Attribute(.writeOnce)'", source: "@Model struct Song { var id: Int }")),
        DiagnosticCase(
            "attribute twice", "@Model struct Song { @Attribute(.writeOnce) ▸@Attribute(originalName: \"name\") var title: String }",
            "'title' has '@Attribute' twice; write one with all options"),
        DiagnosticCase(
            "options as a list", "@Model struct Song { @Attribute(▸[.writeOnce]) var title: String }",
            "the options of 'title' must be written out, as in '@Attribute(.writeOnce)'"),
        DiagnosticCase(
            "keepIfNil without an optional", "@Model struct Song { @Attribute(.keepIfNil) var ▸rating: Double = 3 }",
            "'.keepIfNil' has no effect on 'rating', which is never nil; make it optional, or remove the option",
            fixIt: .init(
                message: "make the type optional", source: "@Model struct Song { @Attribute(.keepIfNil) var rating: Double? = 3 }")),
        DiagnosticCase(
            "keepIfNil without a type", "@Model struct Song { @Attribute(.keepIfNil) var ▸rating = 3 }",
            "'.keepIfNil' has no effect on 'rating', which is never nil; write its type, an optional"),
        DiagnosticCase(
            "a date that is there before the save", "@Model struct Song { @Attribute(.creationDate) var ▸added: Date }",
            "'added' has no date before it is saved; make it optional",
            fixIt: .init(message: "make the type optional", source: "@Model struct Song { @Attribute(.creationDate) var added: Date? }")),
        DiagnosticCase(
            "a date of a save without a type", "@Model struct Song { @Attribute(.modificationDate) var ▸changed = Date?.none }",
            "'changed' has no date before it is saved; '.modificationDate' is for a property whose type is written out as 'Date?'"),
        DiagnosticCase(
            "a constant date of a save", "@Model struct Song { @Attribute(.creationDate) let ▸added: Date? }",
            "'added' gets its date when it is saved; make it a 'var'"),
        DiagnosticCase(
            "interpolated original name", #"@Model struct Song { @Attribute(originalName: ▸"\(1)") var title: String }"#,
            "the original name of 'title' must be a string literal that is not empty"),
        DiagnosticCase(
            "empty original name", #"@Model struct Song { @Attribute(originalName: ▸"") var title: String }"#,
            "the original name of 'title' must be a string literal that is not empty"),
        DiagnosticCase(
            "present name as original name", #"@Model struct Song { @Attribute(originalName: ▸"title") var title: String }"#,
            "'title' is the present name of the property; give the one it had before"),
        DiagnosticCase(
            "original name of a property that is there",
            #"@Model struct Song { var name: String; @Attribute(originalName: "name") var ▸title: String }"#,
            "'name' cannot be the original name of 'title': 'name' reads that value"),
        DiagnosticCase(
            "one original name for two",
            #"@Model struct Song { @Attribute(originalName: "name") var title: String; @Attribute(originalName: "name") var ▸subtitle: String }"#,
            "'name' cannot be the original name of 'subtitle': 'title' reads that value"),
        DiagnosticCase(
            "attribute on a function", "struct Song { ▸@Attribute(.writeOnce) func play() {} }",
            "'@Attribute' belongs on a property"),
        DiagnosticCase(
            "attribute outside a model", "struct Song { ▸@Attribute(.writeOnce) var title: String }",
            "'@Attribute' belongs on a property of a '@Model' struct"),
        DiagnosticCase(
            "transient at the top level", "▸@Transient var title = 5", "'@Transient' belongs on a property of a '@Model' struct"),
    ]

    @Test(arguments: identities) func identity(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let identities = [
        DiagnosticCase(
            "open whether identity", #"@Model struct Song { #Unique<Song>([\.title], identity: ▸isKey); var title: String }"#,
            "'identity' must be written 'true' or 'false'"),
        DiagnosticCase(
            "identity of two lists",
            #"@Model struct Song { #Unique<Song>([\.title], ▸[\.year], identity: true); var title: String; var year: Int }"#,
            "an identity has one list of properties; remove this"),
        DiagnosticCase(
            "identity with a name", #"@Model struct Song { #Unique<Song>([\.title], identity: true, ▸name: "a"); var title: String }"#,
            "an identity has no 'name'; remove this"),
        DiagnosticCase(
            "two identities",
            #"@Model struct Song { #Unique<Song>([\.title], identity: true); ▸#Unique<Song>([\.year], identity: true); var title: String; var year: Int }"#,
            "'Song' has an identity already; remove this one"),
        DiagnosticCase(
            "identity beside an id", #"@Model struct Song { #Unique<Song>([\.title], identity: true); var title: String; var ▸id: Int }"#,
            "'id' is the identity of 'Song'; remove it, or remove '#Unique'"),
        DiagnosticCase(
            "identity beside a computed id",
            #"@Model struct Song { #Unique<Song>([\.title], identity: true); var title: String; var ▸id: Int { 5 } }"#,
            "'id' is the identity of 'Song'; remove it, or remove '#Unique'"),
        DiagnosticCase(
            "unknown property", #"@Model struct Song { #Unique<Song>([\.title, \.▸year], identity: true); var title: String }"#,
            "'Song' declares no property 'year'"),
        DiagnosticCase(
            "computed property",
            #"@Model struct Song { #Unique<Song>([\.▸display], identity: true); var display: String { "" } }"#,
            "'display' is computed and not stored, so it cannot be part of the identity"),
        DiagnosticCase(
            "transient property", #"@Model struct Song { #Unique<Song>([\.▸cache], identity: true); @Transient var cache = 5 }"#,
            "'cache' is '@Transient' and not stored, so it cannot be part of the identity"),
        DiagnosticCase(
            "property twice", #"@Model struct Song { #Unique<Song>([\.title, \.▸title], identity: true); var title: String }"#,
            "'title' is in the identity twice"),
        DiagnosticCase(
            "property without a type", #"@Model struct Song { #Unique<Song>([\.title], identity: true); var ▸title = "" }"#,
            "'title' is part of the identity and needs its type written, as in 'var title: String'",
            fixIt: .init(
                message: "write the type of 'title'",
                source: #"@Model struct Song { #Unique<Song>([\.title], identity: true); var title: <#Type#> = "" }"#)),
        DiagnosticCase(
            "nested property", #"@Model struct Song { #Unique<Song>([▸\.title.count], identity: true); var title: String }"#,
            #"an identity is made of properties of 'Song' itself, written as in '\.name'"#),
        DiagnosticCase(
            "another type's property", #"@Model struct Song { #Unique<Song>([▸\Album.title], identity: true); var title: String }"#,
            #"an identity is made of properties of 'Song' itself, written as in '\.name'"#),
        DiagnosticCase(
            "another type", #"@Model struct Song { #Unique<▸Album>([\.title], identity: true); var title: String }"#,
            "'#Unique' names another type than the struct it is in: write '#Unique<Song>'",
            fixIt: .init(
                message: "name 'Song'",
                source: #"@Model struct Song { #Unique<Song>([\.title], identity: true); var title: String }"#)),
        DiagnosticCase(
            "empty list", "@Model struct Song { ▸#Unique<Song>([], identity: true); var title: String }",
            #"'#Unique' needs a list of the properties that make the identity, as in '[\.name]'"#),
        DiagnosticCase(
            "list from elsewhere", "@Model struct Song { ▸#Unique<Song>(paths, identity: true); var title: String }",
            #"'#Unique' needs a list of the properties that make the identity, as in '[\.name]'"#),
        DiagnosticCase(
            "in #if",
            """
            @Model struct Song {
                var title: String
                #if DEBUG
                ▸#Unique<Song>([\\.title], identity: true)
                #endif
            }
            """, "'#Unique' inside '#if' is not read; move it out"),
        DiagnosticCase(
            "outside a model", #"struct Song { ▸#Unique<Song>([\.title], identity: true); var title: String }"#,
            "'#Unique' belongs directly inside the braces of a '@Model' struct"),
    ]
}
