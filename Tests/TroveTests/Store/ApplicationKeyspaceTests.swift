import TestSupport
import Testing
import Trove
import TroveBackendKit

/// Keyspaces of the application's own, beside its objects and in their commits.
@Suite struct ApplicationKeyspaceTests {
    @Model struct Item: Equatable {
        let id: Int
    }

    private struct Refusal: Error {}

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func texts(_ entries: [(key: [UInt8], value: [UInt8])]) -> [String] {
        entries.map { String(decoding: $0.key, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self) }
    }

    /// Random changes, some of them undone, leave what they leave in a dictionary.
    @Test(arguments: Engine.allCases) func entriesAreThoseOfADictionary(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        var random = SeededGenerator(seed: 1)
        var model: [[UInt8]: [UInt8]] = [:]
        func key() -> [UInt8] { (0..<Int.random(in: 1...3, using: &random)).map { _ in [0, 1, 0x7F, 0xFF].randomElement(using: &random) ?? 0 } }
        for _ in 0..<20 {
            let before = model
            let isUndone = Bool.random(using: &random)
            do {
                try fixture.store.write { transaction in
                    model = before
                    let keyspace = try transaction.keyspace("map")
                    try transaction.savepoint {
                        for _ in 0..<20 {
                            let (key, value) = (key(), key())
                            switch Int.random(in: 0..<4, using: &random) {
                            case 0:
                                #expect(try keyspace.insert(key, value) == (model[key] == nil))
                                if model[key] == nil { model[key] = value }
                            case 1:
                                #expect(try keyspace.remove(key) == (model.removeValue(forKey: key) != nil))
                            default:
                                try keyspace.put(key, value)
                                model[key] = value
                            }
                            #expect(try keyspace.value(of: key) == model[key])
                        }
                        if isUndone { throw Refusal() }
                    }
                }
            } catch is Refusal {
                model = before
            }
            try fixture.store.read { transaction in
                let keyspace = try transaction.keyspace("map")
                let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                let range = KeyRange.prefix([0xFF])
                #expect(try keyspace.entries().map(\.key) == sorted.map(\.key))
                #expect(try keyspace.entries().map(\.value) == sorted.map(\.value))
                #expect(try keyspace.entries(order: .descending, limit: 3).map(\.key) == sorted.reversed().prefix(3).map(\.key))
                #expect(try keyspace.entries(range).map(\.key) == sorted.map(\.key).filter { $0.first == 0xFF })
                #expect(try keyspace.count(range) == sorted.count { $0.key.first == 0xFF })
                #expect(try keyspace.count() == sorted.count)
                #expect(try keyspace.entries(limit: 0).isEmpty && keyspace.entries(limit: -1).isEmpty)
            }
        }
        #expect(!model.isEmpty)
    }

