import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveMirror

/// Random edits on both sides, against plain dictionaries that are merged property by property.
@Suite struct MirrorProgramTests {
    private typealias Values = [String: StoredValue]

    @Test(arguments: Engine.allCases) func randomEdits(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let notes = fixture.store.documents("notes")
        var random = SeededGenerator(seed: 21)
        let ids = (0..<12).map { _ in ObjectID() }
        var (base, store): ([ObjectID: Values], [ObjectID: Values]) = ([:], [:])

        func change(_ values: Values?, _ random: inout SeededGenerator) -> Values? {
            guard var values else { return Bool.random(using: &random) ? ["a": .int(0), "b": .string("new")] : nil }
            if Int.random(in: 0..<6, using: &random) == 0 { return nil }
            for name in ["a", "b", "c"] where Bool.random(using: &random) {
                values[name] = Int.random(in: 0..<4, using: &random) == 0 ? nil : .int(Int64.random(in: 0..<4, using: &random))
            }
            return values
        }
        func text(_ values: Values) throws -> String {
            try WrittenObject(model: "notes", id: nil, value: .object(values)).json(Bool.random(using: &random) ? .pretty : .compact)
        }

        for round in 0..<TestShare.rounds(40) {
            var file = base
            for id in ids {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    store[id] = change(store[id], &random)
                    if let values = store[id] { try notes.save(Document(.object(values), id: id)) } else { try notes.delete(ids: [id]) }
                }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    file[id] = change(file[id], &random)
                    let path = "notes/\(id).json"
                    if let values = file[id] {
                        try fixture.write(WrittenObject(model: "notes", id: .objectID(id), value: .object(values)).json(.pretty), path)
                    } else if fixture.exists(path) {
                        try fixture.remove(path)
                    }
                }
            }
            let report = try fixture.mirror.synchronize(allowingDeletions: true)
            var expected: [ObjectID: Values] = [:]
            var conflicts = 0
            for id in ids {
                let (merged, isConflict) = Self.merged(base[id], store[id], file[id])
                expected[id] = merged
                if isConflict { conflicts += 1 }
            }
            let found = Dictionary(uniqueKeysWithValues: try notes.fetch().all().map { ($0.id, $0.value) })
            #expect(found == expected.mapValues { .object($0) }, "round \(round): \(report)")
            #expect(report.conflicts.count == conflicts && report.problems.isEmpty, "round \(round): \(report)")
            for (id, values) in expected {
                #expect(try WrittenObject.all(json: fixture.text("notes/\(id).json")).map(\.value) == [.object(values)])
            }
            #expect(try fixture.paths().filter { !$0.contains("conflict") }.count == expected.count)
            #expect(try fixture.mirror.synchronize().isUnchanged, "round \(round)")
            (base, store) = (expected, expected)
        }
        #expect(try fixture.store.verify().isSound)
    }

    /// Property by property; where both differ from the base and from each other, the store's stays.
    private static func merged(_ base: Values?, _ store: Values?, _ file: Values?) -> (Values?, Bool) {
        if store == file || file == base { return (store, false) }
        if store == base { return (file, false) }
        guard let store, let file else { return (store, true) }
        var (result, isConflict): (Values, Bool) = ([:], false)
        for name in ["a", "b", "c"] {
            let (old, left, right) = (base?[name], store[name], file[name])
            if left == right || right == old {
                result[name] = left
            } else if left == old {
                result[name] = right
            } else {
                result[name] = left
                isConflict = true
            }
        }
        return (result, isConflict)
    }
}
