import Testing

/// The list of indexes that `@Model` writes.
@Suite struct IndexExpansionTests {
    /// Expects the indexes of a model with a property `title`.
    private func expectIndexes(
        _ members: String, _ indexes: [String], properties: String = "var title: String", access: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let list = indexes.map { "        \($0)," }.joined(separator: "\n")
        expectExpansion(
            """
            @Model \(access)struct Song {
                \(members)
                \(properties)
            }
            """,
            #"""
            \#(access)struct Song {
                \#(properties)

                \#(access)nonisolated var id: Trove.ObjectID = Trove.ObjectID()

                \#(access)nonisolated static let indexes: [Trove.Index<Self>] = [
            \#(list)
                ]
            }

            extension Song: nonisolated Trove.Model, Sendable {
                \#(access)nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                \#(access)nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }

                \#(access)nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        title: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        (#"#Index<Song>([\.title, \.title.text], [\Song.title])"#, [#"Trove.Index<Self>(\.title, \.title.text)"#, #"Trove.Index<Self>(\Song.title)"#]),
        (
            #"#Index<Song>([.descending(\.title, ignoringCase: true)], name: "a", covering: [\.title], aggregates: [.count])"#,
            [#"Trove.Index<Self>([.descending(\.title, ignoringCase: true)], name: "a", covering: [\.title], aggregates: [.count])"#]
        ),
        (
            #"#Index<Song>([.ignoringCase(\.title), .ascending(\.title)])"#,
            [#"Trove.Index<Self>([.ignoringCase(\.title), .ascending(\.title)])"#]
        ),
        (#"#Index<Song>([\.title?.text.start], [.path("title.end")])"#,
            [#"Trove.Index<Self>(\.title?.text.start)"#, #"Trove.Index<Self>([.path("title.end")])"#]),
        // Written as the library reads paths.
        (##"#Index<Song>([.path("title[0].price")], [.path(#"title["a.b"].c"#), .path("title.a.b.c")], [.path("[\"title\"].end")])"##,
            [
                ##"Trove.Index<Self>([.path("title[0].price")])"##, ##"Trove.Index<Self>([.path(#"title["a.b"].c"#), .path("title.a.b.c")])"##,
                ##"Trove.Index<Self>([.path("[\"title\"].end")])"##,
            ]),
        (
            #"#Index<Song>("size", version: 1) { $0.title.count }"#,
            [#"Trove.Index<Self>(derived: "size", version: 1) { $0.title.count }"#]
        ),
        (#"#Index<Song>("size", version: 1, value: size)"#, [#"Trove.Index<Self>(derived: "size", version: 1, value: size)"#]),
        (#"#Unique<Song>([\.title, \.title.text], name: "a")"#, [#"Trove.Index<Self>(unique: [\.title, \.title.text], name: "a")"#]),
        (#"#Unique<Song>([\.title], identity: false)"#, [#"Trove.Index<Self>(unique: [\.title])"#]),
        (#"#Unique<Song>([.ignoringCase(\.title)])"#, [#"Trove.Index<Self>([.ignoringCase(\.title)], unique: true)"#]),
        (#"#FullText<Song>([\.title, \.title.text], options: .plain)"#,
            [#"Trove.Index<Self>.fullText([\.title, \.title.text], options: .plain)"#]),
        (#"#Substring<Song>(\.title, ignoresDiacritics: true)"#, [#"Trove.Index<Self>.substring(\.title, ignoresDiacritics: true)"#]),
        (#"#Index<Song>([.ascending(\.title, ignoring: [.case, .diacritics]), .descending(\.title, ignoring: .diacritics)])"#,
            [#"Trove.Index<Self>([.ascending(\.title, ignoring: [.case, .diacritics]), .descending(\.title, ignoring: .diacritics)])"#]),
        (#"#Substring<Song>(\.title, \.title.text)"#, [#"Trove.Index<Self>.substring(\.title)"#, #"Trove.Index<Self>.substring(\.title.text)"#]),
    ] as [(String, [String])]) func macros(_ macro: String, _ indexes: [String]) {
        expectIndexes(macro, indexes)
    }

    @Test(arguments: [
        (".indexed", [#"Trove.Index<Self>(\.title)"#]),
        ("AttributeOption.indexed(ignoringCase: false)", [#"Trove.Index<Self>(\.title)"#]),
        (".blind(bits: 16)", [#"Trove.Index<Self>(\.title, blind: Trove.BlindOptions(bits: 16))"#]),
        (".blind(bits: 9, spread: 4)", [#"Trove.Index<Self>(\.title, blind: Trove.BlindOptions(bits: 9, spread: 4))"#]),
        (".blindUnique", [#"Trove.Index<Self>(\.title, blind: .unique)"#]),
        (".indexed(ignoringCase: true), .indexed", [#"Trove.Index<Self>([.ignoringCase(\.title)])"#, #"Trove.Index<Self>(\.title)"#]),
        (".unique, .substring", [#"Trove.Index<Self>(unique: [\.title])"#, #"Trove.Index<Self>.substring(\.title)"#]),
        (".unique(ignoringCase: true)", [#"Trove.Index<Self>([.ignoringCase(\.title)], unique: true)"#]),
        (".indexed(ignoring: [.diacritics, .case])", [#"Trove.Index<Self>([.ascending(\.title, ignoring: [.case, .diacritics])])"#]),
        (".unique(ignoring: TextFolding.diacritics)", [#"Trove.Index<Self>([.ascending(\.title, ignoring: [.diacritics])], unique: true)"#]),
        (".indexed(ignoring: .case), .indexed(ignoring: .diacritics)",
            [#"Trove.Index<Self>([.ignoringCase(\.title)])"#, #"Trove.Index<Self>([.ascending(\.title, ignoring: [.diacritics])])"#]),
        (".indexed(ignoring: [])", [#"Trove.Index<Self>(\.title)"#]),
        (".substring(ignoresDiacritics: true)", [#"Trove.Index<Self>.substring(\.title, ignoresDiacritics: true)"#]),
        (".substring, .substring(ignoresDiacritics: true)",
            [#"Trove.Index<Self>.substring(\.title)"#, #"Trove.Index<Self>.substring(\.title, ignoresDiacritics: true)"#]),
        (".fullText(stemming: .english)", [#"Trove.Index<Self>.fullText([\.title], stemming: .english)"#]),
    ]) func attributes(_ options: String, _ indexes: [String]) {
        expectIndexes("@Attribute(\(options))", indexes)
    }

    @Test func access() {
        expectIndexes(
            #"#Index<Song>([\.title])"#, [#"Trove.Index<Self>(\.title)"#], properties: "public var title: String", access: "public ")
    }

    @Test func writtenByHand() {
        expectExpansion(
            """
            @Model struct Song {
                static var indexes: [Index<Song>] { [] }
                var id: Int
            }
            """,
            #"""
            struct Song {
                static var indexes: [Index<Song>] { [] }
                var id: Int
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {}

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }
}
