import Foundation
import Synchronization
import TestSupport
import Trove

/// A clock that stands still until it is told to go on.
final class HandClock: Sendable {
    private let seconds = Mutex(1_000.0)

    var now: Date { date(seconds.withLock { $0 }) }

    /// Goes on, or back, by some seconds; returns the new date.
    @discardableResult func advance(_ count: Double = 1) -> Date {
        seconds.withLock { $0 += count }
        return now
    }

    func set(_ date: Date) { seconds.withLock { $0 = date.timeIntervalSinceReferenceDate } }
}

/// The date so many seconds after 2001.
func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

@Model
struct DatedNote: Equatable {
    let id: Int
    var text: String
    @Attribute(.creationDate, .indexed) var created: Date?
    @Attribute(.modificationDate, .indexed) var modified: Date?

    init(_ id: Int, _ text: String = "", created: Date? = nil, modified: Date? = nil) {
        self.id = id
        self.text = text
        self.created = created
        self.modified = modified
    }
}

/// With other rules of saving, long ids and a value apart.
@Model
struct DatedCard: Equatable {
    let id: String
    @Attribute(.writeOnce) var first: String?
    @Attribute(.keepIfNil) var second: String?
    @Attribute(.modificationDate) var modified: Date?
    var scan = Lazy(Data())
}

@Model
final class DatedTask {
    let id: Int
    var title: String
    @Attribute(.creationDate) var created: Date?
    @Attribute(.modificationDate) var modified: Date?
    @Relationship(inverse: \DatedTask.parts) var whole: DatedTask?
    @Relationship var parts: [DatedTask]

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
    }
}

/// A store with the models, and a clock that it reads.
func datedFixture(_ engine: Engine) throws -> (fixture: StoreFixture, clock: HandClock) {
    let clock = HandClock()
    let fixture = try StoreFixture(engine) {
        let store = try ObjectStore($0, durability: .relaxed, models: DatedNote.self, DatedCard.self, DatedTask.self)
        store.clock = { clock.now }
        return store
    }
    return (fixture, clock)
}
