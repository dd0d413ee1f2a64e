import Testing

@testable import TestModels
@testable import Trove

/// Expects the indexes of a store's tracks, their statistics and groups to be exactly what these objects make them.
func expectIndexes(_ store: ObjectStore, of tracks: some Collection<Track>, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try store.read { try expectIndexes($0, of: tracks, sourceLocation: sourceLocation) }
}

func expectIndexes(
    _ transaction: ReadTransaction, of tracks: some Collection<Track>, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let oracle = IndexOracle(tracks: Array(tracks))
    let dump = try IndexDump(transaction)
    let expected = oracle.entries
    #expect(Set(dump.entries.keys) == Set(expected.keys), sourceLocation: sourceLocation)
    for (name, entries) in expected {
        let found = dump.entries[name] ?? [:]
        let missing = entries.filter { found[$0.key] != $0.value }
        let extra = found.filter { entries[$0.key] == nil }
        #expect(missing.isEmpty && extra.isEmpty, "\(name): missing \(missing), extra \(extra)", sourceLocation: sourceLocation)
        #expect(dump.counts[name] == entries.count, "the number of entries of \(name)", sourceLocation: sourceLocation)
        let sample = Set(entries.keys.filter { Checksum.hash($0) % 256 == 0 })
        #expect(dump.samples[name] == sample, "the sample of \(name)", sourceLocation: sourceLocation)
    }
    let years = oracle.years
    #expect(Set(dump.years.keys) == Set(years.keys), sourceLocation: sourceLocation)
    for (year, group) in years {
        if let found = dump.years[year] { #expect(found == group, "the group of \(year)", sourceLocation: sourceLocation) }
    }
}
