import RawEngines

/// An open store of titles of the C program on SQLite, with FTS5.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawTitleStore: TitleStore, @unchecked Sendable {
    private let store: OpaquePointer
    private let data: TitleData

    init(path: String, _ place: StorePlace, _ data: TitleData) throws {
        self.data = data
        var store: OpaquePointer?
        try RawError.check(raw_titles_message, raw_titles_open(path, raw_durability(UInt32(place.durability.rawValue)), &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    func insertion() throws -> () throws -> Void {
        let texts = TextArena()
        let titles = (0..<data.count).map { raw_title(title: texts.add(data.title($0)), seconds: Int64(data.seconds($0))) }
        return {
            try withExtendedLifetime(texts) {
                try RawError.check(raw_titles_message, raw_titles_insert(self.store, titles, titles.count))
            }
        }
    }

    func finding(words: [String]) throws -> () throws -> Tally {
        let texts = TextArena()
        let words = words.map(texts.add)
        return {
            try withExtendedLifetime(texts) {
                var tally = raw_tally()
                try RawError.check(raw_titles_message, raw_titles_find(self.store, words, words.count, &tally))
                return Tally(tally)
            }
        }
    }

    func ranking(pairs: [(String, String)], limit: Int) throws -> () throws -> [[String]] {
        let texts = TextArena()
        let searches = pairs.map { texts.add("\($0.0) \($0.1)") }
        return {
            var ids = [Int64](repeating: 0, count: searches.count * limit)
            try withExtendedLifetime(texts) {
                try RawError.check(raw_titles_message, raw_titles_rank(self.store, searches, searches.count, limit, &ids))
            }
            // The program has read the texts; here they are made again.
            return stride(from: 0, to: ids.count, by: limit).map { start in
                ids[start..<start + limit].filter { $0 > 0 }.map { self.data.title(Int($0) - 1) }
            }
        }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(raw_titles_message, raw_titles_count(store, &count))
        return Int(count)
    }

    func close() throws {
        try RawError.check(raw_titles_message, raw_titles_close(store))
    }
}
