import EngineSupport
import Testing
import TroveStorage

@testable import TroveSQLite

/// Values that do not fit on a page are kept apart; nobody may notice, and no row may be left behind.
struct ValueTests {
    private func rows(_ fixture: Fixture) throws -> Int {
        try #require(Int(try RawDatabase(fixture.path).value("SELECT count(*) FROM trove_values")))
    }

    @Test func valuesOfAllSizesAroundTheLimit() throws {
        let fixture = try Fixture()
        let sizes = [0, 1, 1_900, 1_980, 2_000, 2_010, 2_015, 2_030, 2_100, 8_150, 8_192, 9_000, 70_000, 3_000_000]
        for keySize in [1, 100, 511] {
            for size in sizes {
                let key = Array(repeating: UInt8(size % 251), count: keySize - 1) + [1]
                try fixture.put(key, Array(repeating: 9, count: size))
                #expect(try fixture.value(of: key) == Array(repeating: 9, count: size))
            }
        }
        #expect(try fixture.integrity() == "ok")
    }

    @Test(arguments: 0..<10) func largeAndSmallReplaceEachOther(seed: UInt64) throws {
        let fixture = try Fixture()
        var random = SeededGenerator(seed: seed)
        var model: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<10 {
            let isKept = Bool.random(using: &random)
            let before = model
            let failure = StorageError.name {
                try fixture.store.write(.buffered) { writer in
                    let data = try writer.createKeyspace(named: "data")
                    for _ in 0..<40 {
                        let key = bytes(Int.random(in: 0..<30, using: &random))
                        let size = [0, 10, 2_000, 2_100, 20_000][Int.random(in: 0..<5, using: &random)]
                        let value = [UInt8](repeating: .random(in: 0...255, using: &random), count: size)
                        switch Int.random(in: 0..<6, using: &random) {
                        case 0:
                            #expect(try writer.delete(key, in: data) == (model.removeValue(forKey: key) != nil))
                        case 1:
                            let upper = Array(key.dropLast()) + [key.last! &+ 5]
                            let range = KeyRange(from: key, upTo: upper)
                            let inside = model.keys.filter(range.contains)
                            #expect(try writer.deleteRange(range, in: data) == inside.count)
                            for key in inside { model[key] = nil }
                        case 2:
                            #expect(try writer.insert(key, value, in: data) == (model[key] == nil))
                            if model[key] == nil { model[key] = value }
                        default:
                            try writer.put(key, value, in: data)
                            model[key] = value
                        }
                    }
                    if !isKept { throw StorageError.unsupported(.init(engine: "test", path: "", message: "undo")) }
                }
            }
            #expect((failure == nil) == isKept)
            if !isKept { model = before }
            let large = model.filter { $0.key.count + $0.value.count > fixture.store.engine.writer.maxInlineSize - KeyPrefix.maxSize }
            #expect(try rows(fixture) == large.count, "seed \(seed)")
            for number in 0..<30 { #expect(try fixture.value(of: bytes(number)) == model[bytes(number)], "seed \(seed)") }
        }
        try fixture.store.write(.buffered) { writer in try writer.dropKeyspace(try writer.createKeyspace(named: "data")) }
        #expect(try rows(fixture) == 0)
        #expect(try fixture.integrity() == "ok")
    }

    @Test func keyspacesKeepTheirLargeValuesApart() throws {
        let fixture = try Fixture()
        for name in ["a", "b"] { try fixture.put([1], Array(repeating: name.utf8.first!, count: 10_000), in: name) }
        try fixture.store.write(.buffered) { writer in try writer.dropKeyspace(try writer.createKeyspace(named: "a")) }
        #expect(try fixture.value(of: [1], in: "b") == Array(repeating: UInt8(ascii: "b"), count: 10_000))
        try fixture.put([1], Array(repeating: 7, count: 10_000), in: "a")
        #expect(try fixture.value(of: [1], in: "a") == Array(repeating: 7, count: 10_000))
        #expect(try rows(fixture) == 2)
    }

    @Test func aLostLargeValueIsDamage() throws {
        let fixture = try Fixture()
        try fixture.put([1], Array(repeating: 1, count: 10_000))
        try RawDatabase(fixture.path).execute("DELETE FROM trove_values")
        #expect(StorageError.name { _ = try fixture.value(of: [1]) } == "corrupt")

        try fixture.put([1], Array(repeating: 2, count: 10_001))
        #expect(try fixture.value(of: [1]) == Array(repeating: 2, count: 10_001))
    }
}
