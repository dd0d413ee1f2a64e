import Testing

/// What `@Model` writes for classes.
@Suite struct ClassExpansionTests {
    @Test func values() {
        expectExpansion(
            """
            @Model final class Song {
                var title: String
                var plays = 0
                let created: Date?
                @Transient var isSelected = false
                static let limit = 3
                var shout: String { title.uppercased() }
                init(title: String) { self.title = title; created = nil }
            }
            """,
            #"""
            final class Song {
                @Trove._LiveField(0)
                var title: String
                @Trove._LiveField(1)
                var plays = 0
                let created: Date?
                @Trove._LiveField var isSelected = false
                static let limit = 3
                var shout: String { title.uppercased() }
                init(title: String) { self.title = title; created = nil }

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated var id: Trove.ObjectID { self._$live.objectID }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self._title = try record.decode()
                    self._plays = try record.decode(default: 0)
                    self.created = try record.decode(default: nil)
                    self._$live.assignID(try record.decodeID())
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    var field0 = self._title
                    field0 = try record.decode()
                    var field1 = self._plays
                    field1 = try record.decode(default: 0)
                    _ = try record.decode(default: nil) as Date?
                    self._title = field0
                    self._plays = field1
                }

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self._title)
                    try record.encode(self._plays)
                    try record.encode(self.created)
                }
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [
                    Trove.FieldSchema("title", \Song.title),
                    Trove.FieldSchema("plays", \Song.plays, hasDefault: true).withDefault("0"),
                    Trove.FieldSchema("created", \Song.created),
                ])
            }
            """#)
    }

    @Test func lazyValues() {
        expectExpansion(
            """
            @Model final class Song {
                @Attribute(.lazy) var text: String = "none"
                @Attribute(.lazy, .writeOnce) var cover: Data?
                var plays: Int
                init(plays: Int) { self.plays = plays }
            }
            """,
            #"""
            final class Song {
                @Trove._LiveLazyField(0) var text: String = "none"
                @Trove._LiveLazyField(1) var cover: Data?
                @Trove._LiveField(2)
                var plays: Int
                init(plays: Int) { self.plays = plays }

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated var id: Trove.ObjectID { self._$live.objectID }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self._text = try record.decode(default: Trove.Lazy<String>("none"))
                    self._cover = try record.decode(default: Trove.Lazy<Data?>(nil))
                    self._plays = try record.decode()
                    self._$live.assignID(try record.decodeID())
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    var field0 = self._text
                    field0 = try record.decode(default: Trove.Lazy<String>("none"))
                    var field1 = self._cover
                    field1 = try record.decode(default: Trove.Lazy<Data?>(nil))
                    var field2 = self._plays
                    field2 = try record.decode()
                    self._text = field0
                    self._cover = field1
                    self._plays = field2
                }

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self._text)
                    try record.encode(self._cover)
                    try record.encode(self._plays)
                }

                nonisolated func _$loadLazily(_ field: Swift.Int) throws {
                    switch field {
                    case 0: _ = try self._$live.load(self) { $0(&self._text) }
                    case 1: _ = try self._$live.load(self) { $0(&self._cover) }
                    default: break
                    }
                }
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [
                    Trove.FieldSchema(lazy: "text", \Song.text, hasDefault: true).withDefault(#""none""#),
                    Trove.FieldSchema(lazy: "cover", \Song.cover, options: [.writeOnce]),
                    Trove.FieldSchema("plays", \Song.plays),
                ])
            }
            """#)
    }

    @Test func relationships() {
        expectExpansion(
            """
            @Model public final class Song {
                @Relationship(inverse: \\Album.songs) public var album: Album?
                @Relationship(deleteRule: .cascade, inverse: "owner", originalName: "bits") var parts: [String: Part] = [:]
                var origin: Reference<Place>?
                let home: AnyReference
                init(home: AnyReference) { self.home = home }
            }
            """,
            #"""
            public final class Song {
                @Trove._LiveRelationship(0) public var album: Album?
                @Trove._LiveRelationship(1) var parts: [String: Part] = [:]
                @Trove._LiveField(2)
                var origin: Reference<Place>?
                let home: AnyReference
                init(home: AnyReference) { self.home = home }

                public nonisolated let _$live = Trove._LiveObjectState()

                public nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                public nonisolated var id: Trove.ObjectID { self._$live.objectID }

                public nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self._album = try record.decode(default: Trove._RelationshipStorage())
                    self._parts = try record.decode(default: Trove._RelationshipStorage())
                    self._origin = try record.decode(default: nil)
                    self.home = try record.decode()
                    self._$live.assignID(try record.decodeID())
                }

                public nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    var field0 = self._album
                    field0 = try record.decode(default: Trove._RelationshipStorage())
                    var field1 = self._parts
                    field1 = try record.decode(default: Trove._RelationshipStorage())
                    var field2 = self._origin
                    field2 = try record.decode(default: nil)
                    _ = try record.decode() as AnyReference
                    self._album = field0
                    self._parts = field1
                    self._origin = field2
                }

                public nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self._album)
                    try record.encode(self._parts)
                    try record.encode(self._origin)
                    try record.encode(self.home)
                }

                public nonisolated func _$needs(_ change: Trove._RelationshipChange, of field: Swift.Int) throws -> Swift.Bool {
                    switch field {
                    case 0: try change.isNeeded(in: &self._album)
                    case 1: try change.isNeeded(in: &self._parts)
                    case 2: change.isNeeded(in: self._origin)
                    case 3: change.isNeeded(in: self.home)
                    default: false
                    }
                }

                public nonisolated func _$change(_ change: Trove._RelationshipChange, of field: Swift.Int) throws {
                    switch field {
                    case 0: try change.apply(to: &self._album)
                    case 1: try change.apply(to: &self._parts)
                    case 2: try change.apply(to: &self._origin)
                    case 3: break
                    default: break
                    }
                }

                public nonisolated func _$targets(of field: Swift.Int) -> [Trove.AnyReference] {
                    switch field {
                    case 0: self._album.targets
                    case 1: self._parts.targets
                    case 2: self._origin.targets
                    case 3: self.home.targets
                    default: []
                    }
                }

                public nonisolated func _$appendHeld(to objects: inout [any Trove.LiveModel]) {
                    self._album.appendHeld(to: &objects)
                    self._parts.appendHeld(to: &objects)
                }

                public nonisolated func _$releaseHeld() {
                    self._album.releaseHeld()
                    self._parts.releaseHeld()
                }

                public nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, id: \Song.id, fields: [
                    Trove.FieldSchema("album", \Song.album, relationship: Trove.RelationshipOptions(inverse: \Album.songs)),
                    Trove.FieldSchema("parts", \Song.parts, relationship: Trove.RelationshipOptions(deleteRule: .cascade, inverse: \Part.owner), originalName: "bits", hasDefault: true).withDefault("[:]"),
                    Trove.FieldSchema("origin", \Song.origin),
                    Trove.FieldSchema("home", \Song.home),
                ])
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {}
            """#)
    }

    @Test func identity() {
        expectExpansion(
            """
            @Model("tickets", version: 2) final class Ticket {
                #Unique<Ticket>([\\.row, \\.seat], identity: true)
                #Index<Ticket>([\\.price])
                let row: Int
                let seat: Int
                var price = 10
                init(row: Int, seat: Int) { self.row = row; self.seat = seat }
            }
            """,
            #"""
            final class Ticket {
                let row: Int
                let seat: Int
                @Trove._LiveField(2)
                var price = 10
                init(row: Int, seat: Int) { self.row = row; self.seat = seat }

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated struct ID: Trove.StorableKey {
                    var row: Int
                    var seat: Int

                    init(row: Int, seat: Int) {
                        self.row = row
                        self.seat = seat
                    }

                    init(from key: inout Trove.KeyDecoder) throws {
                        self.row = try key._decodePart()
                        self.seat = try key._decodePart()
                    }

                    func encode(into key: inout Trove.KeyEncoder) {
                        key._encodePart(self.row)
                        key._encodePart(self.seat)
                    }

                    static var keyParts: [(name: String, type: any Trove.StorableKey.Type)] {
                        [Trove._keyPart("row", Int.self), Trove._keyPart("seat", Int.self)]
                    }
                }

                nonisolated var id: ID { ID(row: self.row, seat: self.seat) }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self.row = try record.decode()
                    self.seat = try record.decode()
                    self._price = try record.decode(default: 10)
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    _ = try record.decode() as Int
                    _ = try record.decode() as Int
                    var field2 = self._price
                    field2 = try record.decode(default: 10)
                    self._price = field2
                }

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self.row)
                    try record.encode(self.seat)
                    try record.encode(self._price)
                }

                nonisolated static let indexes: [Trove.Index<Ticket>] = [
                    Trove.Index<Ticket>(\.price),
                ]
            }

            extension Ticket: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("tickets", version: 2, identity: ["row", "seat"], id: \Ticket.id, fields: [
                    Trove.FieldSchema("row", \Ticket.row),
                    Trove.FieldSchema("seat", \Ticket.seat),
                    Trove.FieldSchema("price", \Ticket.price, hasDefault: true).withDefault("10"),
                ])
            }
            """#)
    }

    @Test func declaredID() {
        expectExpansion(
            """
            @Model final class Person: LiveModel {
                let id: String
                init(id: String) { self.id = id }
            }
            """,
            #"""
            final class Person: LiveModel {
                let id: String
                init(id: String) { self.id = id }

                nonisolated let _$live = Trove._LiveObjectState()

                nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self.id = try record.decodeID()
                }

                nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {}

                nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {}
            }

            extension Person {
                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Person", version: 1, fields: [])
            }
            """#, statesConformance: true)
    }

    @Test func accessorsOfValues() {
        expectExpansion(
            """
            @_LiveField(3) public var `default` = 5 { didSet { `default` = min(`default`, self.`default`, other.`default`); later { `default` += 1 } } }
            @_LiveField var isSelected = false
            """,
            #"""
            public var `default` { didSet { `default` = min(`default`, self.`default`, other.`default`); later { `default` += 1 } }\#(" ")
                @storageRestrictions(initializes: _default)
                init(initialValue) {
                    _default = initialValue
                }

                get {
                    let access = _$live.beginReading(self, \.`default`)
                    defer { access.end() }
                    return _default
                }

                set {
                    let access = _$live.beginChanging(self, \.`default`, field: 3)
                    defer { access.end(self, \.`default`) }
                    _default = newValue
                }

                _modify {
                    let access = _$live.beginChanging(self, \.`default`, field: 3)
                    defer { access.endInPlace(self, \.`default`) }
                    yield &_default
                }}

            nonisolated(unsafe) private var _default = 5 { didSet { _default = min(_default, self._default, other.`default`); later { `default` += 1 } } }
            var isSelected {
            @storageRestrictions(initializes: _isSelected)
            init(initialValue) {
                _isSelected = initialValue
            }
            get {
                let access = _$live.beginReading(self, \.isSelected)
                defer { access.end() }
                return _isSelected
            }
            set {
                let access = _$live.beginWriting(self, \.isSelected)
                defer { access.end(self, \.isSelected) }
                _isSelected = newValue
            }
            _modify {
                let access = _$live.beginWriting(self, \.isSelected)
                defer { access.endInPlace(self, \.isSelected) }
                yield &_isSelected
            }
            }

            nonisolated(unsafe) private var _isSelected = false
            """#)
    }

    @Test func accessorsOfLazyValues() {
        expectExpansion(
            """
            @_LiveLazyField(3) var text: String = first
            @_LiveLazyField(4) var `some words`: Data?
            """,
            #"""
            var text: String {
            @storageRestrictions(initializes: _text)
            init(initialValue) {
                _text = Trove.Lazy(initialValue)
            }
            get { _$live.loaded(self, \.text, else: Self._$default_text()) { $0(&_text) } }
            set { _$live.setLazily(self, \.text, field: 3, to: Trove.Lazy(newValue)) { $0(&_text) } }
            _modify {
                var edit = _$live.beginLazyChange(self, \.text, field: 3, else: Self._$default_text()) { $0(&_text) }
                defer { _$live.endLazyChange(self, \.text, &edit, to: { Trove.Lazy($0) }) { $0(&_text) } }
                yield &edit.value
            }
            }

            nonisolated(unsafe) private var _text = Trove.Lazy<String>(_$default_text())

            private nonisolated static func _$default_text() -> String { first }
            var `some words`: Data? {
            @storageRestrictions(initializes: `_some words`)
            init(initialValue) {
                `_some words` = Trove.Lazy(initialValue)
            }
            get { _$live.loaded(self, \.`some words`, else: nil) { $0(&`_some words`) } }
            set { _$live.setLazily(self, \.`some words`, field: 4, to: Trove.Lazy(newValue)) { $0(&`_some words`) } }
            _modify {
                var edit = _$live.beginLazyChange(self, \.`some words`, field: 4, else: nil) { $0(&`_some words`) }
                defer { _$live.endLazyChange(self, \.`some words`, &edit, to: { Trove.Lazy($0) }) { $0(&`_some words`) } }
                yield &edit.value
            }
            }

            nonisolated(unsafe) private var `_some words` = Trove.Lazy<Data?>(nil)
            """#)
    }

    @Test func accessorsOfRelationships() {
        expectExpansion(
            """
            @_LiveRelationship(2) var songs: [Song] = []
            """,
            #"""
            var songs: [Song] {
            @storageRestrictions(initializes: _songs)
            init(initialValue) {
                _songs = Trove._RelationshipStorage(initialValue)
            }
            get { _$live.related(self, \.songs, field: 2) { $0(&_songs) } }
            set { _$live.relate(self, \.songs, field: 2, to: newValue) { $0(&_songs) } }
            _modify {
                var edit = _$live.beginRelating(self, \.songs, field: 2) { $0(&_songs) }
                defer { _$live.endRelating(self, \.songs, field: 2, &edit) { $0(&_songs) } }
                yield &edit.value
            }
            }

            nonisolated(unsafe) private var _songs = Trove._RelationshipStorage<[Song]>([])
            """#)
    }
}
