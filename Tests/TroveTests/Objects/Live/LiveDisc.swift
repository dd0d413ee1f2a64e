import Observation
import Trove

/// A live model by hand, the other side of ``LiveTrack``: what `@Model` writes for
///
///     @Model final class LiveDisc {
///         let label: String
///         @Relationship(inverse: \LiveTrack.disc) var tracks: [LiveTrack] = []
///     }
///
/// It is `@unchecked Sendable` because its accessors take the lock of its domain.
final class LiveDisc: LiveModel, @unchecked Sendable {
    var id: ObjectID { _$live.objectID }
    let _$live = LiveObjectState()

    let label: String
    private var _tracks = RelationshipStorage<[LiveTrack]>()

    init(label: String) {
        self.label = label
    }

    var tracks: [LiveTrack] {
        @storageRestrictions(initializes: _tracks)
        init(initialValue) { _tracks = RelationshipStorage(initialValue) }
        get { _$live.related(self, \.tracks, field: 1) { $0(&_tracks) } }
        set { _$live.relate(self, \.tracks, field: 1, to: newValue) { $0(&_tracks) } }
        _modify {
            var edit = _$live.beginRelating(self, \.tracks, field: 1) { $0(&_tracks) }
            defer { _$live.endRelating(self, \.tracks, field: 1, &edit) { $0(&_tracks) } }
            yield &edit.value
        }
    }

    static let schema = ModelSchema(
        "LiveDisc",
        fields: [
            FieldSchema("label", \LiveDisc.label),
            FieldSchema("tracks", \LiveDisc.tracks, relationship: RelationshipOptions(inverse: \LiveTrack.disc), hasDefault: true),
        ])

    init(from record: inout RecordDecoder) throws {
        label = try record.decode()
        _tracks = try record.decode(default: RelationshipStorage())
        _$live.assignID(try record.decodeID())
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
