import TestSupport
import Testing

@testable import Trove

@Suite struct ContextIdentityTests {
    @Test(arguments: Engine.allCases) func oneInstanceForEachRecord(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20, 30)
        let context = ObjectContext(fixture.store)
        let first = try #require(try context.fetch(Account.self, id: 1))
        let all = try context.fetch(Account.self).all()
        #expect(all.count == 3)
        #expect(all[0] === first)
        #expect(try context.fetch(Account.self).where { $0.balance == 10 }.first() === first)
        #expect(try context.fetch(Account.self, ids: [3, 9, 1]).map(\.id) == [3, 1])
        #expect(try context.fetch(Account.self, ids: [1])[0] === first)
        #expect(try context.fetch(Account.self).page(1).objects[0] === first)
        #expect(try context.read { try $0.fetch(Account.self, id: 1) } === first)
        #expect(context.loadedObject(Account.self, id: 1) === first)
        #expect(try context.fetch(Account.self).where { $0.balance > 10 }.count() == 2)
        #expect(try context.fetch(Account.self).sum(\.balance) == 60)
        #expect(first.loadCount == 1)
        #expect(first.name == "account 1" && first.balance == 10 && first.note == nil)
        // Another context has objects of its own.
        #expect(try ObjectContext(fixture.store).fetch(Account.self, id: 1) !== first)
    }

    @Test func objectsThatNobodyHoldsAreFreed() throws {
        let fixture = try liveFixture(.memory)
        try fixture.fill(1, 2, 3)
        let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 1))
        weak var dropped: Account?
        weak var recent: Account?
        do {
            dropped = try context.fetch(Account.self, id: 1)
            recent = try context.fetch(Account.self, id: 2)
        }
        #expect(dropped == nil)
        #expect(recent != nil)
        #expect(context.loadedObject(Account.self, id: 1) == nil)
        // A changed object is kept until it is saved.
        weak var changed: Account?
        do {
            changed = try context.fetch(Account.self, id: 1)
            changed?.balance = 100
            _ = try context.fetch(Account.self, id: 3)
            _ = try context.fetch(Account.self, id: 2)
        }
        #expect(changed != nil)
        try context.save()
        _ = try context.fetch(Account.self, id: 3)
        _ = try context.fetch(Account.self, id: 2)
        #expect(changed == nil)
        #expect(try fixture.store.fetch(Account.self, id: 1)?.balance == 100)
    }

    @Test func clockKeepsWhatIsMetAgain() throws {
        let fixture = try liveFixture(.memory)
        try fixture.store.save((1...20).map { Account(id: $0, name: "\($0)") })
        let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 4))
        weak let favourite = try context.fetch(Account.self, id: 1)
        for id in 2...20 {
            _ = try context.fetch(Account.self, id: id)
            _ = try context.fetch(Account.self, id: 1)
        }
        #expect(favourite != nil)
        context.map.forgetRecent()
        #expect(favourite == nil)
    }

    @Test func entriesOfGoneObjectsAreCleared() throws {
        let domain = ObjectDomain(isObservable: false, recentCount: 0)
        let map = domain.identities
        func account(_ id: Int, _ name: String = "") -> Account {
            let account = Account(id: id, name: name)
            account._$live.move(to: domain)
            return account
        }
        let kept = account(0, "kept")
        _ = map.insert(kept, kept.contextKey)
        for id in 1..<50_000 {
            let object = account(id)
            #expect(map.insert(object, object.contextKey).object == nil)
        }
        #expect(map.objects.count == 1)
        #expect(map.object(kept.contextKey) === kept)
        #expect(map.entryCount == 1)
        let other = account(0, "other")
        #expect(map.insert(other, other.contextKey).object === kept)
        map.remove(other)
        #expect(map.contains(kept.contextKey))
        map.remove(kept)
        #expect(!map.contains(kept.contextKey))
    }

    /// The map against a dictionary: keys of several lengths and models, objects that end, are removed, and come again.
    @Test func mapHasWhatADictionaryHas() {
        var random = SeededGenerator(seed: 11)
        let domain = ObjectDomain(isObservable: false, recentCount: 0)
        let map = domain.identities
        var held: [ObjectKey: Account] = [:]
        let models = [ObjectIdentifier(Account.self)]
        let keys = (0..<600).map { number in
            ObjectKey(models[0], number.keyBytes + [UInt8](repeating: UInt8(number % 7), count: [0, 8, 30][number % 3]))
        }
        for step in 0..<60_000 {
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let account = Account(id: step, name: "")
                account._$live.move(to: domain)
                #expect(map.insert(account, key).object === held[key])
                if held[key] == nil { held[key] = account }
            case 2:
                if let account = held.removeValue(forKey: key), Bool.random(using: &random) { map.remove(account) }
            default: #expect(map.object(Account.self, key) === held[key])
            }
            if step % 5_000 == 0 { #expect(map.entryCount == held.count && map.objects.count == held.count) }
            if step == 40_000 {
                map.removeAll()
                held = [:]
            }
        }
        for key in keys { #expect(map.peek(key) === held[key]) }
    }

    @Test func keysOfAnyLength() {
        let model = ObjectIdentifier(Account.self)
        for count in [0, 1, 8, 15, 16, 17, 40] {
            let bytes = (0..<count).map { UInt8($0 + 1) }
            let key = ObjectKey(model, bytes)
            #expect(key.bytes == bytes)
            #expect(key == ObjectKey(model, bytes))
            #expect(key != ObjectKey(model, bytes + [0]))
            #expect(key != ObjectKey(ObjectIdentifier(Player.self), bytes))
        }
    }

    @Test(arguments: Engine.allCases) func everyKindOfFetch(engine: Engine) async throws {
        let fixture = try liveFixture(engine)
        try await fixture.store.save((1...600).map { Account(id: $0, name: "account \($0)", balance: $0 % 10) })
        let context = ObjectContext(fixture.store)
        let fetch = context.fetch(Account.self).where { $0.balance >= 5 }.sorted(by: \.balance)
        let objects = try await fetch.all()
        #expect(objects.count == 300)
        #expect(objects.map(\.balance) == objects.map(\.balance).sorted())
        #expect(try await fetch.ids() == objects.map(\.id))
        #expect(try await fetch.count() == 300)
        #expect(try await fetch.exists())
        #expect(try await fetch.first() === objects[0])
        #expect(try await fetch.page(7).objects == Array(objects.prefix(7)))
        var streamed: [Account] = []
        for try await object in fetch.stream(batchSize: 7) { streamed.append(object) }
        #expect(streamed == objects)
        var walked: [Account] = []
        try fetch.forEach { object, _ in walked.append(object) }
        #expect(walked == objects)
        #expect(try await context.fetch(Account.self).select(\.name, \.balance).all().count == 600)
        #expect(try await context.fetch(Account.self, "balance = 9").count() == 60)
    }

    /// What the body changes does not show in the walk, and it may fetch and save.
    @Test(arguments: Engine.allCases) func walksMayChangeAndSave(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.store.save((1...1_000).map { Account(id: $0, name: "account \($0)", balance: 1) })
        let context = ObjectContext(fixture.store)
        var count = 0
        try context.fetch(Account.self).where { $0.balance == 1 }.forEach { account, stop in
            account.balance += 1
            count += 1
            if count == 300 { try context.save() }
            if count == 900 { stop = true }
        }
        #expect(count == 900)
        #expect(context.changedObjects.count == 600)
        #expect(try context.fetch(Account.self).where { $0.balance == 2 }.count() == 900)
        #expect(try fixture.store.fetch(Account.self).where { $0.balance == 2 }.count() == 300)
        // With pending changes at the beginning they show.
        var balances: Set<Int> = []
        try context.fetch(Account.self).where { $0.balance == 2 }.forEach { account, _ in
            balances.insert(account.balance)
            account.balance = 3
        }
        #expect(balances == [2])
        #expect(try context.fetch(Account.self).where { $0.balance == 3 }.count() == 900)
    }

    /// An object whose place in the order the body changes, and saves, is given once; one that is gone when its batch is read, or out of the filter, is not.
    @Test(arguments: Engine.allCases) func walksMayMoveObjectsInTheirOrder(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.store.save((1...300).map { Account(id: $0, name: "account \($0)", balance: $0) })
        let context = ObjectContext(fixture.store)
        func walk<Source: ObjectSource>(_ fetch: Fetch<Account, Source>, deleting gone: Int, movingOut moved: Int) throws -> [Int] {
            var ids: [Int] = []
            try fetch.where { $0.balance < 100_000 }.sorted(by: \.balance).forEach { account, stop in
                if ids.isEmpty {
                    let others = try context.fetch(Account.self, ids: [gone, moved])
                    try context.delete(others[0])
                    others[1].balance = 100_000
                }
                ids.append(account.id)
                account.balance += 1_000
                if ids.count % 100 == 1 { try context.save() }
                stop = ids.count == 1_000
            }
            try context.save()
            return ids
        }
        #expect(try walk(context.saved.fetch(Account.self), deleting: 290, movingOut: 295) == (1...300).filter { ![290, 295].contains($0) })
        #expect(try walk(context.fetch(Account.self), deleting: 270, movingOut: 275) == (1...300).filter { ![290, 295, 270, 275].contains($0) })
    }

    /// The body runs outside of transactions wherever live objects come from, in generic code too.
    @Test(arguments: Engine.allCases) func walksMaySaveWhateverTheSource(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(1, 1, 1)
        let context = ObjectContext(fixture.store)
        let bag = Bag(named: "accounts", in: context)
        let accounts = try context.fetch(Account.self).all()
        for account in accounts { bag.add(account) }
        try bag.save()
        func walk<Source: ObjectSource>(_ fetch: Fetch<Account, Source>) throws {
            try fetch.forEach { account, _ in
                account.balance += 1
                try context.save()
            }
        }
        try walk(context.saved.fetch(Account.self))
        try walk(bag.fetch(Account.self))
        try walk(context.fetch(Account.self))
        try context.saved.fetchModels(Account.self, Player.self).forEach { object, _ in
            (object as? Account)?.balance += 1
            try context.save()
        }
        #expect(try fixture.store.fetch(Account.self).where { $0.balance == 5 }.count() == 3)
        // Those that are asked for show pending changes.
        accounts[0].balance = 7
        for (includesPendingChanges, expected) in [(true, 1), (false, 0)] {
            var count = 0
            try context.fetch(Account.self, includesPendingChanges: includesPendingChanges).where { $0.balance == 7 }.forEach { _, _ in count += 1 }
            #expect(count == expected)
        }
    }

    /// A read that began before a save may put its object in between the search and the insertion of one that began after it, which is told.
    @Test func whoComesSecondLearnsThatAnObjectIsProvisional() throws {
        let map = IdentityMap(recentCount: 10)
        let (former, later) = (Account(id: 1, name: "former"), Account(id: 1, name: "later"))
        let key = former.contextKey
        let epoch = map.epoch
        map.beginEpoch()
        var absence: IdentityMap.Absence?
        #expect(map.find(key, &absence).object == nil)
        #expect(map.insert(former, key, nil, readIn: epoch).object == nil)
        let second = map.insert(later, key, absence, readIn: map.epoch)
        #expect(second.object === former && second.isProvisional)
        map.confirm([former])
        #expect(!map.insert(later, key, nil, readIn: map.epoch).isProvisional)
        map.removeAll()
    }

    /// What a context knows an object by stays, whatever its id is computed from: an object with another id is neither stored nor deleted.
    @Test(arguments: Engine.allCases) func anObjectKeepsItsID(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Harbour.self) }
        let context = ObjectContext(fixture.store)
        let harbour = Harbour(code: "A"), new = Harbour(code: "C")
        func expectRefusal() {
            #expect { try context.save() } throws: { if case TroveError.contextMisuse = $0 { true } else { false } }
        }
        try context.insert(harbour)
        try context.save()
        harbour.code = "B"
        // What it was is read by that key too.
        #expect(try context.originalValue(\.code, of: harbour) == "A")
        expectRefusal()
        // Its record is read by the key that it has.
        try context.refresh(harbour, keepingChanges: false)
        #expect(harbour.code == "A" && !context.hasChanges && harbour.modelContext === context)
        harbour.code = "B"
        try context.delete(harbour)
        expectRefusal()
        #expect(try fixture.store.fetch(Harbour.self).ids() == ["A"])
        try context.rollback()
        #expect(harbour.code == "A")
        try context.insert(new)
        new.code = "D"
        expectRefusal()
        new.code = "C"
        try context.save()
        #expect(try fixture.store.fetch(Harbour.self).ids().sorted() == ["A", "C"])
        #expect(context.loadedObject(Harbour.self, id: "C") === new)
    }
}

@Model fileprivate final class Harbour {
    var code: String
    var id: String { code }

    init(code: String) { self.code = code }
}
