/// A kind of objects, and the store that has them.
enum StoreFamily: String, CaseIterable, Sendable {
    /// Songs without indexes.
    case songs
    /// Tracks with two indexes, later three.
    case tracks
    /// Titles whose words are indexed.
    case titles
    /// Songs and playlists of them.
    case playlists
    /// An object that owns all others.
    case tree

    /// Writes the ready-made records that the C programs store, where there are any, see ``RecordFile``.
    func writeRecords(_ scale: Scale, to path: String) throws {
        switch self {
        case .songs:
            try RecordFile.write(
                count: scale.writtenByMany.upperBound, Song.init(number:), shape: .song, tally: { .ofSongs(CollectionOfOne($0)) }, to: path)
        case .tracks:
            let tracks = scale.tracks
            try RecordFile.write(
                count: scale.count, { Track(number: $0, tracks) }, shape: .track, tally: { tracks.tally(of: $0) }, to: path)
        case .titles, .playlists, .tree:
            break
        }
    }
}
