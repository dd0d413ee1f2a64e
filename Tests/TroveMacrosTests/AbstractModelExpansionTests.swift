import Testing

/// What `@AbstractModel` writes, and `@Model` for a class that inherits one.
@Suite struct AbstractModelExpansionTests {
    @Test func anAbstractClass() {
        expectExpansion(
            #"""
            @AbstractModel open class Media {
                #Index<Media>([\.title, \Media.year])
                @Attribute(.unique) public var title: String
                public var year = 1900
                @Relationship var owner: Person?
                @Transient var isSelected = false
                let made: Date
            }
            """#,
            #"""
            open class Media {
                @Trove._LiveField(0) public var title: String
                @Trove._LiveField(1)
                public var year = 1900
                @Trove._LiveRelationship(2) var owner: Person?
                @Trove._LiveField var isSelected = false
                let made: Date

                public nonisolated let _$live = Trove._LiveObjectState()

                public nonisolated var _$state: Swift.Unmanaged<Trove._LiveObjectState> { .passUnretained(self._$live) }

                public nonisolated var id: Trove.ObjectID { self._$live.objectID }

                public nonisolated init(from record: inout Trove.RecordDecoder) throws {
                    self._title = try record.decode()
                    self._year = try record.decode(default: 1900)
                    self._owner = try record.decode(default: Trove._RelationshipStorage())
                    self.made = try record.decode()
                    self._$live.assignID(try record.decodeID())
                    try self._$decodeRest(from: &record)
                }

                open nonisolated func _$load(from record: inout Trove.RecordDecoder) throws {
                    var field0 = self._title
                    field0 = try record.decode()
                    var field1 = self._year
                    field1 = try record.decode(default: 1900)
                    var field2 = self._owner
                    field2 = try record.decode(default: Trove._RelationshipStorage())
                    _ = try record.decode() as Date
                    self._title = field0
                    self._year = field1
                    self._owner = field2
                }

                open nonisolated func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try record.encode(self._title)
                    try record.encode(self._year)
                    try record.encode(self._owner)
                    try record.encode(self.made)
                }

                open nonisolated func _$loadLazily(_ field: Swift.Int) throws {
                    switch field {
                    default: break
                    }
                }

                open nonisolated func _$needs(_ change: Trove._RelationshipChange, of field: Swift.Int) throws -> Swift.Bool {
                    switch field {
                    case 2: try change.isNeeded(in: &self._owner)
                    default: false
                    }
                }

                open nonisolated func _$change(_ change: Trove._RelationshipChange, of field: Swift.Int) throws {
                    switch field {
                    case 2: try change.apply(to: &self._owner)
                    default: break
                    }
                }

                open nonisolated func _$targets(of field: Swift.Int) -> [Trove.AnyReference] {
                    switch field {
                    case 2: self._owner.targets
                    default: []
                    }
                }

                open nonisolated func _$appendHeld(to objects: inout [any Trove.LiveModel]) {
                    self._owner.appendHeld(to: &objects)
                }

                open nonisolated func _$releaseHeld() {
                    self._owner.releaseHeld()
                }

                open nonisolated class var _$abstractClass: Swift.AnyClass { Media.self }

                open nonisolated class var _$fieldCount: Swift.Int { 4 }

                public nonisolated static func _$fields<_Root: Media & Trove.LiveModel>(of root: _Root.Type) -> [Trove.FieldSchema] {
                    [
                        Trove.FieldSchema("title", \_Root.title)._observed(as: \Media.title),
                        Trove.FieldSchema("year", \_Root.year, hasDefault: true).withDefault("1900")._observed(as: \Media.year),
                        Trove.FieldSchema("owner", \_Root.owner, relationship: Trove.RelationshipOptions())._observed(as: \Media.owner),
                        Trove.FieldSchema("made", \_Root.made)._observed(as: \Media.made),
                    ]
                }

                public nonisolated static func _$indexes<_Root: Media & Trove.LiveModel>(of root: _Root.Type) -> [Trove.Index<_Root>] {
                    [
                        Trove.Index<_Root>(unique: [\.title]),
                        Trove.Index<_Root>(\.title, \_Root.year),
                    ]
                }

                public nonisolated static func _$properties<_Root: Media>(of root: _Root.Type) -> [(property: Swift.PartialKeyPath<_Root>, name: Swift.String)] {
                    [
                        (property: \_Root.title as Swift.PartialKeyPath<_Root>, name: "title"),
                        (property: \_Root.year as Swift.PartialKeyPath<_Root>, name: "year"),
                        (property: \_Root.owner as Swift.PartialKeyPath<_Root>, name: "owner"),
                        (property: \_Root.made as Swift.PartialKeyPath<_Root>, name: "made"),
                        (property: \_Root.id as Swift.PartialKeyPath<_Root>, name: "id"),
                    ]
                }

                open nonisolated class var _$properties: [(property: Swift.AnyKeyPath, name: Swift.String)] {
                    Media._$properties(of: Media.self).map { (property: $0.property, name: $0.name) }
                }

                public nonisolated static var _$identity: [Swift.String] { [] }

                open nonisolated func _$decodeRest(from record: inout Trove.RecordDecoder) throws {}

                open nonisolated var _$model: (any Trove.LiveModel)? { nil }
            }

            extension Media: nonisolated Trove.AbstractModel, @unchecked Swift.Sendable {}
            """#)
    }

    @Test func anAbstractClassThatInherits() {
        expectExpansion(
            #"""
            @AbstractModel class Audio: Media {
                var seconds: Int
            }
            """#,
            #"""
            class Audio: Media {
                @Trove._LiveField(0, afterSuperclass: true)
                var seconds: Int

                nonisolated override init(from record: inout Trove.RecordDecoder) throws {
                    try record._move(toField: Media._$fieldCount)
                    self._seconds = try record.decode()
                    try record._move(toField: 0)
                    try super.init(from: &record)
                    try record._move(toField: Audio._$fieldCount)
                }

                nonisolated override func _$load(from record: inout Trove.RecordDecoder) throws {
                    try record._move(toField: Media._$fieldCount)
                    var field0 = self._seconds
                    field0 = try record.decode()
                    try record._move(toField: 0)
                    try super._$load(from: &record)
                    try record._move(toField: Audio._$fieldCount)
                    self._seconds = field0
                }

                nonisolated override func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try super._$encode(into: &record)
                    try record.encode(self._seconds)
                }

                nonisolated override class var _$abstractClass: Swift.AnyClass { Audio.self }

                nonisolated override class var _$fieldCount: Swift.Int { Media._$fieldCount + 1 }

                nonisolated static func _$fields<_Root: Audio & Trove.LiveModel>(of root: _Root.Type) -> [Trove.FieldSchema] {
                    Media._$fields(of: root) + [
                        Trove.FieldSchema("seconds", \_Root.seconds)._observed(as: \Audio.seconds),
                    ]
                }

                nonisolated static func _$indexes<_Root: Audio & Trove.LiveModel>(of root: _Root.Type) -> [Trove.Index<_Root>] {
                    Media._$indexes(of: root) + []
                }

                nonisolated static func _$properties<_Root: Audio>(of root: _Root.Type) -> [(property: Swift.PartialKeyPath<_Root>, name: Swift.String)] {
                    Media._$properties(of: root) + [
                        (property: \_Root.seconds as Swift.PartialKeyPath<_Root>, name: "seconds"),
                    ]
                }

                nonisolated override class var _$properties: [(property: Swift.AnyKeyPath, name: Swift.String)] {
                    Audio._$properties(of: Audio.self).map { (property: $0.property, name: $0.name) }
                }

                private nonisolated static var _$firstField: Swift.Int { Media._$fieldCount }

                private nonisolated static func _$checkSuperclass(_ first: some Media, _ second: some Media) {
                    let superclass = Trove._superclass(first, second)
                    superclass.check()
                }
            }

