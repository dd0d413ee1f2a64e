import TestSupport
import Testing
import Trove

@Model final class Dial {
    var level = 0 { didSet { level = min(level, 10) } }
    var name = "dial" { didSet { if name.isEmpty { self.name = oldValue } } }
    @Transient var step = 1 { didSet { step = max(step, 1) } }

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
}
