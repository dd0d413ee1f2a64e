import Synchronization
import TestSupport
import Testing
import Trove

/// The order in which a save calls the hooks of objects of classes that have them, have some, and have none.
@Suite struct HookOrderTests {
    /// Takes down what is called.
    final class Calls: Sendable {
        private let list = Mutex<[String]>([])

        func add(_ call: String) { list.withLock { $0.append(call) } }

        func take() -> [String] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }
    }

    @Model final class Quiet {
        var number: Int
        init(_ number: Int) { self.number = number }
    }

    @Model final class Checked {
        var number: Int
        @Transient var calls: Calls?
        init(_ number: Int, _ calls: Calls) { (self.number, self.calls) = (number, calls) }

        func validate() throws { calls?.add("validate \(number)") }
    }

    @Model final class Loud {
        var number: Int
        @Transient var calls: Calls?
        init(_ number: Int, _ calls: Calls) { (self.number, self.calls) = (number, calls) }

        func validate() throws { calls?.add("validate \(number)") }
        func willSave() throws { calls?.add("save \(number)") }
        func willDelete() throws { calls?.add("delete \(number)") }
    }

    /// Each hook is called of all its objects in the order of their changes, of whatever class the first is, in a context's first save as in its others.
    @Test(arguments: Engine.allCases) func eachHookInTheOrderOfTheChanges(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Quiet.self, Checked.self, Loud.self) }
        let context = ObjectContext(fixture.store)
        let calls = Calls()
        let quiet = [Quiet(0), Quiet(5)], checked = [Checked(1, calls), Checked(4, calls)], loud = [Loud(2, calls), Loud(3, calls), Loud(6, calls)]
        try context.insert([quiet[0], checked[0], loud[0], loud[1], checked[1], quiet[1], loud[2]] as [any LiveModel])
        try context.save()
        #expect(calls.take() == ["save 2", "save 3", "save 6", "validate 1", "validate 2", "validate 3", "validate 4", "validate 6"])
        for object in quiet { object.number += 10 }
        loud[2].number += 10
        checked[1].number += 10
        try context.delete(loud[1])
        loud[0].number += 10
        try context.delete(quiet[0])
        try context.save()
        #expect(calls.take() == ["delete 3", "save 16", "save 12", "validate 16", "validate 14", "validate 12"])
        #expect(try fixture.store.fetch(Loud.self).all().map(\.number).sorted() == [12, 16])
    }
}
