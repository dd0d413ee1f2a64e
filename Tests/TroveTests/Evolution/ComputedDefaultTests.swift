import Foundation
import TestSupport
import Testing

@testable import Trove

/// Properties that are added with a default that is another value each time, and are indexed at once.
@Suite struct ComputedDefaultTests {
    enum Old {
        @Model("Coupon") struct Coupon {
            var id: Int
            var title = ""
        }
        @Model("Badge") final class Badge {
            let id: Int
            var title = ""
            init(id: Int) { self.id = id }
        }
    }

    enum New {
        @Model("Coupon") struct Coupon: Equatable {
            var id: Int
            var title = ""
            @Attribute(.unique) var code = UUID()
            @Attribute(.indexed) var added = Date.now
        }
        @Model("Badge") final class Badge {
            let id: Int
            var title = ""
            var code = UUID()
            init(id: Int) { self.id = id }
        }
    }

    enum Literal {
        @Model("Coupon") struct Coupon: Equatable {
            var id: Int
            var title = ""
            @Attribute(.indexed) var uses = -1
            @Attribute(.indexed) var kind = "gift"
            @Attribute(.indexed) var tags: [String] = ["new"]
        }
    }

    private func fixture(_ engine: Engine, count: Int) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Old.Coupon.self) }
        try fixture.store.save((0..<count).map { Old.Coupon(id: $0, title: "coupon \($0)") })
        return fixture
    }

    // More than are stored again in one batch, and than one thread reads alone.
    @Test(arguments: Engine.allCases) func anIndexHasTheValuesThatAreRead(engine: Engine) throws {
        let count = 21_000
        let fixture = try fixture(engine, count: count)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: New.Coupon.self) }
        let store = fixture.store
        #expect(try store.verify().isSound)
        let coupons = try store.fetch(New.Coupon.self).all()
        #expect(Set(coupons.map(\.code)).count == count)
        for coupon in [coupons[0], coupons[9_999], coupons[10_000], coupons[count - 1]] {
            #expect(try store.fetch(New.Coupon.self).where { $0.code == coupon.code }.first() == coupon)
            #expect(try store.fetch(New.Coupon.self).where { $0.added == coupon.added }.all().contains(coupon))
        }
        #expect(try store.fetch(New.Coupon.self).sorted(by: \.added).all().map(\.added) == coupons.map(\.added).sorted())
        #expect(try store.upgrade(New.Coupon.self) == 0)
        try store.delete(New.Coupon.self, id: 0)
        #expect(try store.verify().isSound)
    }

    enum Other {
        @Model("Coupon") struct Coupon: Equatable {
            var id: Int
            @Attribute(.indexed) var title = ""
            var code = UUID()
        }
    }

    @Test(arguments: Engine.allCases) func recordsStayWhereTheIndexIsOfSomethingElse(engine: Engine) throws {
        let fixture = try fixture(engine, count: 20)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Other.Coupon.self) }
        #expect(try fixture.store.fetch(Other.Coupon.self).where { $0.title == "coupon 7" }.count() == 1)
        #expect(try fixture.store.upgrade(Other.Coupon.self) == 20)
    }

    // Records of the older layout come under an index that is there already.
    @Test(arguments: Engine.allCases) func whatIsImportedHasThemToo(engine: Engine) throws {
        let old = try fixture(engine, count: 20)
        let lines = NSTemporaryDirectory() + "trove-computed-\(UUID().uuidString).jsonl"
        defer { try? FileManager.default.removeItem(atPath: lines) }
        try old.store.exportJSON(to: lines)
        let record = try #require(try old.store.read { try $0.storedRecord(of: "Coupon", key: 3.keyBytes) })
        let fixture = try fixture(engine, count: 1)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: New.Coupon.self) }
        let store = fixture.store
        try store.importJSON(from: lines)
        #expect(try store.verify().isSound)
        try store.write { try $0.save(record) }
        #expect(try store.verify().isSound)
        let coupons = try store.fetch(New.Coupon.self).all()
        #expect(coupons.count == 20)
        for coupon in coupons { #expect(try store.fetch(New.Coupon.self).where { $0.code == coupon.code }.all() == [coupon]) }
    }

    @Test(arguments: Engine.allCases) func recordsStayWhereDefaultsAreLiterals(engine: Engine) throws {
        let fixture = try fixture(engine, count: 20)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Literal.Coupon.self) }
        let store = fixture.store
        #expect(try store.fetch(Literal.Coupon.self).where { $0.uses == -1 }.count() == 20)
        #expect(try store.verify().isSound)
        #expect(try store.upgrade(Literal.Coupon.self) == 20)
    }

    @Model("Voucher") fileprivate struct Voucher: Equatable {
        var id = ObjectID()
        var title: String
        @Attribute(.unique) var code = UUID()
    }

    @Test(arguments: Engine.allCases) func adoptedDocumentsHaveThemToo(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents("Voucher").save((0..<20).map { ["title": .string("voucher \($0)")] })
        #expect(try fixture.store.adopt(Voucher.self, from: "Voucher").isAdopted)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Voucher.self) }
        let vouchers = try fixture.store.fetch(Voucher.self).all()
        #expect(vouchers.count == 20)
        for voucher in vouchers { #expect(try fixture.store.fetch(Voucher.self).where { $0.code == voucher.code }.all() == [voucher]) }
        #expect(try fixture.store.verify().isSound)
    }

    // An object in a context had another value, which nobody has stored.
    @Test(arguments: Engine.allCases) func anIndexMadeAtRunTimeHasThemToo(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Old.Badge.self) }
        try fixture.store.save((0..<20).map { Old.Badge(id: $0) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: New.Badge.self) }
        let store = fixture.store
        let context = ObjectContext(store)
        let badge = try #require(try context.fetch(New.Badge.self, id: 7))
        let code = badge.code
        try store.createIndex("codes", on: New.Badge.self, \.code)
        #expect(try store.fetch(New.Badge.self).where { $0.code == code }.count() == 0)
        badge.title = "seven"
        #expect { try context.save() } throws: { if case TroveError.conflict = $0 { true } else { false } }
        let other = ObjectContext(store)
        let stored = try #require(try other.fetch(New.Badge.self, id: 7))
        stored.title = "seven"
        try other.save()
        #expect(try store.fetch(New.Badge.self).where { $0.code == stored.code }.first()?.title == "seven")
        #expect(try store.verify().isSound)
    }
}
