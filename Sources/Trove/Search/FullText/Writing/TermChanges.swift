/// The changes of one term, by document: where it occurs from now on, or that it does not.
struct TermChanges: ~Copyable {
    /// What the buffer gathers of one occurrence.
    struct Entry: BitwiseCopyable {
        let term: UInt32
        /// The number of the change, of which later ones replace earlier ones of the same document.
        let change: UInt32
        /// An ``Occurrence``, or ``removal``.
        let occurrence: UInt64
    }

    /// Tells that the term no longer occurs in the document.
    static let removal = UInt64.max

    private var documents: [UInt64] = []
    /// Where the occurrences of each document begin; one more than there are documents.
    private var starts: [Int] = []
    private var all: [UInt64] = []

    var count: Int { documents.count }

    @inline(__always)
    borrowing func document(_ index: Int) -> UInt64 { documents[index] }

    /// Calls `body` with the occurrences in a document the term is not removed from.
    @inline(__always)
    borrowing func withOccurrences(_ index: Int, _ body: (UnsafeBufferPointer<UInt64>) -> Void) {
        all.withUnsafeBufferPointer { all in
            body(UnsafeBufferPointer(rebasing: all[starts[index]..<starts[index + 1]]))
        }
    }

    @inline(__always)
    borrowing func isRemoval(_ index: Int) -> Bool { all[starts[index]] == Self.removal }

    /// At most how many bytes the changes up to a document take in a block.
    borrowing func size(upTo bound: UInt64, from start: Int) -> Int {
        var index = start
        while index < count, documents[index] <= bound { index += 1 }
        return (index - start) * 6 + (starts[index] - starts[start]) * 4
    }

    /// Takes the entries of one term, ordered by document and change, of which `numbers` tells the documents; entries of documents
    /// without a number are left out. With `once` an occurrence more than one in a document counts for nothing.
    mutating func take(_ entries: UnsafeMutableBufferPointer<Entry>, numbers: UnsafeBufferPointer<UInt64>, once: Bool) {
        documents.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        all.removeAll(keepingCapacity: true)
        var change = UInt32.max
        for entry in entries {
            let number = numbers[Int(entry.change)]
            if number == .max { continue }
            if entry.change == change {
                if !once { all.append(entry.occurrence) }
                continue
            }
            change = entry.change
            if documents.last == number {
                all.removeSubrange(starts[starts.count - 1]...)
            } else {
                documents.append(number)
                starts.append(all.count)
            }
            all.append(entry.occurrence)
        }
        starts.append(all.count)
    }
}
