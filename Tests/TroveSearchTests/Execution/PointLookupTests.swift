import Foundation
import TestSupport
import Testing
import TroveStorage

@testable import Trove

/// The id, or one property with an index, compared with one value: what is found without a plan is what plain Swift finds, and what a plan finds.
@Suite struct PointLookupTests {
    @Model struct Item: Equatable {
        #Index<Item>([\.shelf, \.number])
        #Index<Item>([\.shelf])
        #Index<Item>([.descending(\.label)])
        var id: Int
        /// The name has the number of items that it is shared by.
        @Attribute(.indexed) var name: String
        @Attribute(.indexed) var group: Int?
        @Attribute(.unique) var code: UUID
        @Attribute(.indexed) var owner: ObjectID
        var label: String
        var shelf: Int
        var number: Int
    }

    /// As many as a lookup takes, one more, one less.
    private static let sizes = [1, 2, 31, 32, 33, 34]
    private static let limits: [Int?] = [nil, 1, 2, 31, 32, 33, 34, 100]

    private static func owner(_ number: Int) -> ObjectID { ObjectID(high: UInt64(number), low: 7) }

    /// Ids ascend in another order than the items are saved in.
    private static let items: [Item] = {
        var items: [Item] = []
        for size in sizes {
            for _ in 0..<size {
                let number = items.count
                items.append(
                    Item(
                        id: (number * 37) % 211, name: "name \(size)", group: size == 2 ? nil : size, code: UUID(), owner: owner(size), label: "label \(size)", shelf: size,
                        number: number % 5))
            }
        }
        return items
    }()

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self) }
    }

    /// Everything that can be asked, of a store or a transaction, compared with the items in it.
    private func check(_ fetch: Fetch<Item, some ObjectSource>, _ expected: [Item], _ comment: Comment) throws {
        let expected = expected.sorted { $0.id < $1.id }
        for limit in Self.limits {
            let limited = limit.map { fetch.limit($0) } ?? fetch
            let results = Array(expected.prefix(limit ?? .max))
            #expect(try limited.all() == results, comment)
            #expect(try limited.first() == results.first, comment)
            #expect(try limited.count() == results.count, comment)
            #expect(try limited.exists() == !results.isEmpty, comment)
            #expect(try limited.ids() == results.map(\.id), comment)
            var met: [Item] = []
            try limited.forEach { item, stop in
                met.append(item)
                stop = met.count == 3
            }
            #expect(met == Array(results.prefix(3)), comment)
            // Pages are planned.
            #expect(try limited.page(1_000).objects == results, comment)
        }
        #expect(try fetch.limit(0).all() == [] && fetch.limit(0).count() == 0, comment)
    }

    private func checkAll(_ fetch: Fetch<Item, some ObjectSource>, _ items: [Item]) throws {
        for size in Self.sizes + [0] {
            let (name, label, owner) = ("name \(size)", "label \(size)", Self.owner(size))
            try check(fetch.where { $0.name == name }, items.filter { $0.name == name }, "name \(size)")
            try check(fetch.where { $0.group == size }, items.filter { $0.group == size }, "group \(size)")
            try check(fetch.where { $0.owner == owner }, items.filter { $0.owner == owner }, "owner \(size)")
            try check(fetch.where { $0.label == label }, items.filter { $0.label == label }, "label \(size)")
            try check(fetch.where { $0.shelf == size }, items.filter { $0.shelf == size }, "shelf \(size)")
        }
        try check(fetch.where { $0.group == nil }, items.filter { $0.group == nil }, "nil")
        for item in items.prefix(3) + Self.items.suffix(1) {
            try check(fetch.where { $0.code == item.code }, items.filter { $0.code == item.code }, "code")
            try check(fetch.where { $0.id == item.id }, items.filter { $0.id == item.id }, "id")
            try check(fetch.matching("$id = ?", item.id), items.filter { $0.id == item.id }, "$id")
        }
        try check(fetch.where { $0.id == 1_000 }, [], "no id")
    }

    @Test(arguments: Engine.allCases) func findsWhatPlainSwiftFinds(engine: Engine) throws {
        let fixture = try fixture(engine)
        try checkAll(fixture.store.fetch(Item.self), [])
        try fixture.store.save(Self.items)
        try checkAll(fixture.store.fetch(Item.self), Self.items)
        try fixture.store.read { try checkAll($0.fetch(Item.self), Self.items) }
    }

    /// What a transaction has changed is found, though its indexes are written later.
    @Test(arguments: Engine.allCases) func seesTheTransactionsOwnChanges(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.save(Array(Self.items.prefix(100)))
        try fixture.store.write { transaction in
            try transaction.save(Array(Self.items.suffix(from: 90)))
            for item in Self.items.prefix(2) { _ = try transaction.delete(Item.self, id: item.id) }
            var items = Array(Self.items.dropFirst(2))
            items[0].name = "name 0"
            try transaction.save(items[0])
            try checkAll(transaction.fetch(Item.self), items)
            // Each result is deleted when its turn comes.
            try transaction.fetch(Item.self).where { $0.name == "name 31" }.forEach { item, _ in _ = try transaction.delete(Item.self, id: item.id) }
            try checkAll(transaction.fetch(Item.self), items.filter { $0.name != "name 31" })
        }
    }

    @Test(arguments: Engine.allCases) func mistakesAreThoseOfAnyQuery(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try await store.save(Self.items)
        #expect(throws: TroveError.self) { try store.fetch(Item.self).where { $0.name == "x" }.limit(-1).all() }
        #expect(throws: TroveError.self) { try store.fetch(Item.self).where { $0.name == "x" }.limit(-1).count() }
        for filter in [Filter.comparison(.path("name"), .equal, .value(.int(1))), .comparison(.path("owner"), .equal, .value(.string("x")))] {
            #expect(throws: TroveError.self) { try store.fetch(Item.self).where(filter).first() }
            #expect(throws: TroveError.self) { try store.fetch(Item.self).where(filter).count() }
        }
        let cancelled = Task.detached {
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(throws: CancellationError.self) { try store.fetch(Item.self).where { $0.name == "name 1" }.first() }
            #expect(throws: CancellationError.self) { try store.fetch(Item.self).where { $0.id == 0 }.first() }
        }
        await cancelled.value
    }

    @Test(arguments: Engine.allCases) func anEntryWithoutARecordIsToldByItsIndex(engine: Engine) throws {
        var opened: (any StorageBackend)?
        let fixture = try StoreFixture(engine) {
            opened = $0
            return try ObjectStore($0, durability: .relaxed, models: Item.self)
        }
        try fixture.store.save(Self.items)
        let item = Self.items[0]
        try #require(opened).write(.buffered) { writer in
            let keyspace = try #require(try writer.keyspace(named: "Item"))
            _ = try writer.delete(item.id.keyBytes.span.bytes, in: keyspace)
        }
        let fetch = fixture.store.fetch(Item.self).where { $0.name == item.name }
        for read in [{ _ = try fetch.first() }, { _ = try fetch.all() }, { _ = try fetch.page(5) }] as [() throws -> Void] {
            do {
                try read()
                Issue.record("it was read")
            } catch TroveError.corruptIndex(let model, let index, _) {
                #expect(model == "Item" && index == "name")
            }
        }
        #expect(try fixture.store.fetch(Item.self).where { $0.id == item.id }.first() == nil)
    }

    /// Of several indexes that find few, the one that `explain` names is read.
    @Test(arguments: Engine.allCases) func readsTheIndexThatThePlanNames(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.save(Self.items)
        func uses() throws -> [String: Int] {
            Dictionary(uniqueKeysWithValues: try store.indexStatistics().map { ($0.schema.name, $0.uses) })
        }
        for whole in [store.fetch(Item.self).where { $0.name == "name 2" }, store.fetch(Item.self).where { $0.shelf == 2 }] {
            for fetch in [whole, whole.limit(1)] {
                let named = try #require(try fetch.explain(running: false).steps.first { $0.kind == .index }?.index)
                let before = try uses()
                _ = try fetch.all()
                let after = try uses()
                #expect(after.filter { before[$0.key] != $0.value }.map(\.key) == [named])
            }
        }
    }
}