            extension Audio: @unchecked Swift.Sendable {}
            """#, inheritsModel: true)
    }

    @Test func aModelThatInherits() {
        expectExpansion(
            #"""
            @Model final class Song: Media {
                #Index<Song>([\.title, \.plays])
                var plays = 0
                @Relationship var singer: Person?
                let code: String
            }
            """#,
            #"""
            final class Song: Media {
                @Trove._LiveField(0, afterSuperclass: true)
                var plays = 0
                @Trove._LiveRelationship(1, afterSuperclass: true) var singer: Person?
                let code: String

                nonisolated override init(from record: inout Trove.RecordDecoder) throws {
                    try record._move(toField: Media._$fieldCount)
                    self._plays = try record.decode(default: 0)
                    self._singer = try record.decode(default: Trove._RelationshipStorage())
                    self.code = try record.decode()
                    try record._move(toField: 0)
                    try super.init(from: &record)
                }

                nonisolated override func _$load(from record: inout Trove.RecordDecoder) throws {
                    try record._move(toField: Media._$fieldCount)
                    var field0 = self._plays
                    field0 = try record.decode(default: 0)
                    var field1 = self._singer
                    field1 = try record.decode(default: Trove._RelationshipStorage())
                    _ = try record.decode() as String
                    try record._move(toField: 0)
                    try super._$load(from: &record)
                    self._plays = field0
                    self._singer = field1
                }

