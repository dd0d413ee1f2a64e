/// The changes of an index's groups in a write transaction, added up until they are written.
struct GroupChanges {
    private let binding: IndexBinding
    private var changes: [[UInt8]: GroupEntry] = [:]
    /// Those of the change of a record that was noted last.
    private var pending: [(key: [UInt8], entry: GroupEntry)] = []
    /// About how many bytes the changes take.
    private(set) var size = 0

    init(_ binding: IndexBinding) {
        self.binding = binding
    }

    /// What was accepted, by the groups' keys.
    var entries: [[UInt8]: GroupEntry] { changes }

    mutating func note(_ record: RecordView, sign: Int) throws {
        pending.append(try binding.group(of: record, sign: sign))
    }

    mutating func accept() {
        for (key, entry) in pending { add(entry, to: key) }
        pending.removeAll(keepingCapacity: true)
    }

    /// Adds the accepted changes of records that follow those of these.
    mutating func add(_ other: GroupChanges) {
        for (key, entry) in other.changes { add(entry, to: key) }
    }

    private mutating func add(_ entry: GroupEntry, to key: [UInt8]) {
        if let index = changes.index(forKey: key) {
            changes.values[index].add(entry)
        } else {
            changes[key] = entry
            size += 160 + key.count + entry.values.count + 48 * entry.sums.count
        }
    }

    mutating func undo() { pending.removeAll(keepingCapacity: true) }

    mutating func removeAll() {
        changes = [:]
        pending = []
        size = 0
    }

    /// Announces the groups that change.
    func announce(_ writer: any StorageWriter) throws {
        if changes.isEmpty { return }
        try writer.prefetch(Array(changes.keys), in: writer.createKeyspace(named: IndexCatalogueEntry.groupsName(binding.number)))
    }

    /// Writes the changes in the order of the groups. A group without objects vanishes.
    ///
    /// - Throws: ``TroveError/sumOverflow(model:path:)`` when no `Decimal` is the sum of a group's decimals; ``TroveError/corruptIndex(model:index:reason:)``.
    mutating func write(_ writer: any StorageWriter) throws {
        if changes.isEmpty { return }
        let keyspace = try writer.createKeyspace(named: IndexCatalogueEntry.groupsName(binding.number))
        for (key, change) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if change.count == 0, change.sums.allSatisfy({ $0 == GroupSum() }) { continue }
            var entry = change
            let stored = try writer.withValue(of: key.span.bytes, in: keyspace) { value in try binding.namingDamage { try GroupEntry(value, binding.fields) } }
            if let stored {
                entry = stored
                entry.add(change)
            }
            if entry.count == 0 {
                try writer.remove(key, in: keyspace)
            } else {
                try writer.put(key, encoded(entry), in: keyspace)
            }
        }
        removeAll()
    }

    private func encoded(_ entry: GroupEntry) throws -> [UInt8] {
        do {
            return try entry.encode(binding.fields)
        } catch is InexactSum {
            let field = zip(binding.fields.sums, entry.sums).first { $0.isDecimal && $1.decimal.total() == nil }?.0
            throw TroveError.sumOverflow(model: binding.modelName, path: field?.path.description ?? binding.schema.name)
        }
    }
}
