/// How much of everything a run does.
struct Scale: Codable, Hashable, Sendable {
    /// The number of objects in a store.
    let count: Int
    /// Whether nobody asked for this number, so that a kind of objects may have a usual number of its own; nil in older results.
    let isUsual: Bool?
    /// The number of single reads.
    let reads: Int
    /// The number of single writes by one task.
    let singleWrites: Int
    /// The number of tasks that write at the same time.
    let tasks: Int
    /// The number of writes by all of them.
    let concurrentWrites: Int

    init(count: Int, isUsual: Bool = false) {
        self.count = count
        self.isUsual = isUsual
        reads = max(1_000, min(count / 10, 100_000))
        singleWrites = max(200, min(count / 50, 2_000))
        tasks = 64
        concurrentWrites = 64 * max(30, min(count / 1_000, 100))
    }

    /// The numbers of the songs stored at first, by one task, and by many.
    var stored: Range<Int> { 0..<count }
    var writtenBySingle: Range<Int> { stored.upperBound..<stored.upperBound + singleWrites }
    var writtenByMany: Range<Int> { writtenBySingle.upperBound..<writtenBySingle.upperBound + concurrentWrites }

    /// The number of operations of several kinds.
    var mixedOperations: Int { max(1_000, min(count / 50, 2_000)) }

    /// The tracks and titles of a store.
    var tracks: TrackData { TrackData(count: count) }
    var titles: TitleData { TitleData(count: count) }

    /// The graphs of a store.
    var playlists: GraphData { .playlists(count: count) }
    var tree: GraphData { .tree(count: count) }

    /// The number of queries by equality, and by range.
    var equalityQueries: Int { 1_000 }
    var rangeQueries: Int { 10 }

    /// The artists to be found in a repeat, drawn at random.
    func randomArtists(seed: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(seed))
        let artists = 0..<tracks.artistCount
        return (0..<equalityQueries).map { _ in Int.random(in: artists, using: &random) }
    }

    /// The ranges of plays to be found in a repeat, each with a hundredth of all tracks, drawn at random.
    func randomRanges(seed: Int) -> [Range<Int>] {
        var random = SplitMix64(seed: UInt64(seed))
        let length = TrackData.playsBound / 100
        return (0..<rangeQueries).map { _ in
            let start = Int.random(in: 0...TrackData.playsBound - length, using: &random)
            return start..<start + length
        }
    }

    /// The seed of what is read before that of a repeat is.
    func warmUpSeed(_ seed: Int) -> Int { ~seed & Int(Int32.max) }

    /// The songs to be read in a repeat, each drawn at random.
    func randomReads(seed: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(seed))
        return (0..<reads).map { _ in Int.random(in: stored, using: &random) }
    }
}
