import Observation
import Trove

/// A live model by hand, the other side of ``Track``: what `@Model` writes for
///
///     @Model final class Disc {
///         let label: String
///         @Relationship(inverse: \Track.disc) var tracks: [Track] = []
///     }
///
/// It is `@unchecked Sendable` because its accessors take the lock of its domain.
final class Disc: LiveModel, @unchecked Sendable {
    private(set) var id = ObjectID()
    let _$live = LiveObjectState()

    let label: String
    private var _tracks = RelationshipStorage<[Track]>()

    init(label: String) {
        self.label = label
    }

    var tracks: [Track] {
        @storageRestrictions(initializes: _tracks)
        init(initialValue) { _tracks = RelationshipStorage(initialValue) }
        get { _$live.related(self, \.tracks, field: 1) { $0(&_tracks) } }
        set { _$live.relate(self, \.tracks, field: 1, to: newValue) { $0(&_tracks) } }
        _modify {
            var edit = _$live.beginRelating(self, \.tracks, field: 1) { $0(&_tracks) }
            defer { _$live.endRelating(self, \.tracks, field: 1, edit) { $0(&_tracks) } }
            yield &edit.value
        }
    }

    static let schema = ModelSchema(
        "Disc",
        fields: [
            FieldSchema("label", \Disc.label),
            FieldSchema("tracks", \Disc.tracks, relationship: RelationshipOptions(inverse: \Track.disc), hasDefault: true),
        ])

    init(from record: inout RecordDecoder) throws {
        label = try record.decode()
        _tracks = try record.decode(default: RelationshipStorage())
        id = try record.decodeID()
    }

    func _$load(from record: inout RecordDecoder) throws {
        _ = try record.decode() as String
        var tracks = _tracks
        tracks = try record.decode(default: RelationshipStorage())
        _tracks = tracks
    }

    func _$encode(into record: inout RecordEncoder) throws {
        try record.encode(label)
        try record.encode(_tracks)
    }

    func _$needs(_ change: RelationshipChange, of field: Int) throws -> Bool {
        switch field {
        case 1: try change.isNeeded(in: _tracks)
        default: false
        }
    }

    func _$change(_ change: RelationshipChange, of field: Int) throws {
        switch field {
        case 1: try change.apply(to: &_tracks)
        default: break
        }
    }

    func _$targets(of field: Int) -> [AnyReference] {
        switch field {
        case 1: _tracks.targets
        default: []
        }
    }

    func _$appendHeld(to objects: inout [any LiveModel]) {
        _tracks.appendHeld(to: &objects)
    }

    func _$releaseHeld() {
        _tracks.releaseHeld()
    }
}
