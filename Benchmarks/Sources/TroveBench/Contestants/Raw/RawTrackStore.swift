import RawEngines

/// An open store of tracks of a C program.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawTrackStore: TrackStore, @unchecked Sendable {
    private let engine: raw_track_engine
    private let store: OpaquePointer
    private let data: TrackData
    /// Keys and records; nil where the program writes columns.
    private let recordFile: String?

    init(_ engine: raw_track_engine, path: String, _ place: StorePlace, _ data: TrackData, hasLabelIndex: Bool, takesRecords: Bool) throws {
        self.engine = engine
        self.data = data
        recordFile = takesRecords ? place.recordFile : nil
        var shape = RecordShape.track.raw
        var store: OpaquePointer?
        try RawError.check(
            engine.message,
            engine.open(path, raw_durability(UInt32(place.durability.rawValue)), place.isBulkLoad, hasLabelIndex, &shape, &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    func insertion() throws -> () throws -> Void {
        let file = try recordFile.map(RecordFile.init(path:))
        let texts = TextArena()
        let tracks = (0..<data.count).map { number in
            raw_track(
                title: texts.add(data.title(number)), artist: texts.add(data.artist(number)), label: texts.add(data.label(number)),
                year: Int64(data.year(number)), plays: Int64(data.plays(number)), rating: data.rating(number) ?? -1,
                duration: data.duration(number))
        }
        return {
            try withExtendedLifetime((file, texts)) {
                var records = file?.records ?? raw_records()
                try RawError.check(self.engine.message, self.engine.insert(self.store, &records, tracks, tracks.count))
            }
        }
    }

    func countingTracks(after year: Int) throws -> () throws -> Int {
        {
            var count: Int64 = 0
            try RawError.check(self.engine.message, self.engine.count_after(self.store, Int64(year), &count))
            return Int(count)
        }
    }

    func finding(artists: [String]) throws -> () throws -> Tally {
        let texts = TextArena()
        let artists = artists.map(texts.add)
        return {
            try withExtendedLifetime(texts) {
                var tally = raw_tally()
                try RawError.check(self.engine.message, self.engine.find_artists(self.store, artists, artists.count, &tally))
                return Tally(tally)
            }
        }
    }

    func finding(firstOf artists: [String], limit: Int) throws -> () throws -> Tally {
        let texts = TextArena()
        let artists = artists.map(texts.add)
        return {
            try withExtendedLifetime(texts) {
                var tally = raw_tally()
                try RawError.check(self.engine.message, self.engine.find_first(self.store, artists, artists.count, limit, &tally))
                return Tally(tally)
            }
        }
    }

    func answering(_ question: TrackQuestion) throws -> () throws -> Tally {
        guard let ask = engine.ask else { throw BenchmarkError("the C program has no SQL") }
        return {
            var tally = raw_tally()
            try RawError.check(self.engine.message, ask(self.store, question.sql, &tally))
            return Tally(tally)
        }
    }

    func finding(plays ranges: [Range<Int>]) throws -> () throws -> Tally {
        let ranges = ranges.map { raw_range(low: Int64($0.lowerBound), high: Int64($0.upperBound)) }
        return {
            var tally = raw_tally()
            try RawError.check(self.engine.message, self.engine.find_plays(self.store, ranges, ranges.count, &tally))
            return Tally(tally)
        }
    }

    func countingByLabel() throws -> () throws -> Tally {
        guard let countLabels = engine.count_labels else { throw BenchmarkError("the C program does not group") }
        return {
            var tally = raw_tally()
            try RawError.check(self.engine.message, countLabels(self.store, &tally))
            return Tally(tally)
        }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(engine.message, engine.count(store, &count))
        return Int(count)
    }

    func close() throws {
        try RawError.check(engine.message, engine.close(store))
    }
}
