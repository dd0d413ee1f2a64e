import Testing

/// Every diagnostic about indexes: its text, its place, its fix-it.
@Suite struct IndexDiagnosticTests {
    @Test(arguments: attributes) func attribute(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let attributes = [
        DiagnosticCase(
            "index on the id", "@Model struct Song { @Attribute(.indexed) var ▸id: Int }",
            "'id' is the record's key, unique and found without an index, and takes no '@Attribute'",
            fixIt: .init(message: "remove '@Attribute(.indexed)'", source: "@Model struct Song { var id: Int }")),
        DiagnosticCase(
            "index on a transient property", "@Model struct Song { @Attribute(.indexed) @Transient var ▸cache = 5 }",
            "'cache' is '@Transient', so its '@Attribute' says nothing; remove one of them",
            fixIt: .init(message: "remove '@Attribute(.indexed)'", source: "@Model struct Song { @Transient var cache = 5 }")),
        DiagnosticCase(
            "index on a computed property", "@Model struct Song { @Attribute(.unique(ignoringCase: true)) var ▸display: String { title } }",
            "'display' is computed and not stored, so its '@Attribute' says nothing; "
                + #"index its value with '#Index<…>("…", version: 1) { $0.display }'"#,
            fixIt: .init(
                message: "remove '@Attribute(.unique(ignoringCase: true))'",
                source: "@Model struct Song { var display: String { title } }")),
        DiagnosticCase(
            "unknown option", "@Model struct Song { @Attribute(▸.idnexed) var year: Int }", "'@Attribute' has no option 'idnexed'"),
        DiagnosticCase(
            "option of another type", "@Model struct Song { @Attribute(▸FieldOptions.writeOnce) var year: Int }",
            "the options of 'year' must be written out, as in '@Attribute(.writeOnce)'"),
        DiagnosticCase(
            "case left open", "@Model struct Song { @Attribute(.indexed(ignoringCase: ▸folds)) var title: String }",
            "'ignoringCase' must be written 'true' or 'false'"),
        DiagnosticCase(
            "accents left open", "@Model struct Song { @Attribute(.indexed(ignoring: ▸what)) var title: String }",
            "'ignoring' must be written out, as in '[.case, .diacritics]'"),
        DiagnosticCase(
            "accents of a number", "@Model struct Song { @Attribute(▸.indexed(ignoring: [.diacritics, .case])) var year: Int? }",
            "ignoring case and accents is for text, and 'year' is 'Int?'",
            fixIt: .init(message: "write '.indexed'", source: "@Model struct Song { @Attribute(.indexed) var year: Int? }")),
        DiagnosticCase(
            "case of a number", "@Model struct Song { @Attribute(▸.indexed(ignoringCase: true)) var year: Int? }",
            "ignoring case is for text, and 'year' is 'Int?'",
            fixIt: .init(message: "write '.indexed'", source: "@Model struct Song { @Attribute(.indexed) var year: Int? }")),
        DiagnosticCase(
            "case of a unique date", "@Model struct Song { @Attribute(▸.unique(ignoringCase: true)) var added: Foundation.Date }",
            "ignoring case is for text, and 'added' is 'Foundation.Date'",
            fixIt: .init(message: "write '.unique'", source: "@Model struct Song { @Attribute(.unique) var added: Foundation.Date }")),
        DiagnosticCase(
            "words of a number", "@Model struct Song { @Attribute(▸.fullText) var year = 1900 }",
            "'.fullText' is for text, and 'year' is an integer",
            fixIt: .init(message: "write '.indexed'", source: "@Model struct Song { @Attribute(.indexed) var year = 1900 }")),
        DiagnosticCase(
            "parts of a number", "@Model struct Song { @Attribute(▸.substring) var codes: [Int] }",
            "'.substring' is for text, and 'codes' is '[Int]'",
            fixIt: .init(message: "write '.indexed'", source: "@Model struct Song { @Attribute(.indexed) var codes: [Int] }")),
        DiagnosticCase(
            "lists of lists", "@Model struct Song { @Attribute(▸.indexed) var grid: [[Int]]? }",
            "'grid' is '[[Int]]?', and its elements have no order to be indexed in"),
        DiagnosticCase(
            "set of lists", "@Model struct Song { @Attribute(▸.unique) var grid: Set<Array<Int>?> }",
            "'grid' is 'Set<Array<Int>?>', and its elements have no order to be indexed in"),
        DiagnosticCase(
            "option twice", "@Model struct Song { @Attribute(.indexed, ▸.indexed) var year: Int }",
            "'Song' has this index of 'year' already; remove this one",
            fixIt: .init(message: "remove '.indexed'", source: "@Model struct Song { @Attribute(.indexed) var year: Int }")),
        DiagnosticCase(
            "unique and indexed", "@Model struct Song { @Attribute(▸.indexed, .unique) var year: Int }",
            "the unique index of 'year' serves queries too; remove this one",
            fixIt: .init(message: "remove '.indexed'", source: "@Model struct Song { @Attribute(.unique) var year: Int }")),
        DiagnosticCase(
            "unique identity", #"@Model struct Song { #Unique<Song>([\.code], identity: true); @Attribute(▸.unique) var code: Int }"#,
            "'code' is the id of 'Song' and unique already; remove this",
            fixIt: .init(
                message: "remove '@Attribute(.unique)'",
                source: #"@Model struct Song { #Unique<Song>([\.code], identity: true); var code: Int }"#)),
        DiagnosticCase(
            "beside a list written by hand",
            "@Model struct Song { @Attribute(▸.indexed) var year: Int; static let indexes: [Index<Song>] = [] }",
            "'Song' has a list of 'indexes' of its own, so this one is not made; write it there, or remove that list",
            fixIt: .init(
                message: "remove '@Attribute(.indexed)'",
                source: "@Model struct Song { var year: Int; static let indexes: [Index<Song>] = [] }")),
    ]

    @Test(arguments: lists) func list(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let lists = [
        DiagnosticCase("no list", "@Model struct Song { ▸#Index<Song>(); var year: Int }", #"'#Index' needs a list of properties, as in '[\.name]'"#),
        DiagnosticCase(
            "empty list", #"@Model struct Song { #Index<Song>([\.year], ▸[]); var year: Int }"#,
            #"'#Index' needs a list of properties, as in '[\.name]'"#),
        DiagnosticCase(
            "no brackets", #"@Model struct Song { #Unique<Song>(▸\.year); var year: Int }"#,
            #"'#Unique' needs a list of properties, as in '[\.name]'"#),
        DiagnosticCase(
            "list from elsewhere", "@Model struct Song { #FullText<Song>(▸paths); var title: String }",
            #"'#FullText' needs a list of properties, as in '[\.name]'"#),
        DiagnosticCase(
            "no property", "@Model struct Song { ▸#Substring<Song>(); var title: String }", #"'#Substring' needs properties, as in '\.name'"#),
        DiagnosticCase(
            "another type", #"@Model struct Song { #Index<▸Album>([\.year]); var year: Int }"#,
            "'#Index' names another type than the struct it is in: write '#Index<Song>'",
            fixIt: .init(message: "name 'Song'", source: #"@Model struct Song { #Index<Song>([\.year]); var year: Int }"#)),
        DiagnosticCase(
            "another type's property", #"@Model struct Song { #Index<Song>([▸\Album.year]); var year: Int }"#,
            #"an index is made of properties of 'Song', written as in '\.name'"#),
        DiagnosticCase(
            "no key path", #"@Model struct Song { #Index<Song>([▸"year"]); var year: Int }"#,
            #"a part of an index is a property of 'Song', as in '\.name' or '.descending(\.name)'"#),
        DiagnosticCase(
            "subscript", #"@Model struct Song { #Index<Song>([▸\.labels["genre"]]); var labels: [String: String] }"#,
            #"an index has no place for a subscript; write the way as text, as in '.path("labels.genre")'"#),
        DiagnosticCase(
            "unknown property", #"@Model struct Song { #Index<Song>([\.year, \.▸artits.name]); var year: Int }"#,
            "'Song' declares no property 'artits'"),
        DiagnosticCase(
            "unknown property by name", #"@Model struct Song { #Index<Song>([.path(▸"artits.name")]); var year: Int }"#,
            "'Song' stores no property 'artits'"),
        DiagnosticCase(
            "unknown property before a position", #"@Model struct Song { #Index<Song>([.path(▸"artits[0].name")]); var year: Int }"#,
            "'Song' stores no property 'artits'"),
        DiagnosticCase(
            "a position and no property", #"@Model struct Song { #Index<Song>([.path(▸"[0].name")]); var year: Int }"#,
            "'Song' stores no property '[0].name'"),
        DiagnosticCase(
            "one path written in two ways", #"@Model struct Song { #Index<Song>([.path("lines[0]"), ▸.path("lines.0")]); var lines: [Int] }"#,
            "'lines.0' is in the index twice"),
        DiagnosticCase(
            "unknown covered property", #"@Model struct Song { #Index<Song>([\.year], covering: [\.▸artits]); var year: Int }"#,
            "'Song' declares no property 'artits'"),
        DiagnosticCase(
            "covered transient property",
            #"@Model struct Song { #Index<Song>([\.year], covering: [\.▸cache]); var year: Int; @Transient var cache = 5 }"#,
            "'cache' is '@Transient' and not stored, so it cannot be kept in an index"),
        DiagnosticCase(
            "computed property", #"@Model struct Song { #Index<Song>([.descending(\.▸decade)]); var decade: Int { 1950 } }"#,
            "'decade' is computed and not stored, so it has no key path for an index; "
                + #"index its value: '#Index<Song>("…", version: 1) { $0.decade }'"#),
        DiagnosticCase(
            "transient property", #"@Model struct Song { #FullText<Song>([\.▸cache]); @Transient var cache = "" }"#,
            "'cache' is '@Transient' and not stored, so it cannot be indexed"),
        DiagnosticCase(
            "the id", #"@Model struct Song { #Index<Song>([\.year, ▸\.id]); var year: Int }"#,
            "'id' is the record's key, which finds objects itself and is in every index; leave it out"),
        DiagnosticCase(
            "property twice", #"@Model struct Song { #Index<Song>([.ascending(\.year), ▸.descending(\.year)]); var year: Int }"#,
            "'year' is in the index twice"),
        DiagnosticCase(
            "key path beside a direction",
            #"@Model struct Song { #Index<Song>([▸\.title, .descending(\.year)]); var title: String; var year: Int }"#,
            #"beside parts with a direction, write '.ascending(\.title)'"#,
            fixIt: .init(
                message: #"write '.ascending(\.title)'"#,
                source: #"@Model struct Song { #Index<Song>([.ascending(\.title), .descending(\.year)]); var title: String; var year: Int }"#)),
        DiagnosticCase(
            "lists of lists",
            #"@Model struct Song { #Index<Song>([\.grid, ▸\.other]); var grid: [String: Int]; var other: [[String]: Int] }"#,
            "'other' is '[[String]: Int]', and its elements have no order to be indexed in"),
        DiagnosticCase(
            "words of a number", #"@Model struct Song { #FullText<Song>([\.title, ▸\.year]); var title: String; var year: Int }"#,
            "an index of words or parts of text is for text, and 'year' is 'Int'"),
        DiagnosticCase(
            "case of a number", #"@Model struct Song { #Unique<Song>([.ignoringCase(▸\.year)]); var year: Int }"#,
            "ignoring case is for text, and 'year' is 'Int'"),
        DiagnosticCase(
            "sum of texts", #"@Model struct Song { #Index<Song>([\.year], aggregates: [.count, .sum(▸\.title)]); var year: Int; var title: String }"#,
            "an index keeps sums of integers and decimals, and 'title' is 'String'"),
    ]

    @Test(arguments: others) func other(_ testCase: DiagnosticCase) { expectDiagnostic(testCase) }

    private static let others = [
        DiagnosticCase(
            "the same list twice", #"@Model struct Song { #Index<Song>([\.year, \.title], ▸[\Song.year, \Self.title]); var title: String; var year: Int }"#,
            "'Song' has this index of 'year', 'title' already; remove this one"),
        DiagnosticCase(
            "the same index in other words",
            #"@Model struct Song { #Index<Song>([.ignoringCase(\.title)], ▸[.ascending(\.title, ignoringCase: true)]); var title: String }"#,
            "'Song' has this index of 'title ignoring case' already; remove this one"),
        DiagnosticCase(
            "the same folding in another order",
            #"@Model struct Song { #Index<Song>([.ascending(\.title, ignoring: [.case, .diacritics])], ▸[.ascending(\.title, ignoring: [.diacritics, .case])]); var title: String }"#,
            "'Song' has this index of 'title ignoring case and accents' already; remove this one"),
        DiagnosticCase(
            "the same parts of texts",
            #"@Model struct Song { #Substring<Song>(▸\.title, ignoresDiacritics: true); @Attribute(.substring, .substring(ignoresDiacritics: true)) var title: String }"#,
            "'Song' has this index of 'title ignoring accents' already; remove this one"),
        DiagnosticCase(
            "the same parts of texts, said twice",
            "@Model struct Song { @Attribute(.substring, ▸.substring(ignoresDiacritics: false)) var title: String }",
            "'Song' has this index of 'title' already; remove this one",
            fixIt: .init(
                message: "remove '.substring(ignoresDiacritics: false)'", source: "@Model struct Song { @Attribute(.substring) var title: String }")),
        DiagnosticCase(
            "attribute and macro", #"@Model struct Song { #Index<Song>(▸[\.year]); @Attribute(.indexed) var year: Int }"#,
            "'Song' has this index of 'year' already; remove this one"),
        DiagnosticCase(
            "one name twice",
            #"@Model struct Song { #Index<Song>([\.year], name: "a"); #Unique<Song>(▸[\.title], name: "a"); var title: String; var year: Int }"#,
            "another index of 'Song' has the name 'a'"),
        DiagnosticCase(
            "one name for two",
            #"@Model struct Song { #Index<Song>([\.year], [\.title], name: ▸"a"); var title: String; var year: Int }"#,
            "'a' can be the name of one index, and here are 2; declare each on its own"),
        DiagnosticCase(
            "interpolated name", #"@Model struct Song { #Index<Song>([\.year], name: ▸"\(1)"); var year: Int }"#,
            "the name of an index must be a string literal that is not empty"),
        DiagnosticCase(
            "derived value without a name", #"@Model struct Song { #Index<Song>(▸"", version: 1) { $0.year }; var year: Int }"#,
            "a derived value needs a name for queries, a string literal that is not empty"),
        DiagnosticCase(
            "derived value named as a property", #"@Model struct Song { #Index<Song>(▸"year", version: 1) { $0.year }; var year: Int }"#,
            "'year' is a property, which the derived value cannot be told from in a query; name it otherwise"),
        DiagnosticCase(
            "computed version", #"@Model struct Song { #Index<Song>("decade", version: ▸latest) { $0.year }; var year: Int }"#,
            "'version' must be a decimal integer literal of at least 1"),
        DiagnosticCase(
            "in #if",
            """
            @Model struct Song {
                var title: String
                #if DEBUG
                ▸#FullText<Song>([\\.title])
                #endif
            }
            """, "'#FullText' inside '#if' is not read; move it out"),
        DiagnosticCase(
            "outside a model", #"struct Song { ▸#Index<Song>([\.title]); var title: String }"#,
            "'#Index' belongs directly inside the braces of a '@Model' struct"),
        DiagnosticCase(
            "at the top level", #"▸#Substring<Song>(\.title)"#, "'#Substring' belongs directly inside the braces of a '@Model' struct"),
    ]
}
