import Foundation

@testable import TestModels
@testable import Trove

/// What a store's keyspaces hold of the indexes.
struct IndexDump {
    /// The entries by the name of the index.
    var entries: [String: IndexOracle.Entries] = [:]
    /// What the statistics tell to be the number of entries, by the name of the index.
    var counts: [String: Int] = [:]
    /// The keys of the sample, by the name of the index.
    var samples: [String: Set<[UInt8]>] = [:]
    /// The groups of the index on years.
    var years: [Int64: (count: Int, plays: Int128, priced: Int, price: Decimal)] = [:]

    init(_ transaction: ReadTransaction) throws {
        try transaction.flushIndexes()
        let reader = try transaction.reader
        for binding in try transaction.usableIndexes(of: transaction.core.binding(for: Track.self)) {
            let name = binding.schema.name
            entries[name] = [:]
            samples[name] = []
            counts[name] = try IndexSample.count(of: binding.number, reader)
            if let keyspace = try transaction.indexKeyspace(binding) {
                try reader.scan(in: keyspace) { key, value in
                    entries[name]?[[UInt8](copying: key)] = [UInt8](copying: value)
                    return .next
                }
            }
            if let keyspace = try reader.keyspace(named: IndexSample.keyspaceName) {
                let prefix = IndexSample.samplePrefix(binding.number)
                try reader.scan(.prefix(prefix), in: keyspace) { key, _ in
                    samples[name]?.insert(Array([UInt8](copying: key).dropFirst(prefix.count)))
                    return .next
                }
            }
            if name == "by year" {
                try transaction.forEachGroup(of: binding) { group in
                    if case .int(let year) = group.values[0], case .integer(let plays, _) = group.sums[0],
                        case .decimal(let price, let priced) = group.sums[1]
                    {
                        years[year] = (group.count, plays, priced, price)
                    }
                    return .next
                }
            }
        }
    }
}
