import Synchronization
import TestSupport
import Testing
import Trove

/// What a store's delegate is told, and what it may refuse, whatever causes the changes.
@Suite struct StoreDelegateTests {
    @Model struct Item: Equatable {
        #Unique<Item>([\.name], identity: true)
        var name: String
        @Attribute(.indexed) var count: Int
        @Attribute(.unique) var code: Int
    }

    @Model struct Box {
        var label: String
        @Relationship(deleteRule: .cascade) var items: [Reference<Item>] = []
    }

    struct Refused: Error, Equatable {}

    /// Keeps what it is told as lines, and refuses what a test says.
    final class Recorder: StoreDelegate {
        let told = Mutex<(will: [String], did: [String], committed: [[String]])>(([], [], []))
        let refuses: @Sendable (ObjectChange) throws -> Bool

        init(refuses: @escaping @Sendable (ObjectChange) throws -> Bool = { _ in false }) { self.refuses = refuses }

        private static func line(_ change: ObjectChange) -> String {
            do {
                let (old, new) = (try change.old(Item.self), try change.new(Item.self))
                let name = old?.name ?? new?.name ?? change.reference.modelName
                return "\(change.kind) \(name) \(old.map { "\($0.count)" } ?? "-") \(new.map { "\($0.count)" } ?? "-")"
            } catch {
                return "\(error)"
            }
        }

        func willChange(_ change: ObjectChange) throws {
            told.withLock { $0.will.append(Self.line(change)) }
            if try refuses(change) { throw Refused() }
        }

        func didChange(_ change: ObjectChange) { told.withLock { $0.did.append(Self.line(change)) } }

        func didCommit(_ changes: [ObjectChange]) { told.withLock { $0.committed.append(changes.map(Self.line)) } }

