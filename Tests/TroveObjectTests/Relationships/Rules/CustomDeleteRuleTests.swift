import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Functions that say what else goes with an object.
@Suite struct CustomDeleteRuleTests {
    private struct StillActive: Error, Equatable { let name: String }

    @Model("Customer") fileprivate struct Customer: CustomDeleteRule, Equatable {
        let id: Int
        var name: String
        var isArchived = true

        func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference] {
            guard isArchived else { throw StillActive(name: name) }
            let name = name
            return try transaction.fetch(Draft.self).where { $0.customer == name }.ids().map { AnyReference(Draft.self, id: $0) } + [AnyReference(Draft.self, id: -1)]
        }
    }

    /// No relationship leads from one to another: `next` is a number.
    @Model("Draft") fileprivate struct Draft: CustomDeleteRule, Equatable {
        let id: Int
        @Attribute(.indexed) var customer: String = ""
        var next: Int?

        func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference] { next.map { [AnyReference(Draft.self, id: $0)] } ?? [] }
    }

    @Model("Folder") fileprivate struct Folder: Equatable {
        let id: Int
        @Relationship(deleteRule: .cascade) var customers: [Reference<Customer>] = []
    }

    @Model("Receipt") fileprivate struct Receipt: Equatable {
        let id: Int
        @Relationship(whenTargetDeleted: .deny) var draft: Reference<Draft>?
    }

    @Model("Album") fileprivate final class Album: CustomDeleteRule {
        var title: String
        var isKept: Bool

        init(title: String, isKept: Bool) {
            self.title = title
            self.isKept = isKept
        }

        func alsoDeleted(in transaction: ReadTransaction) throws -> [AnyReference] {
            if isKept { throw StillActive(name: title) }
            let title = title
            return try transaction.fetch(Draft.self).where { $0.customer == title }.ids().map { AnyReference(Draft.self, id: $0) }
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Customer.self, Draft.self, Folder.self, Receipt.self, Album.self) }
        try fixture.store.save((1...4).map { Customer(id: $0, name: "c\($0)", isArchived: $0 != 4) })
        // A circle of 1, 2, 3; a chain of 10 to 14; others.
        try fixture.store.save([Draft(id: 1, customer: "c1", next: 2), Draft(id: 2, next: 3), Draft(id: 3, next: 1)])
        try fixture.store.save((10...14).map { Draft(id: $0, customer: $0 == 10 ? "c2" : "", next: $0 + 1) })
        try fixture.store.save([Draft(id: 30, customer: "c3"), Draft(id: 31, customer: "c3"), Draft(id: 40, customer: "c4"), Draft(id: 50, customer: "blue")])
        return fixture
    }

    private func drafts(_ store: ObjectStore) throws -> [Int] { try store.fetch(Draft.self).ids().sorted() }

    @Test(arguments: Engine.allCases) func whatGoesWithAnObject(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        #expect(try store.delete(Customer.self, id: 1))
        #expect(try drafts(store) == [10, 11, 12, 13, 14, 30, 31, 40, 50])
        #expect(try store.fetch(Customer.self).where { $0.name == "c2" }.delete() == 1)
        #expect(try drafts(store) == [30, 31, 40, 50])
        #expect(try store.delete(Customer.self, ids: [3, 3, 7]) == 1)
        #expect(try drafts(store) == [40, 50])
        #expect(try store.verify().isSound)
    }

    /// What the function throws keeps all from being deleted, and the transaction goes on.
    @Test(arguments: Engine.allCases) func whatItThrows(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let before = try drafts(store)
        #expect(throws: StillActive(name: "c4")) { try store.delete(Customer.self, id: 4) }
        #expect(throws: StillActive(name: "c4")) { try store.deleteAll(Customer.self) }
        #expect(throws: StillActive(name: "c4")) { try store.fetch(Customer.self).delete() }
        try store.write { transaction in
            #expect(throws: StillActive(name: "c4")) { try transaction.delete(Customer.self, ids: [1, 4]) }
            try transaction.delete(Customer.self, id: 3)
        }
        #expect(try drafts(store) == before.filter { $0 != 30 && $0 != 31 })
        #expect(try store.fetch(Customer.self).ids().sorted() == [1, 2, 4])
    }

    /// Rules of relationships lead to it, deny what it names, and orphans are asked too.
    @Test(arguments: Engine.allCases) func besideOtherRules(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let customers = try store.fetch(Customer.self).all().sorted { $0.id < $1.id }
        try store.save(Folder(id: 1, customers: [Reference(customers[0]), Reference(customers[2])]))
        try store.save(Receipt(id: 1, draft: Reference(id: 2)))
        let before = try drafts(store)
        #expect { try store.delete(Folder.self, id: 1) } throws: { error in
            guard case TroveError.deletionDenied("Draft", "2", let blockers) = error else { return false }
            return blockers == [DeletionBlocker(model: "Receipt", id: "1", relationship: "Receipt.draft")]
        }
        #expect(try drafts(store) == before)
        // Taken out of its folder by a save.
        try store.save(Folder(id: 1, customers: [Reference(customers[0])]))
        #expect(try drafts(store) == before.filter { $0 != 30 && $0 != 31 })
        try store.delete(Receipt.self, id: 1)
        try store.delete(Folder.self, id: 1)
        #expect(try drafts(store) == [10, 11, 12, 13, 14, 40, 50])
        #expect(try store.fetch(Customer.self).ids().sorted() == [2, 4])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func liveObjects(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let context = ObjectContext(store)
        let (album, kept) = (Album(title: "blue", isKept: false), Album(title: "kept", isKept: true))
        try context.insert([album, kept])
        try context.save()
        try context.delete(kept)
        #expect(throws: StillActive(name: "kept")) { try context.save() }
        try context.rollback()
        try context.delete(album)
        try context.save()
        #expect(try !drafts(store).contains(50))
        #expect(try store.fetch(Draft.self).count() == 11)
    }

    /// A program without the model cannot ask its objects, and deletes none of them.
    @Test(arguments: Engine.allCases) func withoutTheModel(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed) }
        #expect {
            try fixture.store.write { _ = try $0.deleteStoredRecord(of: "Customer", key: 4.keyBytes) }
        } throws: { if case TroveError.needsModel("Customer", _) = $0 { true } else { false } }
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Customer.self).ids().sorted() == [1, 2, 3, 4])
        #expect(try drafts(fixture.store).contains(40))
        // With it they are.
        #expect(try fixture.store.write { try $0.deleteStoredRecord(of: "Customer", key: 3.keyBytes) })
        #expect(try !drafts(fixture.store).contains(30))
    }

    /// A record that cannot be read can be deleted; nobody knows what went with it.
    @Test(arguments: Engine.allCases) func damagedRecords(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var bytes = try #require(try store.bytes(of: "Customer", key: 4.keyBytes))
        bytes[bytes.count - 1] ^= 4
        try store.setBytes(bytes, of: "Customer", key: 4.keyBytes)
        #expect(try store.delete(Customer.self, id: 4))
        #expect(try drafts(store).contains(40))
    }
}