                nonisolated override func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try super._$encode(into: &record)
                    try record.encode(self._plays)
                    try record.encode(self._singer)
                    try record.encode(self.code)
                }

                nonisolated override func _$needs(_ change: Trove._RelationshipChange, of field: Swift.Int) throws -> Swift.Bool {
                    switch field &- Media._$fieldCount {
                    case 1: try change.isNeeded(in: &self._singer)
                    default: try super._$needs(change, of: field)
                    }
                }

                nonisolated override func _$change(_ change: Trove._RelationshipChange, of field: Swift.Int) throws {
                    switch field &- Media._$fieldCount {
                    case 1: try change.apply(to: &self._singer)
                    default: try super._$change(change, of: field)
                    }
                }

                nonisolated override func _$targets(of field: Swift.Int) -> [Trove.AnyReference] {
                    switch field &- Media._$fieldCount {
                    case 1: self._singer.targets
                    default: super._$targets(of: field)
                    }
                }

                nonisolated override func _$appendHeld(to objects: inout [any Trove.LiveModel]) {
                    super._$appendHeld(to: &objects)
                    self._singer.appendHeld(to: &objects)
                }

                nonisolated override func _$releaseHeld() {
                    super._$releaseHeld()
                    self._singer.releaseHeld()
                }

                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Song", version: 1, identity: Media._$identity, id: \Song.id, fields: Media._$fields(of: Song.self) + [
                    Trove.FieldSchema("plays", \Song.plays, hasDefault: true).withDefault("0"),
                    Trove.FieldSchema("singer", \Song.singer, relationship: Trove.RelationshipOptions()),
                    Trove.FieldSchema("code", \Song.code),
                ])

                nonisolated static let indexes: [Trove.Index<Song>] = Media._$indexes(of: Song.self) + [
                    Trove.Index<Song>(\.title, \.plays),
                ]

                nonisolated override var _$model: (any Trove.LiveModel)? { self }

                private nonisolated static var _$firstField: Swift.Int { Media._$fieldCount }

                private nonisolated static func _$checkSuperclass(_ first: some Media, _ second: some Media) {
                    let superclass = Trove._superclass(first, second)
                    superclass.check()
                }
            }

            extension Song: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {}
            """#, inheritsModel: true)
    }

    @Test func aModelThatInheritsInitializers() {
        expectExpansion(
            #"""
            @Model final class Talk: Media {
                var minutes = 0
                @Relationship var speaker: Person?
                convenience init(minutes: Int) { self.init(title: "talk") }
            }
            """#,
            #"""
            final class Talk: Media {
                @Trove._LiveField(0, afterSuperclass: true)
                var minutes = 0
                @Trove._LiveRelationship(1, afterSuperclass: true) var speaker: Person?
                convenience init(minutes: Int) { self.init(title: "talk") }

                nonisolated override func _$decodeRest(from record: inout Trove.RecordDecoder) throws {
                    try super._$decodeRest(from: &record)
                    try record._move(toField: Media._$fieldCount)
                    self._minutes = try record.decode(default: 0)
                    self._speaker = try record.decode(default: Trove._RelationshipStorage())
                }

                nonisolated override func _$load(from record: inout Trove.RecordDecoder) throws {
                    try record._move(toField: Media._$fieldCount)
                    var field0 = self._minutes
                    field0 = try record.decode(default: 0)
                    var field1 = self._speaker
                    field1 = try record.decode(default: Trove._RelationshipStorage())
                    try record._move(toField: 0)
                    try super._$load(from: &record)
                    self._minutes = field0
                    self._speaker = field1
                }

                nonisolated override func _$encode(into record: inout Trove.RecordEncoder) throws {
                    try super._$encode(into: &record)
                    try record.encode(self._minutes)
                    try record.encode(self._speaker)
                }

                nonisolated override func _$needs(_ change: Trove._RelationshipChange, of field: Swift.Int) throws -> Swift.Bool {
                    switch field &- Media._$fieldCount {
                    case 1: try change.isNeeded(in: &self._speaker)
                    default: try super._$needs(change, of: field)
                    }
                }

                nonisolated override func _$change(_ change: Trove._RelationshipChange, of field: Swift.Int) throws {
                    switch field &- Media._$fieldCount {
                    case 1: try change.apply(to: &self._speaker)
                    default: try super._$change(change, of: field)
                    }
                }

                nonisolated override func _$targets(of field: Swift.Int) -> [Trove.AnyReference] {
                    switch field &- Media._$fieldCount {
                    case 1: self._speaker.targets
                    default: super._$targets(of: field)
                    }
                }

                nonisolated override func _$appendHeld(to objects: inout [any Trove.LiveModel]) {
                    super._$appendHeld(to: &objects)
                    self._speaker.appendHeld(to: &objects)
                }

                nonisolated override func _$releaseHeld() {
                    super._$releaseHeld()
                    self._speaker.releaseHeld()
                }

                nonisolated static let schema: Trove.ModelSchema = Trove.ModelSchema("Talk", version: 1, identity: Media._$identity, id: \Talk.id, fields: Media._$fields(of: Talk.self) + [
                    Trove.FieldSchema("minutes", \Talk.minutes, hasDefault: true).withDefault("0"),
                    Trove.FieldSchema("speaker", \Talk.speaker, relationship: Trove.RelationshipOptions()),
                ])

                nonisolated static let indexes: [Trove.Index<Talk>] = Media._$indexes(of: Talk.self) + []

                nonisolated override var _$model: (any Trove.LiveModel)? { self }

                private nonisolated static var _$firstField: Swift.Int { Media._$fieldCount }

                private nonisolated static func _$checkSuperclass(_ first: some Media, _ second: some Media) {
                    let superclass = Trove._superclass(first, second)
                    superclass.check()
                }
            }

            extension Talk: nonisolated Trove.Model, nonisolated Trove.LiveModel, @unchecked Swift.Sendable {}
            """#, inheritsModel: true)
    }

    @Test func aProtocol() {
        expectExpansion(
            #"""
            @AbstractModel public protocol Named {
                var name: String { get }
                var `where`: Int? { get }
                static var count: Int { get }
                func call()
            }
            """#,
            #"""
            public protocol Named {
                var name: String { get }
                var `where`: Int? { get }
                static var count: Int { get }
                func call()
            }

            /// The models that are `Named`: `store.fetchConforming(to: NamedModels.self)`.
            public enum NamedModels: Trove.ModelGroup {
                public typealias Object = any Named

                public nonisolated static var _properties: [(property: Swift.PartialKeyPath<any Named>, name: Swift.String)] {
                    [
                        (\(any Named).name, "name"),
                        (\(any Named).`where`, "where"),
                    ]
                }

                public nonisolated static func _includes(_ model: any Trove.Model.Type) -> Swift.Bool { model is any Named.Type }
            }
            """#)
    }
}
