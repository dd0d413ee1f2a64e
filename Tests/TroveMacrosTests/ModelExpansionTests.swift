import Testing

@Suite struct ModelExpansionTests {
    @Test func everyKindOfProperty() {
        expectExpansion(
            """
            @Model struct Song {
                var artist: String
                var year = 1900
                var tags: [String] = []
                @Attribute(.keepIfNil) var rating: Double?
                @Attribute(.writeOnce, originalName: "added") var created: Date
                @Transient var isSelected = false
                var display: String { artist }
                var volume: Int = 3 { didSet { update() } }
                static let limit = 10
                private let isrc: String
                var `default`: Int
            }
            """,
            #"""
            struct Song {
                var artist: String
                var year = 1900
                var tags: [String] = []
                var rating: Double?
                var created: Date
                var isSelected = false
                var display: String { artist }
                var volume: Int = 3 { didSet { update() } }
                static let limit = 10
                private let isrc: String
                var `default`: Int

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("artist", \Self.artist),
                    Trove.FieldSchema("year", \Self.year, hasDefault: true).withDefault("1900"),
                    Trove.FieldSchema("tags", \Self.tags, hasDefault: true).withDefault("[]"),
                    Trove.FieldSchema("rating", \Self.rating, options: [.keepIfNil]),
                    Trove.FieldSchema("created", \Self.created, originalName: "added", options: [.writeOnce]),
                    Trove.FieldSchema("volume", \Self.volume, hasDefault: true).withDefault("3"),
                    Trove.FieldSchema("isrc", \Self.isrc),
                    Trove.FieldSchema("default", \Self.`default`),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.artist)
                    try record.encode(self.year)
                    try record.encode(self.tags)
                    try record.encode(self.rating)
                    try record.encode(self.created)
                    try record.encode(self.volume)
                    try record.encode(self.isrc)
                    try record.encode(self.`default`)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        artist: record.decode(),
                        year: record.decode(default: 1900),
                        tags: record.decode(default: []),
                        rating: record.decode(default: nil),
                        created: record.decode(),
                        volume: record.decode(default: 3),
                        isrc: record.decode(),
                        default: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func nameAndVersion() {
        expectExpansion(
            #"""
            @Model("a \"quoted\" name", version: 2) struct Song {
                var title: String
            }
            """#,
            #"""
            struct Song {
                var title: String

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema(#"a "quoted" name"#, version: 2, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        title: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test(arguments: ["public", "package"]) func access(_ modifier: String) {
        expectExpansion(
            """
            @Model \(modifier) struct Song {
                \(modifier) var title: String
            }
            """,
            #"""
            \#(modifier) struct Song {
                \#(modifier) var title: String

                \#(modifier) nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                \#(modifier) nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                \#(modifier) nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }

                \#(modifier) nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        title: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func availability() {
        expectExpansion(
            """
            @available(macOS 15, iOS 18, *) @available(*, deprecated)
            @Model struct Song {
                init() {}
                init(from record: inout RecordDecoder) throws {}
                func encode(into record: inout RecordEncoder) throws {}
                static let schema = ModelSchema("Song", fields: [])
                var id: Int { 1 }
            }
            """,
            #"""
            @available(macOS 15, iOS 18, *) @available(*, deprecated)
            struct Song {
                init() {}
                init(from record: inout RecordDecoder) throws {}
                func encode(into record: inout RecordEncoder) throws {}
                static let schema = ModelSchema("Song", fields: [])
                var id: Int { 1 }
            }

            @available(macOS 15, iOS 18, *)
            @available(*, deprecated)
            extension Song: nonisolated Trove.Model, Sendable {}
            """#)
    }

    /// An extension stands outside of all that encloses its type.
    @Test func availabilityOfOuterTypes() {
        expectExpansion(
            """
            @available(macOS 15, *) @available(iOS, introduced: 17, deprecated: 18, message: "old") @available(*, deprecated, renamed: "Tunes")
            enum Music {
                @Model struct Song {
                    init() {}
                    init(from record: inout RecordDecoder) throws {}
                    func encode(into record: inout RecordEncoder) throws {}
                    static let schema = ModelSchema("Song", fields: [])
                    var id: Int { 1 }
                }
            }
            """,
            #"""
            @available(macOS 15, *) @available(iOS, introduced: 17, deprecated: 18, message: "old") @available(*, deprecated, renamed: "Tunes")
            enum Music {
                struct Song {
                    init() {}
                    init(from record: inout RecordDecoder) throws {}
                    func encode(into record: inout RecordEncoder) throws {}
                    static let schema = ModelSchema("Song", fields: [])
                    var id: Int { 1 }
                }
            }

            @available(macOS 15, *)
            @available(iOS, introduced: 17)
            extension Music.Song: nonisolated Trove.Model, Sendable {}
            """#)
    }

    @Test func accessFromAnExtension() {
        expectExpansion(
            """
            public extension Album {
                @Model struct Song {
                }
            }
            """,
            #"""
            public extension Album {
                struct Song {

                    public nonisolated var id: Trove.ObjectID = Trove.ObjectID()
                }
            }

            extension Album.Song: nonisolated Trove.Model, Sendable {
                public nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [])

                public nonisolated func encode(into record: inout Trove.RecordEncoder) throws {}

                public nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func declaredInitializerMeansAssignments() {
        expectExpansion(
            """
            @Model struct Song {
                var title: String
                var year = 1900
                @Transient var cache = 5
                init(title: String) { self.title = title }
            }
            """,
            #"""
            struct Song {
                var title: String
                var year = 1900
                var cache = 5
                init(title: String) { self.title = title }

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self.title = try record.decode()
                    self.year = try record.decode(default: 1900)
                    self.id = try record.decodeID()
                }
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                    Trove.FieldSchema("year", \Self.year, hasDefault: true).withDefault("1900"),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                    try record.encode(self.year)
                }
            }
            """#)
    }

    @Test func nestedDefaultsAreReadWhereTheirNamesAreVisible() {
        expectExpansion(
            """
            enum Music {
                @Model struct Song {
                    var kind: Kind = Kind.jazz
                }
            }
            """,
            #"""
            enum Music {
                struct Song {
                    var kind: Kind = Kind.jazz

                    nonisolated var id: Trove.ObjectID = Trove.ObjectID()

                    private nonisolated static func _decoded(from record: inout Trove.RecordDecoder) throws -> Self {
                        try Self(
                            kind: record.decode(default: Kind.jazz),
                            id: record.decodeID()
                        )
                    }
                }
            }

            extension Music.Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("kind", \Self.kind, hasDefault: true).withComputedDefault,
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.kind)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self = try Self._decoded(from: &record)
                }
            }
            """#)
    }

    @Test func optionalDefaultsCarryTheirType() {
        expectExpansion(
            """
            @Model struct Song {
                var kind: Kind? = .jazz
                var mood: Optional<Mood> = nil
                var tempo: Int!
                var id: Int
            }
            """,
            #"""
            struct Song {
                var kind: Kind? = .jazz
                var mood: Optional<Mood> = nil
                var tempo: Int!
                var id: Int
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("kind", \Self.kind, hasDefault: true).withComputedDefault,
                    Trove.FieldSchema("mood", \Self.mood, hasDefault: true).withDefault("nil"),
                    Trove.FieldSchema("tempo", \Self.tempo),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.kind)
                    try record.encode(self.mood)
                    try record.encode(self.tempo)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        kind: record.decode(default: (.jazz) as Kind?),
                        mood: record.decode(default: nil),
                        tempo: record.decode(default: nil),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func aClosureMayMakeOtherValues() {
        expectExpansion(
            """
            @Model struct Song {
                var id: Int
                var zeros = [Int](repeating: 0, count: 2)
                var seeds = Array<Int>(unsafeUninitializedCapacity: 2) { $1 = 0 }
                @Attribute(.keepIfNil) var cover: Trove.Lazy<Optional<Data>>
            }
            """,
            #"""
            struct Song {
                var id: Int
                var zeros = [Int](repeating: 0, count: 2)
                var seeds = Array<Int>(unsafeUninitializedCapacity: 2) { $1 = 0 }
                var cover: Trove.Lazy<Optional<Data>>
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("zeros", \Self.zeros, hasDefault: true).withDefault("[Int](repeating:0,count:2)"),
                    Trove.FieldSchema("seeds", \Self.seeds, hasDefault: true).withComputedDefault,
                    Trove.FieldSchema("cover", \Self.cover, options: [.keepIfNil]),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.zeros)
                    try record.encode(self.seeds)
                    try record.encode(self.cover)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        id: record.decodeID(),
                        zeros: record.decode(default: [Int](repeating: 0, count: 2)),
                        seeds: record.decode(default: Array<Int>(unsafeUninitializedCapacity: 2) { $1 = 0 }),
                        cover: record.decode()
                    )
                }
            }
            """#)
    }

    @Test func severalPropertiesInOneDeclaration() {
        expectExpansion(
            """
            @Model struct Point {
                var x, y: Int, name = "a"
                let id: Int
            }
            """,
            #"""
            struct Point {
                var x, y: Int, name = "a"
                let id: Int
            }

            extension Point: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Point", version: 1, fields: [
                    Trove.FieldSchema("x", \Self.x),
                    Trove.FieldSchema("y", \Self.y),
                    Trove.FieldSchema("name", \Self.name, hasDefault: true).withDefault(#""a""#),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.x)
                    try record.encode(self.y)
                    try record.encode(self.name)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        x: record.decode(),
                        y: record.decode(),
                        name: record.decode(default: "a"),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func declaredIDKeepsItsPlace() {
        expectExpansion(
            """
            @Model struct Person {
                var id = UUID()
                var name: String
            }
            """,
            #"""
            struct Person {
                var id = UUID()
                var name: String
            }

            extension Person: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Person", version: 1, fields: [
                    Trove.FieldSchema("name", \Self.name),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.name)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        id: record.decodeID(),
                        name: record.decode()
                    )
                }
            }
            """#)
    }

    @Test func computedIDIsLeftAlone() {
        expectExpansion(
            """
            @Model struct Person {
                var name: String
                var id: String { name }
            }
            """,
            #"""
            struct Person {
                var name: String
                var id: String { name }
            }

            extension Person: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Person", version: 1, id: \Self.id, fields: [
                    Trove.FieldSchema("name", \Self.name),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.name)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        name: record.decode()
                    )
                }
            }
            """#)
    }

    @Test func nothingToStore() {
        expectExpansion(
            """
            @Model struct Marker {
                var id: Int { 1 }
            }
            """,
            #"""
            struct Marker {
                var id: Int { 1 }
            }

            extension Marker: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Marker", version: 1, id: \Self.id, fields: [])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {}

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self.init()
                }
            }
            """#)
    }

    @Test func handwrittenMembersAreLeftOut() {
        expectExpansion(
            """
            @Model struct Song {
                var title: String
                static let schema = ModelSchema("Song", fields: [FieldSchema("title", \\Song.title)])
                func encode(into record: inout RecordEncoder) throws { try record.encode(title) }
                func encode(into data: inout Data) {}
            }
            """,
            #"""
            struct Song {
                var title: String
                static let schema = ModelSchema("Song", fields: [FieldSchema("title", \Song.title)])
                func encode(into record: inout RecordEncoder) throws { try record.encode(title) }
                func encode(into data: inout Data) {}

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        title: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func handwrittenDecoder() {
        expectExpansion(
            """
            @Model struct Song {
                var title: String
                init(from record: inout Trove.RecordDecoder) throws {
                    title = try record.decode()
                    id = try record.decodeID()
                }
            }
            """,
            #"""
            struct Song {
                var title: String
                init(from record: inout Trove.RecordDecoder) throws {
                    title = try record.decode()
                    id = try record.decodeID()
                }

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }
            }
            """#)
    }

    @Test func statedConformance() {
        expectExpansion(
            """
            @Model struct Song: Model {
                var title: String
            }
            """,
            #"""
            struct Song: Model {
                var title: String

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        title: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#, statesConformance: true)
    }

    @Test func qualifiedAttributes() {
        expectExpansion(
            """
            @Model struct Song {
                @Trove.Attribute(AttributeOption.writeOnce) var title: String
                @available(*, deprecated) var old: Int
            }
            """,
            #"""
            struct Song {
                @Trove.Attribute(AttributeOption.writeOnce) var title: String
                @available(*, deprecated) var old: Int

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title, options: [.writeOnce]),
                    Trove.FieldSchema("old", \Self.old),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                    try record.encode(self.old)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        title: record.decode(),
                        old: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func wordsThatNeedBackticks() {
        expectExpansion(
            """
            @Model struct Odd {
                var `inout`: Int
                var `my "own" field`: Int
                let id: Int
            }
            """,
            #"""
            struct Odd {
                var `inout`: Int
                var `my "own" field`: Int
                let id: Int
            }

            extension Odd: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Odd", version: 1, fields: [
                    Trove.FieldSchema("inout", \Self.`inout`),
                    Trove.FieldSchema(#"my "own" field"#, \Self.`my "own" field`),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.`inout`)
                    try record.encode(self.`my "own" field`)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        `inout`: record.decode(),
                        `my "own" field`: record.decode(),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }

    @Test func conditionalMembersThatAreNotStored() {
        expectExpansion(
            """
            @Model struct Song {
                let id: Int
                #if os(Linux)
                var path: String { "" }
                static let limit = 5
                func play() {}
                #endif
            }
            """,
            #"""
            struct Song {
                let id: Int
                #if os(Linux)
                var path: String { "" }
                static let limit = 5
                func play() {}
                #endif
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

    @Test func relationships() {
        expectExpansion(
            """
            @Model struct Song {
                @Relationship(deleteRule: .cascade, inverse: \\Part.song) var parts: [Reference<Part>]
                @Relationship(whenTargetDeleted: .deny, originalName: "record") @Attribute(.writeOnce) var album: Reference<Album>
                @Relationship var writer: Reference<Person>?
            }
            """,
            #"""
            struct Song {
                var parts: [Reference<Part>]
                var album: Reference<Album>
                var writer: Reference<Person>?

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()

                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("parts", \Self.parts, relationship: Trove.RelationshipOptions(deleteRule: .cascade, inverse: \Part.song)),
                    Trove.FieldSchema("album", \Self.album, relationship: Trove.RelationshipOptions(whenTargetDeleted: .deny), originalName: "record", options: [.writeOnce]),
                    Trove.FieldSchema("writer", \Self.writer, relationship: Trove.RelationshipOptions()),
                ])
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.parts)
                    try record.encode(self.album)
                    try record.encode(self.writer)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    try self.init(
                        parts: record.decode(),
                        album: record.decode(),
                        writer: record.decode(default: nil),
                        id: record.decodeID()
                    )
                }
            }
            """#)
    }
}
