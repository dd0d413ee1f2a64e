import Testing

/// What is written beside a mistake: the model without what is wrong, so that nothing else that uses it is wrong too.
@Suite struct MistakeExpansionTests {
    @Test func aPropertyOfAClassIsLeftOut() {
        expectDiagnostic(
            DiagnosticCase(
                "weak",
                """
                @Model final class Song {
                    #Index<Song>([\\.title])
                    var title: String
                    weak var ▸player: Player?
                    var plays = 0
                    init(title: String) { self.title = title }
                }
                """,
                "'player' is 'weak', and such references cannot be stored; make it a '@Relationship', which never keeps its object alive, "
                    + "or mark it '@Transient'"),
            #"""
            final class Song {
                @Trove._LiveField(0)
                var title: String
                weak var player: Player?
                @Trove._LiveField(1)
                var plays = 0
                init(title: String) { self.title = title }

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated var id: Trove.ObjectID { self._$live.objectID }

                nonisolated required init(from record: inout Trove.RecordDecoder) throws {
                    Swift.fatalError()
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    var field0 = self._title
                    field0 = try record.decode()
                    var field1 = self._plays
                    field1 = try record.decode(default: 0)
                    self._title = field0
                    self._plays = field1
                }

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self._title)
                    try record.encode(self._plays)
                }
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [
                    Trove.FieldSchema("title", \Song.title),
                    Trove.FieldSchema("plays", \Song.plays, hasDefault: true).withDefault("0"),
                ])
            }
            """#)
    }

    @Test func aPropertyOfAStructIsLeftOut() {
        expectDiagnostic(
            DiagnosticCase(
                "property wrapper", "@Model struct Song { @Attribute(.indexed) var title: String; @Clamped(0...5) var ▸rating: Int }",
                "'rating' has '@Clamped(0...5)', a property wrapper or macro that hides from '@Model' what is stored; "
                    + "store a plain property, or mark this one '@Transient'"),
            #"""
            struct Song { var title: String; @Clamped(0...5) var rating: Int 

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, @unchecked Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    Swift.fatalError()
                }
            }
            """#)
    }

    @Test func aRedundantIndexLeavesItsProperty() {
        expectDiagnostic(
            DiagnosticCase(
                "needless index",
                "@Model struct Song { @Attribute(▸.indexed, .unique) var title: String }",
                "the unique index of 'title' serves queries too; remove this one",
                fixIt: .init(message: "remove '.indexed'", source: "@Model struct Song { @Attribute(.unique) var title: String }")),
            #"""
            struct Song { var title: String 

                nonisolated var id: Trove.ObjectID = Trove.ObjectID()
            }

            extension Song: nonisolated Trove.Model, Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, fields: [
                    Trove.FieldSchema("title", \Self.title),
                ])

                nonisolated func encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    Swift.fatalError()
                }
            }
            """#)
    }

    /// The accessors of two macros would stand on each property, so that only what the class needs to be a model is written.
    @Test func anObservableClassHasNoFields() {
        expectDiagnostic(
            DiagnosticCase(
                "observable", "▸@Observable @Model final class Song { var title: String }",
                "the properties of 'Song' can be observed without '@Observable', which cannot stand beside '@Model'; remove it"),
            #"""
            @Observable final class Song { var title: String 

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated var id: Trove.ObjectID { self._$live.objectID }

                nonisolated required init(from record: inout Trove.RecordDecoder) throws {
                    Swift.fatalError()
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {}

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {}
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [])
            }
            """#)
    }

    /// So that the calls of the missing initializer are right.
    @Test func aMissingInitializerStandsIn() {
        expectDiagnostic(
            DiagnosticCase(
                "no initializer",
                """
                @Model final class ▸Song {
                    let title: String
                    var rating: Double? = 3
                }
                """,
                "'Song' has no initializer, and 'title' has no value; write an initializer, as in 'init(title: String)'"),
            #"""
            final class Song {
                let title: String
                @Trove._LiveField(1)
                var rating: Double? = 3

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated var id: Trove.ObjectID { self._$live.objectID }

                nonisolated init(title: String, rating: Double? = (3) as Double?) {
                    Swift.fatalError()
                }

                nonisolated required init(from record: inout Trove.RecordDecoder) throws {
                    Swift.fatalError()
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    _ = try record.decode() as String
                    var field1 = self._rating
                    field1 = try record.decode(default: (3) as Double?)
                    self._rating = field1
                }

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.title)
                    try record.encode(self._rating)
                }
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [
                    Trove.FieldSchema("title", \Song.title),
                    Trove.FieldSchema("rating", \Song.rating, hasDefault: true).withDefault("3"),
                ])
            }
            """#)
    }

    /// What is no model in any way, and what the compiler could not compile.
    @Test(arguments: [
        DiagnosticCase("enum", "@Model ▸enum Song { case a }", "'@Model' works on structs and final classes; it cannot be attached to an enum"),
        DiagnosticCase(
            "generic struct", "@Model struct Box▸<T> { var value: Int }",
            "'@Model' cannot be attached to a generic struct: each 'Box<…>' would need a name and fields of its own"),
    ]) func nothingIsWritten(_ testCase: DiagnosticCase) {
        expectDiagnostic(testCase, testCase.source.dropFirst("@Model ".count).dropLast() + "\n}")
    }

    /// Swift's own initializer of a class whose properties all have values; the one that reads records keeps Swift from writing it.
    @Test func aClassOfValuesHasAnInitializer() {
        expectExpansion(
            """
            @Model public final class Song {
                public var plays = 0
            }
            """,
            #"""
            public final class Song {
                @Trove._LiveField(0)
                public var plays = 0

                public nonisolated let _$live = Trove._LiveObjectState()

                public nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                public nonisolated var id: Trove.ObjectID { self._$live.objectID }

                nonisolated init() {}

                public nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self._plays = try record.decode(default: 0)
                    self._$live.assignID(try record.decodeID())
                }

                public nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    var field0 = self._plays
                    field0 = try record.decode(default: 0)
                    self._plays = field0
                }

                public nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self._plays)
                }
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                public nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [
                    Trove.FieldSchema("plays", \Song.plays, hasDefault: true).withDefault("0"),
                ])
            }
            """#)
    }
}
