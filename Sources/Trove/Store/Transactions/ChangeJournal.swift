/// Takes down every record that a write transaction changes, whatever caused it: a save, a deletion, a rule, an inverse.
///
/// What a savepoint takes back is taken back here too. A journal belongs to one call of ``StoreCore/write(_:journal:_:)``, which may run its
/// closure more than once and empties the journal each time; it is read after the closure has ended, or inside it.
final class ChangeJournal {
    /// One change after the other; a record that changes twice is there twice.
    private(set) var log: [RecordChange] = []

    /// How far the journal has come, for ``rollBack(to:)``.
    var mark: Int { log.count }

    var isEmpty: Bool { log.isEmpty }

    /// The records that are not as they were, in the order in which they were first changed.
    var changes: [RecordChange] {
        struct Name: Hashable {
            let modelName: String
            let key: [UInt8]
        }
        var places: [Name: Int] = [:]
        var changes: [RecordChange] = []
        for change in log {
            let name = Name(modelName: change.modelName, key: change.key)
            if let place = places[name] {
                changes[place].after = change.after
            } else {
                places[name] = changes.count
                changes.append(change)
            }
        }
        return changes.filter { $0.before != $0.after }
    }

    func append(_ change: RecordChange) { log.append(change) }

    /// Forgets what was taken down since a mark.
    func rollBack(to mark: Int) { log.removeSubrange(mark...) }

    func removeAll() { log.removeAll() }
}
