/// What the terms with a prefix tell of documents, gathered from all of them: what a search does once for each prefix, however often it has that.
final class PrefixMatches {
    /// What tells one gathering of a search from another.
    struct Key: Hashable {
        let prefix: [UInt8]
        let fields: UInt64
        let withOccurrences: Bool
    }

    private(set) var documents: [UInt64] = []
    /// How often terms occur in each document, times the fields' weights; only when documents are scored.
    private(set) var frequencies: [Double] = []
    private(set) var rarity = 0.0
    /// Where the terms stand in each document, only for phrases, and where those of each begin.
    private var occurrences: [UInt64] = []
    private var starts: [Int] = []

    init(_ context: SearchContext, _ keyspace: Keyspace, _ key: Key) throws {
        let gathering = PrefixGathering(context, keyspace, key)
        if key.withOccurrences {
            try gatherOccurrences(gathering)
        } else if context.ranks {
            let found = try gathering.frequencies()
            documents = found.map(\.document)
            frequencies = found.map(\.value)
        } else {
            documents = try gathering.documents().map(\.document)
        }
        rarity = LengthNorm.rarity(documents: gathering.holderCount() ?? documents.count, all: context.totals.documentCount)
    }

    /// Where the terms stand in a document, by its place.
    func occurrences(at place: Int) -> ArraySlice<UInt64> { occurrences[starts[place]..<starts[place + 1]] }

    private func gatherOccurrences(_ gathering: PrefixGathering) throws {
        for hit in try gathering.occurrences() {
            if documents.last != hit.document {
                documents.append(hit.document)
                starts.append(occurrences.count)
            }
            occurrences.append(hit.occurrence)
        }
        starts.append(occurrences.count)
    }
}

/// Goes through the blocks of all terms with a prefix.
private final class PrefixGathering {
    private let context: SearchContext
    private let keyspace: Keyspace
    private let prefix: [UInt8]
    private let fields: UInt64
    /// The documents that hold terms in whatever field; nil unless documents are scored, and not all fields are sought.
    private var holders: GatheredPostings<Void>?

    init(_ context: SearchContext, _ keyspace: Keyspace, _ key: PrefixMatches.Key) {
        (self.context, self.keyspace, prefix, fields) = (context, keyspace, key.prefix, key.fields)
        if isRestricted, context.ranks { holders = GatheredPostings { _, _ in } }
    }

    private var isRestricted: Bool { fields != context.allFields }

    /// How many documents hold one of the terms in any field, as a word's rarity counts them; nil where those that were gathered are all.
    func holderCount() -> Int? {
        holders?.join()
        return holders?.postings.count
    }

    func documents() throws -> [GatheredPostings<Void>.Posting] {
        var found = GatheredPostings<Void> { _, _ in }
        try forEachBlock { block in
            if isRestricted {
                try block.forEachCount { posting, field, _, _ in
                    if fields & 1 << UInt64(field) != 0 { found.postings.append((block.documents[posting], ())) }
                }
            } else {
                for posting in 0..<block.count { found.postings.append((block.documents[posting], ())) }
            }
            found.joinWhenLong()
        }
        found.join()
        return found.postings
    }

    func frequencies() throws -> [GatheredPostings<Double>.Posting] {
        var found = GatheredPostings<Double> { $0 += $1 }
        let weights = context.weights
        try forEachBlock { block in
            try block.forEachCount { posting, field, count, _ in
                if fields & 1 << UInt64(field) != 0 { found.postings.append((block.documents[posting], weights[field] * Double(count))) }
            }
            found.joinWhenLong()
        }
        found.join()
        return found.postings
    }

    /// A word stands at each place, so that there are no two of one place.
    func occurrences() throws -> [(document: UInt64, occurrence: UInt64)] {
        var found: [(document: UInt64, occurrence: UInt64)] = []
        let (index, fields) = (context.index, fields)
        try forEachBlock { block in
            var walk = try PostingWalk(block, keepsCounts: index.keepsCounts, keepsPositions: index.keepsPositions)
            while !walk.isAtEnd {
                let document = walk.document
                try walk.next { counts, positions in
                    PostingWalk.forEachOccurrence(counts, positions, fieldCount: index.fieldCount) { occurrence, _ in
                        if fields & 1 << (occurrence >> 32) != 0 { found.append((document, occurrence)) }
                    }
                }
            }
        }
        found.sort { $0.document == $1.document ? $0.occurrence < $1.occurrence : $0.document < $1.document }
        return found
    }

    private func forEachBlock(_ body: (PostingBlock) throws -> Void) throws {
        let block = PostingBlock(context.index)
        try context.reader.scan(.prefix(prefix), in: keyspace) { key, value in
            try context.watch?.look()
            try block.load(key: key, value: value)
            if holders != nil {
                for posting in 0..<block.count { holders?.postings.append((block.documents[posting], ())) }
                holders?.joinWhenLong()
            }
            try body(block)
            return .next
        }
        try context.watch?.look()
    }
}

/// Postings of many terms. Those of one document become one, at the end and whenever there are many: so they take memory for the documents, and
/// not for all that is written in these.
struct GatheredPostings<Value> {
    typealias Posting = (document: UInt64, value: Value)

    var postings: [Posting] = []
    private let spare: Int
    /// How many there may be until they are joined.
    private var limit: Int
    private let add: (inout Value, Value) -> Void

    /// - Parameters:
    ///   - spare: how many there may be besides twice those that the last joining left.
    ///   - add: what makes one value of two.
    init(spare: Int = 65_536, add: @escaping (inout Value, Value) -> Void) {
        (self.spare, limit, self.add) = (spare, spare, add)
    }

    mutating func joinWhenLong() { if postings.count > limit { join() } }

    /// Puts them in the order of the documents, each of which has one then.
    mutating func join() {
        postings.sort { $0.document < $1.document }
        var kept = 0
        for next in postings.indices {
            if kept > 0, postings[kept - 1].document == postings[next].document {
                let value = postings[next].value
                add(&postings[kept - 1].value, value)
            } else {
                postings[kept] = postings[next]
                kept += 1
            }
        }
        postings.removeSubrange(kept...)
        limit = 2 * kept + spare
    }
}
