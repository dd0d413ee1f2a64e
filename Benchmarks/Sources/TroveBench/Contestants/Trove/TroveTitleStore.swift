import Trove

/// Titles on any of Trove's engines.
final class TroveTitleStore: TitleStore {
    private let store: ObjectStore
    private let data: TitleData
    private let syncsAfterLoad: Bool

    /// - Parameter syncsAfterLoad: Titles are inserted with a `.buffered` commit and `synchronize()`.
    init(_ backend: any StorageBackend, durability: Durability, _ data: TitleData, syncsAfterLoad: Bool) throws {
        self.data = data
        self.syncsAfterLoad = syncsAfterLoad
        store = try ObjectStore(backend, durability: durability, models: Title.self)
    }

    func insertion() throws -> () throws -> Void {
        let titles = (0..<data.count).map { Title(number: $0, data) }
        return {
            try self.store.save(titles, durability: self.syncsAfterLoad ? .buffered : nil)
            if self.syncsAfterLoad { try self.store.synchronize() }
        }
    }

    func finding(words: [String]) throws -> () throws -> Tally {
        {
            try self.store.read { snapshot in
                var tally = Tally()
                for word in words { tally.add(try snapshot.fetch(Title.self).where { $0.title.hasWords(word) }.all()) }
                return tally
            }
        }
    }

    func ranking(pairs: [(String, String)], limit: Int) throws -> () throws -> [[String]] {
        {
            try self.store.read { snapshot in
                try pairs.map { pair in
                    try snapshot.fetch(Title.self).limit(limit).search("\(pair.0) \(pair.1)").map(\.object.title)
                }
            }
        }
    }

    func count() throws -> Int { try store.fetch(Title.self).count() }

    func close() throws { try store.close() }
}
