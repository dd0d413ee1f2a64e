import Foundation

/// What an index shows of encrypted properties to somebody who has the store and not its keys.
///
/// ```swift
/// for index in try store.leakage(of: Patient.self) { print(index) }
/// // Patient: the index 'blind insurance' shows which of 1000 entries share one of 498 hashes of 9 bits, the commonest 14; …
/// ```
public struct IndexLeakage: Sendable, Hashable {
    /// What stands in the entries.
    public enum Exposure: Sendable, Hashable {
        /// Keyed hashes: equal values share them.
        case hashes(BlindOptions)
        /// The values, in order.
        case values
        /// The words of texts, or parts of them.
        case words
    }

    /// The name of the model.
    public let model: String
    /// The name of the index.
    public let index: String
    /// What stands in the entries.
    public let exposure: Exposure
    /// The entries.
    public let entries: Int
    /// How many different hashes, or values, the entries have.
    public let distinctHashes: Int
    /// How many entries the commonest of them has.
    public let largestHash: Int
    /// How many different values, or combinations of values, the objects have, of which the store with its keys knows.
    public let distinctValues: Int

    /// How many objects share a hash where hashes are spread evenly.
    ///
    /// The fewer, the better values are told apart by somebody without the keys; the more, the more objects a query reads in vain. CipherSweet's rule is 2 to
    /// the square root of the number of objects.
    public var expectedCoincidences: Double {
        guard case .hashes(let options) = exposure else { return 0 }
        return Double(entries) / pow(2, min(Double(options.bits), log2(max(1, Double(distinctValues)) * Double(options.spread))))
    }

    /// Why the index shows more than it should; empty when nothing is wrong.
    public var warnings: [String] {
        guard case .hashes(let options) = exposure else {
            return ["it has \(exposure == .values ? "the values" : "the words") in the clear, which .revealing allows"]
        }
        if options.isUnique || entries < 16 { return [] }
        var warnings: [String] = []
        if distinctValues < 16 {
            warnings.append("there are \(distinctValues) different values, which are told by how often they occur; index them together with another property, or with a spread")
        } else if expectedCoincidences < 2 {
            warnings.append("hardly any values share a hash, so that equal values are recognised; take fewer bits")
        }
        if expectedCoincidences > Double(entries).squareRoot(), distinctValues >= 16 {
            warnings.append("so many objects share a hash that a query reads many in vain; take more bits")
        }
        if largestHash * 4 > entries { warnings.append("a quarter of the objects or more share one hash; a spread would divide it") }
        return warnings
    }
}

extension IndexLeakage: CustomStringConvertible {
    public var description: String {
        let shown: String
        switch exposure {
        case .hashes(let options):
            shown = "shows which of \(entries) entries share one of \(distinctHashes) hashes of \(options.bits) bits, the commonest \(largestHash); "
                + "there are \(distinctValues) different values"
        case .values: shown = "shows the values of \(entries) entries"
        case .words: shown = "shows the words of the texts"
        }
        return "\(model): the index '\(index)' \(shown)" + warnings.map { "; " + $0 }.joined()
    }
}

extension ObjectStore {
    /// What the indexes of a model show of its encrypted properties to somebody without the keys.
    ///
    /// - Throws: ``TroveError/unknownModel(_:)``; ``TroveError/corruptIndex(model:index:reason:)``; what reading throws.
    /// - Complexity: all entries of these indexes and all objects are read, and the hashes of all different values kept in memory, eight bytes each.
    public func leakage<Object: Model>(of type: Object.Type) throws -> [IndexLeakage] { try read { try $0.leakage(of: $0.open(type)) } }

    /// What the indexes of a model show of its encrypted properties to somebody without the keys. The program need not have the model, but the keys.
    ///
    /// - Throws: ``TroveError/unknownType(_:known:)`` when there is no model of this name; what ``leakage(of:)`` throws.
    public func leakage(ofModelNamed name: String) throws -> [IndexLeakage] {
        try read { try $0.leakage(ofModelNamed: name) }
    }

    /// What the indexes of a model show of its encrypted properties to somebody without the keys.
    public func leakage<Object: Model>(of type: Object.Type) async throws -> [IndexLeakage] {
        try await maintenanceQueue.run { [core] in try core.read { try $0.leakage(of: $0.open(type)) } }
    }

    /// What the indexes of a model show of its encrypted properties to somebody without the keys. The program need not have the model, but the keys.
    public func leakage(ofModelNamed name: String) async throws -> [IndexLeakage] {
        try await maintenanceQueue.run { [core] in try core.read { try $0.leakage(ofModelNamed: name) } }
    }
}

extension ReadTransaction {
    fileprivate func leakage(ofModelNamed name: String) throws -> [IndexLeakage] {
        guard let model = try openRecords(named: name) else { throw try unknownType(name) }
        return try leakage(of: model)
    }

    fileprivate func leakage(of model: OpenModel) throws -> [IndexLeakage] {
        try usableIndexes(of: model.binding).filter { index in
            index.fields.sources?.contains { source in model.binding.schema.fields.contains { $0.name == source.name && $0.isEncrypted } } ?? false
        }.map { try leakage(of: $0, model) }
    }

    private func leakage(of index: IndexBinding, _ model: OpenModel) throws -> IndexLeakage {
        var (entries, hashes, largest, run) = (0, 0, 0, 0)
        var previous: [UInt8] = []
        if index.schema.kind.hasPartEntries, let keyspace = try indexKeyspace(index) {
            var watch = watch
            try reader.scan(.all, in: keyspace, order: .ascending) { key, value in
                try watch.step()
                let parts = [UInt8](try IndexEntry.readable(key, value, of: index).parts)
                entries += 1
                if hashes == 0 || parts != previous {
                    hashes += 1
                    run = 0
                    previous = parts
                }
                run += 1
                largest = max(largest, run)
                return .next
            }
        }
        let exposure: IndexLeakage.Exposure =
            if case .blind(let options) = index.schema.kind { .hashes(options) } else { index.schema.kind.isOrdered ? .values : .words }
        return IndexLeakage(
            model: index.modelName, index: index.schema.name, exposure: exposure, entries: entries, distinctHashes: hashes, largestHash: largest,
            distinctValues: try distinctParts(of: index, model))
    }

    /// How many different combinations of values of an index's parts the objects have.
    private func distinctParts(of index: IndexBinding, _ model: OpenModel) throws -> Int {
        guard index.schema.kind.hasPartEntries else { return 0 }
        var found: Set<UInt64> = []
        try forEachRecordBytes(of: model) { key, record in
            try withRecordView(record, key: key, model) { view in
                if let multiple = index.fields.multiplePart {
                    let parts = try index.memberParts(of: view, multiple)
                    for number in 0..<parts.members.count { found.insert(Checksum.hash(parts.before + parts.members[number] + parts.after)) }
                } else {
                    var parts = ByteWriter(capacity: 64)
                    _ = try index.appendParts(of: view, to: &parts)
                    found.insert(parts.withBytes { Checksum.hash($0) })
                }
            }
            return .next
        }
        return found.count
    }
}
