import TestSupport
import Testing

@testable import Trove

/// Random programs on two contexts of one store, against plain dictionaries.
@Suite struct ContextProgramTests {
    private final class Side {
        let context: ObjectContext
        var model = ContextModel()
        /// Every object ever met, so that none is read anew.
        var held: [Int: Account] = [:]

        init(_ store: ObjectStore) { context = ObjectContext(store) }
    }

    @Test(arguments: TestShare.trials([1, 2, 3])) func program(engine: Engine, seed: UInt64) throws {
        let fixture = try liveFixture(engine)
        var random = SeededGenerator(seed: seed)
        var stored: [Int: ContextModel.Values] = [:]
        let sides = [Side(fixture.store), Side(fixture.store)]
        var nextID = 0
        for step in 0..<400 {
            let number = Int.random(in: 0..<2, using: &random)
            let (side, other) = (sides[number], sides[1 - number])
            let context = side.context
            let comment = Comment(rawValue: "seed \(seed), step \(step)")
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1:
                nextID += 1
                let account = Account(id: nextID, name: "account \(nextID)", balance: nextID)
                try context.insert(account)
                side.held[nextID] = account
                side.model.objects[nextID] = ContextModel.Object(now: ContextModel.Values(name: account.name, balance: nextID))
            case 2...6:
                guard let id = side.model.objects.keys.sorted().randomElement(using: &random), side.model.objects[id]?.isDeleted == false else { continue }
                let account = try #require(side.held[id], comment)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    account.balance = Int.random(in: 0..<5, using: &random)
                    side.model.objects[id]?.now.balance = account.balance
                case 1:
                    account.note = Bool.random(using: &random) ? nil : "note \(Int.random(in: 0..<3, using: &random))"
                    side.model.objects[id]?.now.note = account.note
                default:
                    account.name = "account \(id).\(Int.random(in: 0..<3, using: &random))"
                    side.model.objects[id]?.now.name = account.name
                }
            case 7:
                guard let id = side.model.objects.keys.sorted().randomElement(using: &random) else { continue }
                try context.delete(try #require(side.held[id], comment))
                side.model.delete(id)
            case 8, 9:
                try save(side, other, &stored, comment)
            case 10:
                try context.rollback()
                side.model.rollBack()
            case 11:
                let keeping = Bool.random(using: &random)
                try context.refresh(keepingChanges: keeping)
                side.model.refresh(side.model.objects.keys, stored, keepingChanges: keeping)
            case 12:
                try context.mergeChanges()
                side.model.refresh(side.model.inbox, stored, keepingChanges: true)
                side.model.inbox = []
            default:
                let threshold = Int.random(in: 0..<6, using: &random)
                let preview = side.model.preview(of: stored)
                #expect(
                    try context.fetch(Account.self).where { $0.balance < threshold }.ids()
                        == preview.filter { $0.value.balance < threshold }.keys.sorted(), comment)
                #expect(try context.fetch(Account.self).sum(\.balance) == preview.values.reduce(0) { $0 + $1.balance }, comment)
                let objects = try context.fetch(Account.self).all()
                #expect(objects.map(\.id) == preview.keys.sorted(), comment)
                for object in objects { side.held[object.id] = object }
                side.model.read(stored)
            }
            check(side, comment)
        }
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] { try save(side, other, &stored, "at the end") }
        #expect(try fixture.store.verify().isSound)
    }

    private func save(_ side: Side, _ other: Side, _ stored: inout [Int: ContextModel.Values], _ comment: Comment?) throws {
        if side.model.conflicts(with: stored) {
            #expect {
                try side.context.save()
            } throws: { error in
                if case TroveError.conflict = error { true } else { false }
            }
            check(side, comment)
            try side.context.refresh(keepingChanges: false)
            side.model.refresh(side.model.objects.keys, stored, keepingChanges: false)
        }
        try side.context.save()
        other.model.inbox.formUnion(side.model.save(&stored))
        let now = try side.context.store.fetch(Account.self).all()
        #expect(Dictionary(uniqueKeysWithValues: now.map { ($0.id, values(of: $0)) }) == stored, comment)
    }

    /// The objects of a context are as the model says.
    private func check(_ side: Side, _ comment: Comment?) {
        for (id, object) in side.model.objects {
            #expect(side.held[id].map(values) == object.now, comment)
            #expect(side.context.loadedObject(Account.self, id: id) === side.held[id], comment)
        }
        let inserted = side.model.objects.filter { $0.value.base == nil }.keys.sorted()
        #expect(side.context.insertedObjects.compactMap { ($0 as? Account)?.id }.sorted() == inserted, comment)
        let deleted = side.model.objects.filter(\.value.isDeleted).keys.sorted()
        #expect(side.context.deletedObjects.compactMap { ($0 as? Account)?.id }.sorted() == deleted, comment)
        let changed = Set(side.context.changedObjects.compactMap { ($0 as? Account)?.id })
        for (id, object) in side.model.objects where object.base != nil && !object.isDeleted && object.isChanged {
            #expect(changed.contains(id), comment)
        }
    }

    private func values(of account: Account) -> ContextModel.Values {
        ContextModel.Values(name: account.name, balance: account.balance, note: account.note)
    }
}