    @Test(arguments: Engine.allCases) func objectsAndEntriesAreOneCommit(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        #expect(throws: Refusal.self) {
            try store.write { transaction in
                try transaction.save(Item(id: 1))
                try transaction.keyspace("log").put(Self.bytes("1"), Self.bytes("saved"))
                throw Refusal()
            }
        }
        #expect(try store.read { try $0.keyspaceNames() }.isEmpty)
        #expect(try store.read { try $0.keyspace("log").value(of: Self.bytes("1")) } == nil)
        try store.write { transaction in
            let log = try transaction.keyspace("log")
            // The keyspace that a savepoint made is gone with it; the same handle makes it anew.
            #expect(throws: Refusal.self) {
                try transaction.savepoint {
                    try log.put(Self.bytes("1"), Self.bytes("undone"))
                    throw Refusal()
                }
            }
            #expect(try log.count() == 0 && !log.contains(Self.bytes("1")))
            try log.put(Self.bytes("1"), Self.bytes("saved"))
            try transaction.save(Item(id: 1))
        }
        try fixture.reopenStore()
        #expect(try Self.texts(fixture.store.read { try $0.keyspace("log").entries() }) == ["1=saved"])
        #expect(try fixture.store.fetch(Item.self).all() == [Item(id: 1)])
    }

    @Test(arguments: Engine.allCases) func namesAreApart(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        // A model's name, one of Trove's own, one with another's bytes behind it, and two that Swift calls equal.
        let names = ["$catalogue", "Item", "app", "app/a", "cafe\u{301}", "caf\u{E9}", "\u{301}"]
        try store.save(Item(id: 1))
        try store.write { transaction in
            for (number, name) in names.enumerated() { try transaction.keyspace(name).put([1], [UInt8(number)]) }
        }
        try fixture.reopenStore()
        try fixture.store.write { transaction in
            #expect(try transaction.keyspaceNames().map { Array($0.utf8) } == names.map { Array($0.utf8) })
            for (number, name) in names.enumerated() { #expect(try transaction.keyspace(name).value(of: [1]) == [UInt8(number)]) }
            try transaction.keyspace("Item").drop()
            #expect(try transaction.keyspace("app").removeAll() == 1)
            #expect(try transaction.keyspace("app").removeAll() == 0)
        }
        #expect(try fixture.store.read { try $0.keyspaceNames() }.count == names.count - 1)
        #expect(try fixture.store.counts() == ["Item": 1])
        #expect(try fixture.store.fetch(Item.self).all() == [Item(id: 1)])
    }

    @Test(arguments: Engine.allCases) func maintenanceKeepsThem(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let large = [UInt8](repeating: 7, count: 100_000)
        try fixture.store.write { transaction in
            try transaction.save(Item(id: 1))
            try transaction.keyspace("pages").put([1], large)
            try transaction.keyspace("pages").put([2], [])
        }
        func holds(_ store: ObjectStore) throws -> Bool {
            try store.read { transaction in
                let pages = try transaction.keyspace("pages")
                return try pages.value(of: [1]) == large && pages.value(of: [2]) == [] && pages.count() == 2
            }
        }
        try fixture.store.compact()
        #expect(try holds(fixture.store))
        let report = try fixture.store.verify()
        #expect(report.isSound && report.records == 1)
        let target = MemoryBackend(name: "keyspaces of \(fixture.directory.file())")
        try fixture.store.copy(to: target)
        let copy = try ObjectStore(target, models: Item.self)
        #expect(try holds(copy))
        try copy.close()
        guard engine != .memory else { return }
        let path = fixture.directory.file("backup")
        try fixture.store.backUp(to: path)
        let backup = try ObjectStore(engine.open(path), models: Item.self)
        #expect(try holds(backup))
        try backup.close()
    }

    /// An engine that says it takes small values only.
    private final class SmallValues: ForwardingBackend {
        let wrappedBackend: any StorageBackend

        init(_ backend: any StorageBackend) { wrappedBackend = backend }

        var capabilities: StorageCapabilities {
            var capabilities = wrappedBackend.capabilities
            capabilities.maxValueSize = 1_000
            return capabilities
        }
    }

    @Test(arguments: Engine.allCases) func aRefusedEntryMakesNoKeyspace(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore(SmallValues($0), durability: .relaxed, models: Item.self) }
        try fixture.store.write { transaction in
            let keyspace = try transaction.keyspace("new")
            let long = [UInt8](repeating: 1, count: 512)
            #expect { try keyspace.put([], [1]) } throws: { if case StorageError.emptyKey = $0 { true } else { false } }
            #expect { try keyspace.put(long, [1]) } throws: { if case StorageError.keyTooLarge = $0 { true } else { false } }
            #expect { try keyspace.insert(long, [1]) } throws: { if case StorageError.keyTooLarge = $0 { true } else { false } }
            #expect { try keyspace.put([1], long + long) } throws: { if case StorageError.valueTooLarge = $0 { true } else { false } }
        }
        #expect(try fixture.store.read { try $0.keyspaceNames() }.isEmpty)
        try fixture.store.write { try $0.keyspace("new").put([1], [1]) }
        #expect(try fixture.store.read { try $0.keyspaceNames() } == ["new"])
    }

    @Test(arguments: Engine.allCases) func mistakesAreRefusedAndChangeNothing(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        try store.write { transaction in
            for name in ["", String(repeating: "x", count: 251)] {
                #expect { try transaction.keyspace(name) } throws: { if case StorageError.invalidKeyspaceName = $0 { true } else { false } }
            }
            let longest = try transaction.keyspace(String(repeating: "x", count: 250))
            try longest.put([1], [1])
            #expect { try longest.put([], [2]) } throws: { if case StorageError.emptyKey = $0 { true } else { false } }
            #expect { try longest.put([UInt8](repeating: 1, count: 512), [2]) } throws: { if case StorageError.keyTooLarge = $0 { true } else { false } }
        }
        var escaped: ApplicationKeyspace<WriteTransaction>?
        try store.write { escaped = try $0.keyspace("late") }
        let late = try #require(escaped)
        #expect { try late.put([1], [1]) } throws: { if case TroveError.transactionFinished = $0 { true } else { false } }
        #expect { try late.value(of: [1]) } throws: { if case TroveError.transactionFinished = $0 { true } else { false } }
        #expect(try store.read { try $0.keyspaceNames() } == [String(repeating: "x", count: 250)])
        try fixture.reopenStore { try ObjectStore($0, access: .readOnly, models: Item.self) }
        #expect(try fixture.store.read { try $0.keyspace(String(repeating: "x", count: 250)).value(of: [1]) } == [1])
        #expect { try fixture.store.write { try $0.keyspace("new").put([1], [1]) } } throws: { if case StorageError.readOnly = $0 { true } else { false } }
    }
}
