import TestSupport
import Testing

@testable import Trove

@Model
final class ListedItem {
    let id: Int
    @Relationship var list: ListOwner?
    @Relationship var array: ArrayOwner?

    init(_ id: Int) { self.id = id }
}

@Model
final class ListOwner {
    let id: Int
    @Relationship(deleteRule: .nullify, inverse: \ListedItem.list) var items: ObjectList<ListedItem> = []
    @Relationship(deleteRule: .cascade) var parts: ObjectList<ListedItem> = []

    init(_ id: Int) { self.id = id }
}

@Model
final class ArrayOwner {
    let id: Int
    @Relationship(deleteRule: .nullify, inverse: \ListedItem.array) var items: [ListedItem] = []

    init(_ id: Int) { self.id = id }
}

/// What is done to a list in one change in place, and what its objects know of it then.
@Suite struct ObjectListProgramTests {
    private typealias Objects = (items: [ListedItem], lists: [ListOwner], arrays: [ArrayOwner])

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: ListedItem.self, ListOwner.self, ArrayOwner.self) }
    }

    private func edit(_ list: inout ObjectList<ListedItem>, _ body: (inout ObjectList<ListedItem>) throws -> Void) rethrows { try body(&list) }

    private func change(
        _ list: inout ObjectList<ListedItem>, _ operation: Int, at position: Int, _ item: ListedItem, _ other: ObjectList<ListedItem>
    ) {
        switch operation {
        case 0, 1: list.append(item)
        case 2: list.insert(item, at: position)
        case 3 where !list.isEmpty: list.replace(at: position, with: item)
        case 4 where !list.isEmpty: list.remove(at: position)
        case 5: list.remove(item)
        case 6: list = [item]
        case 7: list = other
        default: break
        }
    }

    private func change(_ array: inout [ListedItem], _ operation: Int, at position: Int, _ item: ListedItem, _ other: [ListedItem]) {
        switch operation {
        case 0, 1: array.append(item)
        case 2: array.insert(item, at: position)
        case 3 where !array.isEmpty: array[position] = item
        case 4 where !array.isEmpty: array.remove(at: position)
        case 5: array.removeAll { $0 === item }
        case 6: array = [item]
        case 7: array = other
        default: break
        }
    }

    private func objects(in context: ObjectContext) throws -> Objects {
        let items = try context.fetch(ListedItem.self).sorted(by: \.id).all()
        return (items, try context.fetch(ListOwner.self).sorted(by: \.id).all(), try context.fetch(ArrayOwner.self).sorted(by: \.id).all())
    }

    private func newObjects(in context: ObjectContext) throws -> Objects {
        let (items, lists, arrays) = ((0..<8).map { ListedItem($0) }, (0..<2).map { ListOwner($0) }, (0..<2).map { ArrayOwner($0) })
        try context.insert(items)
        try context.insert(lists)
        try context.insert(arrays)
        return (items, lists, arrays)
    }

    private func check(_ objects: Objects, _ place: String) {
        for (list, array) in zip(objects.lists, objects.arrays) { #expect(list.items.map(\.id) == array.items.map(\.id), "\(place)") }
        for item in objects.items { #expect(item.list?.id == item.array?.id, "\(place), item \(item.id)") }
    }

    /// One to three steps in each change in place of lists and of arrays, some of them the exchange of a list for another.
    @Test(arguments: Engine.allCases) func changesInPlaceAreThoseOfArrays(engine: Engine) throws {
        for seed in 0..<10 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let fixture = try fixture(engine)
            var context = ObjectContext(fixture.store)
            var objects = try newObjects(in: context)
            for step in 0..<40 {
                let place = "seed \(seed), step \(step)"
                let owner = Int.random(in: 0...1, using: &random)
                if Int.random(in: 0..<6, using: &random) == 0 {
                    swap(&objects.lists[0].items, &objects.lists[1].items)
                    swap(&objects.arrays[0].items, &objects.arrays[1].items)
                } else {
                    var list: ObjectList<ListedItem> = []
                    let (otherList, otherArray) = (objects.lists[1 - owner].items, objects.arrays[1 - owner].items)
                    var array = objects.arrays[owner].items
                    edit(&objects.lists[owner].items) {
                        for _ in 0..<Int.random(in: 1...3, using: &random) {
                            let item = objects.items[Int.random(in: 0..<8, using: &random)]
                            let position = array.isEmpty ? 0 : Int.random(in: 0..<array.count, using: &random)
                            let operation = Int.random(in: 0..<8, using: &random)
                            change(&$0, operation, at: position, item, otherList)
                            change(&array, operation, at: position, item, otherArray)
                        }
                        list = $0
                    }
                    objects.arrays[owner].items = array
                    #expect(list.references == array.map { Reference($0) }, "\(place)")
                }
                check(objects, place)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    try context.save()
                    check(objects, "\(place), saved")
                    if Bool.random(using: &random) {
                        context = ObjectContext(fixture.store)
                        objects = try self.objects(in: context)
                        check(objects, "\(place), read")
                    }
                }
            }
            try context.save()
            let other = ObjectContext(fixture.store)
            check(try self.objects(in: other), "seed \(seed), at the end")
            withExtendedLifetime(other) {}
        }
    }

    /// The other side of what leaves a list knows of it before the save, also when it was not loaded yet.
    @Test(arguments: Engine.allCases) func anotherListIsToldAtOnce(engine: Engine) throws {
        let fixture = try fixture(engine)
        let first = ObjectContext(fixture.store)
        let (items, lists, _) = try newObjects(in: first)
        lists[0].items = [items[0], items[1]]
        lists[1].items = [items[2]]
        try first.save()
        lists[0].items.append(items[3])
        edit(&lists[0].items) { $0 = [items[4]] }
        #expect(items.map { $0.list?.id } == [nil, nil, 1, nil, 0, nil, nil, nil])
        swap(&lists[0].items, &lists[1].items)
        #expect(items.map { $0.list?.id } == [nil, nil, 0, nil, 1, nil, nil, nil])
        let others = lists[1].items
        edit(&lists[0].items) { $0 = others }
        #expect(lists[1].items.isEmpty)
        #expect(items.map { $0.list?.id } == [nil, nil, nil, nil, 0, nil, nil, nil])
        try first.rollback()
        let second = ObjectContext(fixture.store)
        let list = try #require(try second.fetch(ListOwner.self, id: 0))
        edit(&list.items) { $0 = [] }
        #expect(try second.fetch(ListedItem.self, id: 0)?.list == nil)
        try second.save()
        let other = ObjectContext(fixture.store)
        #expect(try other.fetch(ListedItem.self).all().count { $0.list != nil } == 1)
        withExtendedLifetime(other) {}
    }

    /// An object that was in the list during one change only was taken for one that an owner let go of, and was not stored.
    @Test(arguments: Engine.allCases) func whatWasAddedAndTakenOutIsNotReleased(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (items, lists, _) = try newObjects(in: context)
        edit(&lists[0].parts) {
            $0.append(items[0])
            $0.remove(items[0])
            $0.append(items[1])
            $0.replace(at: 0, with: items[2])
            $0.insert(items[3], at: 0)
            $0.append(items[3])
            $0.remove(at: 0)
            $0.remove(items[3])
        }
        #expect(Array(lists[0].parts) == [items[2]])
        try context.save()
        #expect(try fixture.store.fetch(ListedItem.self).count() == 8)
        // What was there before is let go of.
        let new = ListedItem(8)
        lists[0].parts.append(new)
        edit(&lists[0].parts) {
            $0.append(new)
            $0.remove(new)
        }
        try context.save()
        #expect(try fixture.store.fetch(ListedItem.self).count() == 8)
    }
}
