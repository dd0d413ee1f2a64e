import Observation
import Trove

/// A live model by hand: what `@Model` writes for
///
///     @Model final class Player {
///         var name: String
///         var goals = 0
///         @Relationship var team: Team?
///     }
///
/// It is `@unchecked Sendable` because its accessors take the lock of its domain.
final class Player: LiveModel, @unchecked Sendable {
    private(set) var id = ObjectID()
    let _$live = _LiveObjectState()
    var _$state: Unmanaged<_LiveObjectState> { .passUnretained(_$live) }

    private var _name: String
    private var _goals: Int = 0
    private var _team = _RelationshipStorage<Team?>()

    init(name: String) {
        self.name = name
    }

    var name: String {
        @storageRestrictions(initializes: _name)
        init(initialValue) { _name = initialValue }
        get {
            let access = _$live.beginReading(self, \.name)
            defer { access.end() }
            return _name
        }
        set {
            let access = _$live.beginChanging(self, \.name, field: 0)
            defer { access.end(self, \.name) }
            _name = newValue
        }
        _modify {
            let access = _$live.beginChanging(self, \.name, field: 0)
            defer { access.endInPlace(self, \.name) }
            yield &_name
        }
    }

    var goals: Int {
        @storageRestrictions(initializes: _goals)
        init(initialValue) { _goals = initialValue }
        get {
            let access = _$live.beginReading(self, \.goals)
            defer { access.end() }
            return _goals
        }
        set {
            let access = _$live.beginChanging(self, \.goals, field: 1)
            defer { access.end(self, \.goals) }
            _goals = newValue
        }
        _modify {
            let access = _$live.beginChanging(self, \.goals, field: 1)
            defer { access.endInPlace(self, \.goals) }
            yield &_goals
        }
    }

    var team: Team? {
        @storageRestrictions(initializes: _team)
        init(initialValue) { _team = _RelationshipStorage(initialValue) }
        get { _$live.related(self, \.team, field: 2) { $0(&_team) } }
        set { _$live.relate(self, \.team, field: 2, to: newValue) { $0(&_team) } }
        _modify {
            var edit = _$live.beginRelating(self, \.team, field: 2) { $0(&_team) }
            defer { _$live.endRelating(self, \.team, field: 2, &edit) { $0(&_team) } }
            yield &edit.value
        }
    }

    static let schema = ModelSchema(
        "Player",
        fields: [
            FieldSchema("name", \Player.name),
            FieldSchema("goals", \Player.goals, hasDefault: true),
            FieldSchema("team", \Player.team, relationship: RelationshipOptions(), hasDefault: true),
        ])

    init(from record: inout RecordDecoder) throws {
        _name = try record.decode()
        _goals = try record.decode(default: 0)
        _team = try record.decode(default: _RelationshipStorage())
        id = try record.decodeID()
    }

    func _$load(from record: inout RecordDecoder) throws {
        var name = _name
        var goals = _goals
        var team = _team
        name = try record.decode()
        goals = try record.decode(default: 0)
        team = try record.decode(default: _RelationshipStorage())
        _name = name
        _goals = goals
        _team = team
    }

    func _$encode(into record: inout RecordEncoder) throws {
        try record.encode(_name)
        try record.encode(_goals)
        try record.encode(_team)
    }

    func _$needs(_ change: _RelationshipChange, of field: Int) throws -> Bool {
        switch field {
        case 2: try change.isNeeded(in: &_team)
        default: false
        }
    }

    func _$change(_ change: _RelationshipChange, of field: Int) throws {
        switch field {
        case 2: try change.apply(to: &_team)
        default: break
        }
    }

    func _$targets(of field: Int) -> [AnyReference] {
        switch field {
        case 2: _team.targets
        default: []
        }
    }

    func _$appendHeld(to objects: inout [any LiveModel]) {
        _team.appendHeld(to: &objects)
    }

    func _$releaseHeld() {
        _team.releaseHeld()
    }
}
