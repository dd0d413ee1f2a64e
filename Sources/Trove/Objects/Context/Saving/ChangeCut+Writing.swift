extension ChangeCut {
    /// Does all changes in a transaction, whatever is stored.
    func write(to transaction: WriteTransaction) throws {
        try write(to: transaction, [:]) { _ in nil }
    }

    /// Does the changes in a transaction.
    ///
    /// - Parameters:
    ///   - settlements: what is done otherwise, by the positions of the entries.
    ///   - settle: what to do about an object that is inserted, and whose record is there already; nil to store it.
    /// - Returns: what was done otherwise, those of insertions included.
    @discardableResult
    func write(
        to transaction: WriteTransaction, _ settlements: [Int: Settlement], settle: (Entry) throws -> Settlement?
    ) throws -> [Int: Settlement] {
        var settlements = settlements
        // Deletions come last and together, so that their rules see the others' relationships as they will be, and each other.
        var deletions: [String: KeyList] = [:]
        let restored = entries.filter { $0.isRestored && $0.kind != .deletion }
        let keeper = restored.isEmpty ? nil : transaction.openRelationships()
        keeper?.spared.formUnion(restored.map { AnyReference(modelName: $0.type.schema.name, keyBytes: wholeKey(of: $0)) })
        try bytes.withUnsafeBytes { bytes in
            try transaction.batch {
                var last: (type: any LiveModel.Type, model: OpenModel)?
                for (position, entry) in entries.enumerated() where entry.kind != .none {
                    let key = UnsafeRawBufferPointer(rebasing: bytes[entry.key])
                    let record = UnsafeRawBufferPointer(rebasing: bytes[entry.record])
                    if last.map({ $0.type != entry.type }) ?? true { last = (entry.type, try transaction.openForSaving(entry.type)) }
                    guard let model = last?.model else { continue }
                    func noting<Result>(_ body: () throws -> Result) rethrows -> Result {
                        // What is settled otherwise than the objects say leaves rules and inverses something to do.
                        guard entry.isRestored, settlements.isEmpty, let keeper else { return try body() }
                        return try keeper.noting(.nothing, body)
                    }
                    if entry.kind == .insertion {
                        if try noting({ try transaction.putNew(key.bytes, record.bytes, model) }) { continue }
                        settlements[position] = try settle(entry)
                    }
                    switch settlements[position] ?? (entry.kind == .deletion ? .delete : .write(nil)) {
                    case .write(nil): try noting { try transaction.put(key.bytes, record.bytes, model) }
                    case .write(let other?): try transaction.put(key.bytes, other.span.bytes, model)
                    case .delete: deletions[model.binding.schema.name, default: KeyList()].append(key)
                    case .keep: break
                    }
                }
                if !deletions.isEmpty {
                    _ = try transaction.deleteTogether(deletions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
                }
            }
        }
        return settlements
    }
}