        var committed: [[String]] { told.withLock { $0.committed } }
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Item.self, Box.self) }
    }

    @Test(arguments: Engine.allCases) func insertionsUpdatesAndDeletionsAreTold(engine: Engine) throws {
        let store = try Self.fixture(engine)
        let recorder = Recorder()
        store.store.delegate = recorder
        try store.store.save(Item(name: "a", count: 1, code: 1))
        try store.store.save(Item(name: "a", count: 2, code: 1))
        try store.store.insert(Item(name: "b", count: 5, code: 2))
        try store.store.fetch(Item.self).where { $0.name == "b" }.update { $0.count += 1 }
        try store.store.fetch(Item.self).update(\.count, adding: 10)
        try store.store.delete(Item.self, id: "a")
        try store.store.fetch(Item.self).delete()
        let expected = [
            ["insertion a - 1"], ["update a 1 2"], ["insertion b - 5"], ["update b 5 6"], ["update a 2 12", "update b 6 16"], ["deletion a 12 -"],
            ["deletion b 16 -"],
        ]
        #expect(recorder.committed == expected)
        #expect(recorder.told.withLock { $0.will } == expected.flatMap(\.self))
        #expect(recorder.told.withLock { $0.did } == expected.flatMap(\.self))
        store.store.delegate = nil
        try store.store.save(Item(name: "c", count: 1, code: 3))
        #expect(recorder.committed.count == expected.count)
    }

    @Test(arguments: Engine.allCases) func whatDeleteRulesDeleteIsToldToo(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let items = [Item(name: "a", count: 1, code: 1), Item(name: "b", count: 2, code: 2)]
        let box = Box(label: "box", items: items.map { Reference($0) })
        try fixture.store.save(items)
        try fixture.store.save(box)
        let recorder = Recorder()
        fixture.store.delegate = recorder
        try fixture.store.delete(box)
        #expect(Set(recorder.committed.flatMap(\.self)) == ["deletion Box - -", "deletion a 1 -", "deletion b 2 -"])
    }

    @Test(arguments: Engine.allCases) func aRefusedChangeIsNotMade(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        try fixture.store.save([Item(name: "a", count: 1, code: 1), Item(name: "b", count: 2, code: 2)])
        let recorder = Recorder { change in
            if change.kind == .deletion { return true }
            return try change.new(Item.self).map { $0.count > 100 } ?? false
        }
        fixture.store.delegate = recorder
        #expect(throws: Refused()) { try fixture.store.delete(Item.self, id: "a") }
        #expect(throws: Refused()) { try fixture.store.fetch(Item.self).delete() }
        #expect(throws: Refused()) { try fixture.store.save(Item(name: "a", count: 101, code: 1)) }
        #expect(throws: Refused()) { try fixture.store.insert(Item(name: "c", count: 101, code: 3)) }
        #expect(throws: Refused()) { try fixture.store.fetch(Item.self).update(\.count, to: 101) }
        #expect(recorder.committed == [])
        #expect(try fixture.store.fetch(Item.self).all() == [Item(name: "a", count: 1, code: 1), Item(name: "b", count: 2, code: 2)])
        // A refused change leaves the transaction usable, and the indexes as they were.
        try fixture.store.write { transaction in
            #expect(throws: Refused()) { try transaction.save(Item(name: "a", count: 101, code: 9)) }
            try transaction.save(Item(name: "a", count: 7, code: 1))
        }
        #expect(recorder.committed == [["update a 1 7"]])
        #expect(try fixture.store.fetch(Item.self).where { $0.count == 7 }.ids() == ["a"])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatIsTakenBackIsNotCommitted(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let recorder = Recorder()
        fixture.store.delegate = recorder
        try fixture.store.write { transaction in
            try transaction.save(Item(name: "a", count: 1, code: 1))
            #expect(throws: Refused()) {
                try transaction.savepoint {
                    try transaction.save(Item(name: "b", count: 2, code: 2))
                    throw Refused()
                }
            }
            #expect(throws: TroveError.self) { try transaction.save(Item(name: "d", count: 1, code: 1)) }
            try transaction.save(Item(name: "c", count: 3, code: 3))
        }
        #expect(throws: Refused()) {
            try fixture.store.write { transaction in
                try transaction.save(Item(name: "e", count: 1, code: 8))
                throw Refused()
            }
        }
        #expect(recorder.committed == [["insertion a - 1", "insertion c - 3"]])
    }

    @Model final class Page {
        var text: String
        init(_ text: String) { self.text = text }
    }

    @Model final class Volume {
        var title: String
        @Relationship(deleteRule: .cascade) var pages: [Page] = []
        init(_ title: String) { self.title = title }
    }

    /// Fetches of a context with pending changes, and the ends of its undo groups, do the changes for a look only.
    @Test(arguments: Engine.allCases) func onlySavesOfAContextAreTold(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Page.self, Volume.self) }
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .steps(10)))
        let recorder = Recorder { _ in true }
        fixture.store.delegate = recorder
        let volume = Volume("v")
        try context.undoGroup("Add") {
            try context.insert(volume)
            let page = Page("p")
            try context.insert(page)
            volume.pages = [page]
        }
        #expect(try context.fetch(Page.self).where { $0.text == "p" }.count() == 1)
        #expect(recorder.told.withLock { $0.will } == [])
        #expect(throws: Refused()) { try context.save() }
        let kind = Recorder()
        fixture.store.delegate = kind
        try context.save()
        #expect(kind.committed.map { $0.filter { $0.hasPrefix("insertion ") }.count } == [2])
        try context.undoGroup("Delete") { try context.delete(volume) }
        #expect(try context.fetch(Page.self).count() == 0)
        #expect(kind.committed.count == 1)
        try context.save()
        #expect(kind.committed.map(\.count) == [2, 2])
        #expect(kind.told.withLock { ($0.will.count, $0.did.count) } == (4, 4))
    }

    /// Each is told in the order in which they were added, once, and any of them may refuse.
    @Test(arguments: Engine.allCases) func severalDelegates(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let order = Mutex<[String]>([])
        func recorder(_ name: String, refuses: Bool = false) -> Recorder {
            Recorder { _ in
                order.withLock { $0.append(name) }
                return refuses
            }
        }
        let (first, second, strict, last) = (recorder("first"), recorder("second"), recorder("strict", refuses: true), recorder("last"))
        store.addDelegate(second)
        store.addDelegate(second)
        store.delegate = first
        try store.save(Item(name: "a", count: 1, code: 1))
        #expect(order.withLock { $0 } == ["first", "second"])
        #expect(first.committed == [["insertion a - 1"]])
        #expect(second.committed == first.committed)
        store.addDelegate(strict)
        store.addDelegate(last)
        order.withLock { $0 = [] }
        #expect(throws: Refused()) { try store.save(Item(name: "a", count: 2, code: 1)) }
        #expect(order.withLock { $0 } == ["first", "second", "strict"])
        store.removeDelegate(strict)
        store.removeDelegate(strict)
        // One that was added before takes the other place, and is not told twice.
        store.delegate = last
        order.withLock { $0 = [] }
        try store.save(Item(name: "a", count: 3, code: 1))
        #expect(order.withLock { $0 } == ["last", "second"])
        #expect(last.committed == [["update a 1 3"]])
        #expect(first.committed.count == 1)
        store.removeDelegate(last)
        #expect(store.delegate == nil)
        #expect(try store.fetch(Item.self).all() == [Item(name: "a", count: 3, code: 1)])
        // One that has both places is told once, and keeps the one when it loses the other.
        store.delegate = second
        try store.save(Item(name: "a", count: 4, code: 1))
        store.delegate = nil
        try store.save(Item(name: "a", count: 5, code: 1))
        #expect(second.committed.suffix(3) == [["update a 1 3"], ["update a 3 4"], ["update a 4 5"]])
        store.delegate = first
        store.addDelegate(first)
        store.delegate = nil
        try store.save(Item(name: "a", count: 6, code: 1))
        #expect(first.committed.last == ["update a 5 6"])
        store.removeDelegate(first)
        store.removeDelegate(second)
        try store.save(Item(name: "a", count: 7, code: 1))
        #expect(first.committed.last == ["update a 5 6"] && second.committed.last == ["update a 5 6"])
    }

    /// Asynchronous writes share commits; each is told once.
    @Test(arguments: Engine.allCases) func asynchronousWrites(engine: Engine) async throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        let recorder = Recorder { change in try change.new(Item.self).map { $0.code == 5 } ?? false }
        store.delegate = recorder
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        try await store.save(Item(name: "\(number)", count: number, code: number))
                        return false
                    } catch {
                        return error is Refused
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 1)
        #expect(Set(recorder.committed.flatMap(\.self)) == Set((0..<20).filter { $0 != 5 }.map { "insertion \($0) - \($0)" }))
        #expect(recorder.committed.flatMap(\.self).count == 19)
    }
}
