import ProbeKit
import TestSupport
import Testing
import Trove

/// Rings and purses over the object store, synchronous, asynchronous and live.
@Suite struct ObjectRingTests {
    private static let count = 40

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: RingValue.self, RingNode.self, Purse.self) }
        try fixture.store.save((0..<Self.count).map { RingValue(id: $0, next: ($0 + 1) % Self.count) })
        return fixture
    }

    private func followValues(_ source: ReadTransaction) throws {
        let next = Dictionary(uniqueKeysWithValues: try source.fetch(RingValue.self).all().map { ($0.id, $0.next) })
        var place = 0
        for step in 1...Self.count {
            guard let following = next[place] else { throw BrokenRing("the ring has a dead end at \(place)") }
            place = following
            if place == 0, step < Self.count { throw BrokenRing("a ring of \(step)") }
        }
        if place != 0 { throw BrokenRing("the ring is not closed") }
    }

    private func rearrange(_ transaction: WriteTransaction, from start: Int) throws {
        func value(_ id: Int) throws -> RingValue {
            guard let value = try transaction.fetch(RingValue.self, id: id) else { throw BrokenRing("\(id) is gone") }
            return value
        }
        var first = try value(start)
        var second = try value(first.next)
        var third = try value(second.next)
        (first.next, third.next, second.next) = (third.id, second.id, third.next)
        try transaction.save([first, second, third])
    }

    @Test(arguments: Engine.allCases) func synchronous(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let (store, failures) = (fixture.store, Failures())
        await onThreads(6) { worker in
            var random = SeededGenerator(seed: UInt64(worker))
            for _ in 0..<60 {
                failures.attempt {
                    if worker < 4 {
                        let start = Int.random(in: 0..<Self.count, using: &random)
                        try store.write { try rearrange($0, from: start) }
                    } else {
                        try store.read { try followValues($0) }
                    }
                }
            }
        }
        #expect(failures.list == [])
        try await store.read { try self.followValues($0) }
        #expect(try await store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func asynchronous(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    if number % 3 == 0 {
                        try await store.read { try self.followValues($0) }
                    } else {
                        try await store.write { try self.rearrange($0, from: number * 7 % Self.count) }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.read { try self.followValues($0) }
        #expect(try await store.verify().isSound)
    }

    /// Three contexts, a thread each, rearrange one ring of live objects; who meets a conflict takes the store's version and tries again.
    @Test(arguments: Engine.allCases) func liveObjectsOfSeveralContexts(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let (store, failures) = (fixture.store, Failures())
        let setup = ObjectContext(store)
        try setup.insert((0..<Self.count).map { RingNode(id: $0, next: ($0 + 1) % Self.count) } as [any LiveModel])
        try await setup.save()
        await onThreads(4) { worker in
            failures.attempt {
                let context = ObjectContext(store)
                var random = SeededGenerator(seed: UInt64(worker))
                for _ in 0..<25 {
                    if worker == 3 {
                        try Self.followNodes(ObjectContext(store))
                    } else {
                        try Self.rearrange(context, from: Int.random(in: 0..<Self.count, using: &random))
                    }
                }
            }
        }
        #expect(failures.list == [])
        try Self.followNodes(ObjectContext(store))
        #expect(try await store.verify().isSound)
    }

    private static func followNodes(_ context: ObjectContext) throws {
        // A fresh context reads all in one snapshot.
        let nodes = try context.fetch(RingNode.self).all()
        let next = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0.next) })
        var (place, steps) = (0, 0)
        repeat {
            guard let following = next[place] else { throw BrokenRing("the ring has a dead end at \(place)") }
            (place, steps) = (following, steps + 1)
        } while place != 0 && steps <= count
        if steps != count { throw BrokenRing("a ring of \(steps)") }
    }

    private static func rearrange(_ context: ObjectContext, from start: Int) throws {
        func node(_ id: Int) throws -> RingNode {
            guard let node = try context.fetch(RingNode.self, id: id) else { throw BrokenRing("\(id) is gone") }
            return node
        }
        while true {
            do {
                let first = try node(start)
                let second = try node(first.next)
                let third = try node(second.next)
                // The nodes were read at different times, and a save checks those only that it changes: nodes that do not follow each other are
                // left, or one of them might stay as it is and go unchecked.
                guard Set([first.id, second.id, third.id, third.next]).count == 4 else {
                    try context.refresh(keepingChanges: false)
                    continue
                }
                context.perform { (first.next, third.next, second.next) = (third.id, second.id, third.next) }
                try context.save()
                return
            } catch TroveError.conflict {
                try context.rollback()
                try context.refresh(keepingChanges: false)
            }
        }
    }

    /// Threads move money between the live objects of one context, which one thread saves and another rolls back: the sum stays, in memory and in the store.
    @Test(arguments: Engine.allCases) func purses(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let (store, failures, isDone) = (fixture.store, Failures(), SharedFlag())
        let context = ObjectContext(store)
        let purses = (0..<10).map { Purse(id: $0, balance: 100) }
        try context.insert(purses as [any LiveModel])
        try await context.save()
        await onThreads(5) { worker in
            failures.attempt {
                switch worker {
                case 0:
                    defer { isDone.raise() }
                    for round in 0..<40 { if round % 8 == 7 { try context.rollback() } else { try context.save() } }
                case 1:
                    while !isDone.isRaised {
                        let stored = try store.fetch(Purse.self).sum(\.balance)
                        if stored != 1_000 { failures.note("stored \(stored)") }
                    }
                default:
                    var random = SeededGenerator(seed: UInt64(worker))
                    while !isDone.isRaised {
                        let (from, to) = (purses[Int.random(in: 0..<10, using: &random)], purses[Int.random(in: 0..<10, using: &random)])
                        context.perform {
                            from.balance -= 7
                            to.balance += 7
                        }
                        let sum = context.perform { purses.reduce(0) { $0 + $1.balance } }
                        if sum != 1_000 { failures.note("in memory \(sum)") }
                    }
                }
            }
        }
        #expect(failures.list == [])
        try await context.save()
        #expect(try await store.fetch(Purse.self).sum(\.balance) == 1_000)
    }
}

/// A ring that is not one.
private struct BrokenRing: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
