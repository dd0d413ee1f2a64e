import Observation
import Trove

/// A live model by hand: what `@Model` writes for
///
///     @Model final class LiveTrack {
///         var title: String
///         var plays = 0
///         @Relationship var disc: LiveDisc?
///     }
///
/// It is `@unchecked Sendable` because its accessors take the lock of its domain.
final class LiveTrack: LiveModel, @unchecked Sendable {
    var id: ObjectID { _$live.objectID }
    let _$live = LiveObjectState()

    private var _title: String
    private var _plays: Int = 0
    private var _disc = RelationshipStorage<LiveDisc?>()

    init(title: String) {
        self.title = title
    }

    var title: String {
        @storageRestrictions(initializes: _title)
        init(initialValue) { _title = initialValue }
        get {
            let access = _$live.beginReading(self, \.title)
            defer { access.end() }
            return _title
        }
        set {
            let access = _$live.beginChanging(self, \.title, field: 0)
            defer { access.end(self, \.title) }
            _title = newValue
        }
        _modify {
            let access = _$live.beginChanging(self, \.title, field: 0)
            defer { access.endInPlace(self, \.title) }
            yield &_title
        }
    }

    var plays: Int {
        @storageRestrictions(initializes: _plays)
        init(initialValue) { _plays = initialValue }
        get {
            let access = _$live.beginReading(self, \.plays)
            defer { access.end() }
            return _plays
        }
        set {
            let access = _$live.beginChanging(self, \.plays, field: 1)
            defer { access.end(self, \.plays) }
            _plays = newValue
        }
        _modify {
            let access = _$live.beginChanging(self, \.plays, field: 1)
            defer { access.endInPlace(self, \.plays) }
            yield &_plays
        }
    }

    var disc: LiveDisc? {
        @storageRestrictions(initializes: _disc)
        init(initialValue) { _disc = RelationshipStorage(initialValue) }
        get { _$live.related(self, \.disc, field: 2) { $0(&_disc) } }
        set { _$live.relate(self, \.disc, field: 2, to: newValue) { $0(&_disc) } }
        _modify {
            var edit = _$live.beginRelating(self, \.disc, field: 2) { $0(&_disc) }
            defer { _$live.endRelating(self, \.disc, field: 2, &edit) { $0(&_disc) } }
            yield &edit.value
        }
    }

    static let schema = ModelSchema(
        "LiveTrack",
        fields: [
            FieldSchema("title", \LiveTrack.title),
            FieldSchema("plays", \LiveTrack.plays, hasDefault: true),
            FieldSchema("disc", \LiveTrack.disc, relationship: RelationshipOptions(), hasDefault: true),
        ])

    init(from record: inout RecordDecoder) throws {
        _title = try record.decode()
        _plays = try record.decode(default: 0)
        _disc = try record.decode(default: RelationshipStorage())
        _$live.assignID(try record.decodeID())
    }

    func _$load(from record: inout RecordDecoder) throws {
        var title = _title
        var plays = _plays
        var disc = _disc
        title = try record.decode()
        plays = try record.decode(default: 0)
        disc = try record.decode(default: RelationshipStorage())
        _title = title
        _plays = plays
        _disc = disc
    }

    func _$encode(into record: inout RecordEncoder) throws {
        try record.encode(_title)
        try record.encode(_plays)
        try record.encode(_disc)
    }

    func _$needs(_ change: RelationshipChange, of field: Int) throws -> Bool {
        switch field {
        case 2: try change.isNeeded(in: _disc)
        default: false
        }
    }

    func _$change(_ change: RelationshipChange, of field: Int) throws {
        switch field {
        case 2: try change.apply(to: &_disc)
        default: break
        }
    }

    func _$targets(of field: Int) -> [AnyReference] {
        switch field {
        case 2: _disc.targets
        default: []
        }
    }

    func _$appendHeld(to objects: inout [any LiveModel]) {
        _disc.appendHeld(to: &objects)
    }

    func _$releaseHeld() {
        _disc.releaseHeld()
    }
}
