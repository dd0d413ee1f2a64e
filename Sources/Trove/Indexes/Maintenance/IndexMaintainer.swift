/// Keeps one index in step with the records inside one write transaction.
///
/// Changes of records are noted, and written to the engine together in the order of their keys: at the commit, around savepoints, before the
/// index is read in the same transaction, and when they take much memory.
protocol IndexMaintainer: ChangeListener {
    var binding: IndexBinding { get }
}

/// Two records have values of which a unique index allows one; both by the engine's keys.
struct UniqueConflict: Error {
    let binding: IndexBinding
    let recordKey: [UInt8]
    let otherKey: [UInt8]
}

extension IndexBinding {
    /// What keeps the index in one write transaction.
    ///
    /// - Parameters:
    ///   - lastKey: the engine's key of the last record that a build has come to; nil for a whole index.
    ///   - whenCommitted: keeps an action for the time when the transaction is committed.
    func maintainer(
        upTo lastKey: [UInt8]?, _ writer: any StorageWriter, whenCommitted: @escaping (@escaping () -> Void) -> Void
    ) throws -> any IndexMaintainer {
        switch schema.kind {
        case .ordered, .blind: return OrderedIndexWriter(self, upTo: lastKey, writer)
        case .paths: return OrderedIndexWriter(self, upTo: lastKey, writer, PathNumbers(of: self, writer, whenCommitted))
        case .fullText, .substring:
            guard let inverted = try invertedIndex() else { throw corrupt("its kind is unknown") }
            return WordIndexMaintainer(self, inverted, upTo: lastKey, writer)
        }
    }
}
