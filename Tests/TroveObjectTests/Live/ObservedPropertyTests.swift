import TestSupport
import Testing
import Trove

@Model final class Dial {
    var level = 0 { didSet { level = min(level, 10) } }
    var name = "dial" { didSet { if name.isEmpty { self.name = oldValue } } }
    @Transient var step = 1 { didSet { step = max(step, 1) } }
    /// Observers in which the name is sometimes that of a variable of their own.
    var limit: Int? = 1 {
        didSet {
            runs += 1
            if let limit, limit <= 10 {} else { limit = 10 }
        }
    }
    var floor: Int? = 1 {
        didSet {
            runs += 1
            guard var floor else {
                floor = 0
                return
            }
            floor += 1
            raised = floor
        }
    }
    @Transient var runs = 0
    @Transient var raised = 0

    init() {}
}

/// Observers of a class's properties.
@Suite struct ObservedPropertyTests {
    /// An observer may assign its own property, as Swift lets it. It ran again then, until the stack ended.
    @Test(arguments: Engine.allCases) func anObserverMayAssignItsProperty(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Dial.self) }
        let context = ObjectContext(fixture.store)
        let dial = Dial()
        dial.level = 50
        #expect(dial.level == 10)
        try context.insert(dial)
        try context.save()
        dial.level = 4
        #expect(context.hasChanges)
        dial.level += 20
        dial.name = ""
        dial.step = -3
        #expect(dial.level == 10 && dial.name == "dial" && dial.step == 1)
        dial.level = 7
        dial.level += 20
        dial.name = "other"
        try context.save()
        let stored = try fixture.store.fetch(Dial.self).all()
        #expect(stored.map(\.level) == [10] && stored.map(\.name) == ["other"])
    }

    /// Where the observer has a variable of the property's name, the property still is itself outside of its branch.
    @Test(arguments: Engine.allCases) func anObserverMayBindTheNameOfItsProperty(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Dial.self) }
        let context = ObjectContext(fixture.store)
        let dial = Dial()
        dial.limit = 50
        #expect(dial.limit == 10 && dial.runs == 1, "an assignment in the observer runs it no more")
        dial.limit = nil
        #expect(dial.limit == 10 && dial.runs == 2)
        dial.floor = nil
        #expect(dial.floor == 0 && dial.runs == 3 && dial.raised == 0)
        dial.floor = 3
        #expect(dial.floor == 3 && dial.runs == 4 && dial.raised == 4)
        try context.insert(dial)
        try context.save()
        dial.limit = 20
        dial.floor = nil
        #expect(dial.runs == 6)
        try context.save()
        let stored = try fixture.store.fetch(Dial.self).all()
        #expect(stored.map(\.limit) == [10] && stored.map(\.floor) == [0])
    }
}
