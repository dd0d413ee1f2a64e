import Synchronization
import TestSupport
import Testing

@testable import Trove

/// An id that counts how often two are compared.
struct CountedID: StorableKey {
    static let comparisons = Atomic<Int>(0)

    let number: Int

    init(_ number: Int) { self.number = number }

    init(from key: inout KeyDecoder) throws { number = try Int(from: &key) }

    func encode(into key: inout KeyEncoder) { number.encode(into: &key) }

    func hasKey(of other: CountedID) -> Bool {
        Self.comparisons.add(1, ordering: .relaxed)
        return number == other.number
    }

    func hashKey(into hasher: inout Hasher) { hasher.combine(number) }
}

@Model
final class CountedLeaf {
    let id: CountedID
    @Relationship var tree: CountedTree?
    @Relationship var shelf: CountedTree?

    init(_ number: Int) { id = CountedID(number) }
}

@Model
final class CountedTree {
    let id: CountedID
    @Relationship(deleteRule: .nullify, inverse: \CountedLeaf.tree) var list: ObjectList<CountedLeaf> = []
    @Relationship(deleteRule: .nullify, inverse: \CountedLeaf.shelf) var array: [CountedLeaf] = []

    init(_ number: Int) { id = CountedID(number) }
}

@Suite struct LongRelationshipTests {
    /// A member that was read meanwhile showed the removal, and the next save stored it.
    @Test(arguments: Engine.allCases) func aRemovalIsTakenBackWhileAMemberIsRead(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: CountedLeaf.self, CountedTree.self) }
        let (filling, context) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let full = CountedTree(0)
        full.list = ObjectList([CountedLeaf(1), CountedLeaf(2)])
        try filling.insert(full)
        try filling.save()
        let tree = try #require(try context.fetch(CountedTree.self, id: CountedID(0)))
        tree.list.remove(at: 0)
        let leaf = try context.read { transaction -> CountedLeaf? in
            // As another thread may: the changes that the read shows were taken before.
            try context.revert(\.list, of: tree)
            return try transaction.fetch(CountedLeaf.self, id: CountedID(1))
        }
        #expect(leaf?.tree === tree)
        try context.save()
        #expect(leaf?.tree === tree && tree.list.count == 2)
        try filling.refresh()
        #expect(full.list.count == 2)
    }

    /// Each object that the owner brings in was looked for among all.
    @Test func anOwnerBringsInManyObjects() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: CountedLeaf.self, CountedTree.self) }
        let context = ObjectContext(fixture.store)
        let (count, tree) = (1_000, CountedTree(0))
        let leaves = (0..<count).map { CountedLeaf($0) }
        tree.list = ObjectList(leaves)
        tree.array = leaves
        let before = CountedID.comparisons.load(ordering: .relaxed)
        try context.insert(tree)
        let comparisons = CountedID.comparisons.load(ordering: .relaxed) - before
        #expect(comparisons < 50 * count, "\(comparisons)")
        #expect(leaves.allSatisfy { $0.tree === tree && $0.shelf === tree })
        try context.save()
        let other = ObjectContext(fixture.store)
        let stored = try #require(try other.fetch(CountedTree.self, id: CountedID(0)))
        #expect(stored.list.count == count)
        #expect(stored.array.count == count)
        withExtendedLifetime(other) {}
    }
}
