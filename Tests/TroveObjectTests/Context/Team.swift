import Observation
import Trove

/// A live model by hand, the other side of ``Player``: what `@Model` writes for
///
///     @Model final class Team {
///         let name: String
///         @Relationship(inverse: \Player.team) var players: [Player] = []
///     }
///
/// It is `@unchecked Sendable` because its accessors take the lock of its domain.
final class Team: LiveModel, @unchecked Sendable {
    private(set) var id = ObjectID()
    let _$live = _LiveObjectState()
    var _$state: Unmanaged<_LiveObjectState> { .passUnretained(_$live) }

    let name: String
    private var _players = _RelationshipStorage<[Player]>()

    init(name: String) {
        self.name = name
    }

    var players: [Player] {
        @storageRestrictions(initializes: _players)
        init(initialValue) { _players = _RelationshipStorage(initialValue) }
        get { _$live.related(self, \.players, field: 1) { $0(&_players) } }
        set { _$live.relate(self, \.players, field: 1, to: newValue) { $0(&_players) } }
        _modify {
            var edit = _$live.beginRelating(self, \.players, field: 1) { $0(&_players) }
            defer { _$live.endRelating(self, \.players, field: 1, &edit) { $0(&_players) } }
            yield &edit.value
        }
    }

    static let schema = ModelSchema(
        "Team",
        fields: [
            FieldSchema("name", \Team.name),
            FieldSchema("players", \Team.players, relationship: RelationshipOptions(inverse: \Player.team), hasDefault: true),
        ])

    init(from record: inout RecordDecoder) throws {
        name = try record.decode()
        _players = try record.decode(default: _RelationshipStorage())
        id = try record.decodeID()
    }

    func _$load(from record: inout RecordDecoder) throws {
        _ = try record.decode() as String
        var players = _players
        players = try record.decode(default: _RelationshipStorage())
        _players = players
    }

    func _$encode(into record: inout RecordEncoder) throws {
        try record.encode(name)
        try record.encode(_players)
    }

    func _$needs(_ change: _RelationshipChange, of field: Int) throws -> Bool {
        switch field {
        case 1: try change.isNeeded(in: &_players)
        default: false
        }
    }

    func _$change(_ change: _RelationshipChange, of field: Int) throws {
        switch field {
        case 1: try change.apply(to: &_players)
        default: break
        }
    }

    func _$targets(of field: Int) -> [AnyReference] {
        switch field {
        case 1: _players.targets
        default: []
        }
    }

    func _$appendHeld(to objects: inout [any LiveModel]) {
        _players.appendHeld(to: &objects)
    }

    func _$releaseHeld() {
        _players.releaseHeld()
    }
}
