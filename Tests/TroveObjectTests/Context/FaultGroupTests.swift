import Synchronization
import TestSupport
import Testing
import Trove

@Model
final class FaultChoir {
    var name: String
    @Relationship var singers: [FaultSinger] = []

    init(name: String) { self.name = name }
}

@Model
final class FaultSinger {
    /// How many were made of records.
    static let loads = Atomic<Int>(0)

    var name: String

    init(name: String) { self.name = name }

    func didLoad() { Self.loads.add(1, ordering: .relaxed) }
}

@Suite struct FaultGroupTests {
    /// What was loaded ahead and forgotten was loaded ahead again with each collection asked for: reading the first song of 200 playlists in a context that
    /// keeps fewer songs loaded each song twenty times. Now each object's relationship is loaded ahead once.
    @Test func whatIsForgottenIsNotLoadedAheadAgain() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, models: FaultChoir.self) }
        let (choirCount, size) = (100, 20)
        let filling = ObjectContext(fixture.store)
        for number in 0..<choirCount {
            let choir = FaultChoir(name: "choir \(number)")
            choir.singers = (0..<size).map { FaultSinger(name: "singer \(number).\($0)") }
            try filling.insert(choir)
        }
        try filling.save()

        let context = ObjectContext(fixture.store, options: ContextOptions(recentObjectCount: 200))
        let choirs = try context.fetch(FaultChoir.self).all()
        let before = FaultSinger.loads.load(ordering: .relaxed)
        for choir in choirs { #expect(choir.singers.first?.name.hasPrefix("singer") == true) }
        let loads = FaultSinger.loads.load(ordering: .relaxed) - before
        #expect(loads >= choirCount * size && loads <= 2 * choirCount * size)
    }
}
