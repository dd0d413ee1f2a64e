/// What the entries of the index hold.
extension InvertedIndexVerifier {
    /// Adds what the postings hold, by document; the blocks' own order and counts are checked on the way.
    func addPostings(_ postings: Keyspace, _ advance: () throws -> Void) throws {
        var term: [UInt8] = []
        var (count, last): (Int, UInt64?) = (0, nil)
        let block = PostingBlock(index)
        /// Whether the last block of the term has not come yet.
        var isOpen = false
        func endTerm() {
            if isOpen { report(.damaged(reason: "a word's last block of postings is missing")) }
        }
        try reader.scan(in: postings) { key, value in
            try watch.step()
            try advance()
            do {
                try block.load(key: key, value: value)
            } catch TroveError.corruptIndex(_, _, let reason) {
                report(.damaged(reason: reason))
                return .next
            }
            let bytes = [UInt8](copying: key)
            let blockTerm = Array(bytes.prefix { $0 != 0 })
            if blockTerm != term {
                endTerm()
                (term, count, last, isOpen) = (blockTerm, 0, nil, true)
            }
            if let last, block.count > 0, block.documents[0] <= last {
                report(.damaged(reason: "the blocks of a word overlap"))
            }
            if block.count > 0 { last = block.documents[block.count - 1] }
            count += block.count
            if block.isTail {
                isOpen = false
                if count != block.total { report(.damaged(reason: "a word has \(count) documents and counts \(block.total)")) }
            }
            try add(block, term)
            return .next
        }
        endTerm()
    }

    private func add(_ block: PostingBlock, _ term: [UInt8]) throws {
        guard index.keepsCounts else {
            let hash = Checksum.hash(term)
            for posting in 0..<block.count { try add(block.documents[posting]) { $0.words &+= hash } }
            return
        }
        let index = index
        do {
            var walk = try PostingWalk(block, keepsCounts: true, keepsPositions: index.keepsPositions)
            while !walk.isAtEnd {
                let number = walk.document
                var words: UInt64 = 0
                try walk.next { counts, positions in
                    PostingWalk.forEachOccurrence(
                        counts, positions, fieldCount: index.fieldCount, hasPositions: index.keepsPositions
                    ) { words &+= Checksum.hash(term, seed: $0) &* $1 }
                }
                try add(number) { $0.words &+= words }
            }
        } catch TroveError.corruptIndex(_, _, let reason) {
            report(.damaged(reason: reason))
        }
    }

    func addLengths(_ documents: Keyspace, _ advance: () throws -> Void) throws {
        var block = LengthBlock()
        try reader.scan(in: documents) { key, value in
            try watch.step()
            try advance()
            guard let group = key.withUnsafeBytes(DocumentKey.lengthGroup) else { return .next }
            do {
                try block.load(value, key: [UInt8](copying: key), index)
            } catch TroveError.corruptIndex(_, _, let reason) {
                report(.damaged(reason: reason))
                return .next
            }
            for (slot, length) in block.lengths.enumerated() where length > 0 {
                try add(group * FullTextFormat.groupSize + UInt64(slot)) { $0.length = Int(length) }
            }
            return .next
        }
    }

    func forEachDocument(_ documents: Keyspace, _ body: (UInt64, [UInt8]) throws -> Void) throws {
        try reader.scan(in: documents) { key, value in
            try watch.step()
            guard let block = key.withUnsafeBytes(DocumentKey.recordKeyBlock) else { return .next }
            do {
                try RecordKeyBlock.forEach(value, key: key, index) { slot, recordKey in
                    try body(block * FullTextFormat.keyBlockSize + UInt64(slot), [UInt8](recordKey))
                }
            } catch TroveError.corruptIndex(_, _, let reason) {
                report(.damaged(reason: reason))
            }
            return .next
        }
    }

    func checkTotals(_ documents: Keyspace, _ keys: Keyspace, _ count: Int, _ words: Int?) throws {
        do {
            let totals = try IndexTotals.load(index, reader, documents)
            if totals.documentCount != count {
                report(.damaged(reason: "it holds \(count) documents and counts \(totals.documentCount)"))
            }
            if index.keepsLengths, let words, totals.wordCount != words {
                report(.damaged(reason: "its documents have \(words) words and it counts \(totals.wordCount)"))
            }
        } catch TroveError.corruptIndex(_, _, let reason) {
            report(.damaged(reason: reason))
        }
        let numbered = try reader.count(in: keys)
        if numbered != count { report(.damaged(reason: "it holds \(count) documents under \(numbered) record keys")) }
    }
}
