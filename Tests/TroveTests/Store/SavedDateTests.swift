import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct SavedDateTests {
    /// Each look at the clock's function had wrapped it once more: saves took longer and longer, until a call took more of the stack than there was.
    @Test func theClockMayBeAskedAMillionTimes() {
        let clock = StoreClock()
        for _ in 0..<1_000_000 { _ = clock.tell }
        #expect(abs(clock.now.timeIntervalSinceNow) < 3_600)
    }

    @Test(arguments: Engine.allCases) func everyWayOfSaving(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let store = fixture.store
        func note(_ id: Int) throws -> DatedNote { try #require(try store.fetch(DatedNote.self, id: id)) }
        let first = clock.now
        try store.save(DatedNote(1, "a"))
        try store.insert(DatedNote(2, "b"))
        try store.save([DatedNote(3, "c"), DatedNote(4, "d")])
        #expect(try store.fetch(DatedNote.self).all().allSatisfy { $0.created == first && $0.modified == first })

        let second = clock.advance()
        try store.save(DatedNote(1, "A"))
        #expect(try note(1) == DatedNote(1, "A", created: first, modified: second))
        // What an object says of its own dates does not count once it is stored.
        try store.save(DatedNote(2, "B", created: date(5), modified: date(6)))
        #expect(try note(2) == DatedNote(2, "B", created: first, modified: second))

        // A save that changes nothing is none.
        let third = clock.advance()
        try store.save(DatedNote(1, "A"))
        #expect(try store.upsert(DatedNote(1, "A")) == .unchanged)
        #expect(try note(1).modified == second)
        #expect(try store.upsert(DatedNote(1, "AA")) == .updated)
        #expect(try note(1) == DatedNote(1, "AA", created: first, modified: third))
        #expect(try store.upsert(DatedNote(5, "e")) == .inserted)
        #expect(try note(5) == DatedNote(5, "e", created: third, modified: third))

        // Changes of a query's results.
        let fourth = clock.advance()
        #expect(try store.fetch(DatedNote.self).where { $0.id == 3 }.update { $0.text += "!" } == 1)
        #expect(try store.fetch(DatedNote.self).where { $0.id == 4 }.update(\.text, to: "D") == 1)
        #expect(try store.fetch(DatedNote.self).where { $0.id == 5 }.update(\.text, to: "e") == 1)
        #expect(try store.fetch(DatedNote.self).where { $0.id == 5 }.update { _ in } == 1)
        #expect(try note(3) == DatedNote(3, "c!", created: first, modified: fourth))
        #expect(try note(4) == DatedNote(4, "D", created: first, modified: fourth))
        #expect(try note(5).modified == third)

        // The index follows, and a new id is a change.
        #expect(try store.fetch(DatedNote.self).where { $0.modified == fourth }.ids() == [3, 4])
        #expect(try store.fetch(DatedNote.self).sorted(by: \.created, .descending).sorted(by: \.id).limit(1).ids() == [5])
        let fifth = clock.advance()
        try store.rekey(DatedNote.self, from: 3, to: DatedNote(30, "c!"))
        #expect(try note(30) == DatedNote(30, "c!", created: first, modified: fifth))
        #expect(try store.verify().isSound)
    }

    /// What cannot be read has no dates that a save could keep.
    @Test(arguments: Engine.allCases) func damagedRecordsAreSavedOver(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let store = fixture.store
        let notes = store.documents("notes")
        try notes.setDates(DocumentDates())
        let document = Document(["title": "a"])
        try store.save([DatedNote(1, "a"), DatedNote(2)])
        try notes.save(document)
        try store.setBytes([1, 2, 3], of: "DatedNote", key: 1.keyBytes)
        try store.setBytes([1, 2, 3], of: "notes", key: document.id.keyBytes)
        let now = clock.advance()
        try store.save(DatedNote(1, "b"))
        try notes.save(document)
        #expect(try store.fetch(DatedNote.self, id: 1) == DatedNote(1, "b", created: now, modified: now))
        #expect(try notes.fetch(id: document.id)?["created"] == .date(now))
        let record = try #require(try store.read { try $0.storedRecord(of: "DatedNote", key: 1.keyBytes) })
        try store.setBytes([1, 2, 3], of: "DatedNote", key: 1.keyBytes)
        let later = clock.advance()
        try store.write { try $0.save(record) }
        #expect(try store.fetch(DatedNote.self, id: 1) == DatedNote(1, "b", created: now, modified: later))
    }

    @Test(arguments: Engine.allCases) func oneDateForATransaction(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let store = fixture.store
        let start = clock.now
        try store.write { transaction in
            try transaction.save(DatedNote(1))
            clock.advance()
            try transaction.savepoint { try transaction.save(DatedNote(2)) }
            clock.advance()
            try transaction.save(DatedNote(1, "again"))
        }
        #expect(try store.fetch(DatedNote.self).all() == [DatedNote(1, "again", created: start, modified: start), DatedNote(2, created: start, modified: start)])
        #expect(throws: CancellationError.self) {
            try store.write { transaction in
                try transaction.save(DatedNote(1, "never"))
                throw CancellationError()
            }
        }
        #expect(try store.fetch(DatedNote.self, id: 1)?.modified == start)
        // A clock that goes back is believed.
        let before = clock.advance(-500)
        try store.save(DatedNote(1, "earlier"))
        #expect(try store.fetch(DatedNote.self, id: 1) == DatedNote(1, "earlier", created: start, modified: before))
        // An object from elsewhere brings its creation date.
        try store.insert(DatedNote(9, created: date(-7), modified: date(-6)))
        #expect(try store.fetch(DatedNote.self, id: 9) == DatedNote(9, created: date(-7), modified: before))
    }

    @Test(arguments: Engine.allCases) func besideOtherRules(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let store = fixture.store
        let id = String(repeating: "long ", count: 200)
        func card() throws -> DatedCard { try #require(try store.fetch(DatedCard.self, id: id)) }
        let (first, scan) = (clock.now, Data(repeating: 7, count: 5_000))
        try store.save(DatedCard(id: id, first: "one", second: "two", scan: Lazy(scan)))
        let second = clock.advance()
        // Nothing of it is kept but what is stored already.
        try store.save(DatedCard(id: id, first: "other", second: nil, scan: Lazy(scan)))
        #expect(try card().modified == first && card().first == "one" && card().second == "two")
        try store.save(DatedCard(id: id, first: "other", second: "2", scan: Lazy(scan)))
        #expect(try card().modified == second && card().first == "one" && card().second == "2")
        #expect(try card().scan.load() == scan)
        let third = clock.advance()
        try store.save(DatedCard(id: id, first: nil, second: nil, scan: Lazy(Data(repeating: 8, count: 5_000))))
        #expect(try card().modified == third && card().scan.load() == Data(repeating: 8, count: 5_000))
        #expect(try store.verify().isSound)
    }

    /// A copy, a backup of JSON lines and a program without the model keep the dates, and that one gives them as well.
    @Test(arguments: Engine.allCases) func otherWaysAndOtherPrograms(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let first = clock.now
        try fixture.store.save((1...3).map { DatedNote($0, "\($0)") })
        let second = clock.advance()
        try fixture.store.save(DatedNote(2, "two"))
        let stored = try fixture.store.fetch(DatedNote.self).all()
        clock.advance(1_000)

        var lines = Data()
        try fixture.store.exportJSON(into: { lines.append(contentsOf: $0) })
        let (other, _) = try datedFixture(.memory)
        try other.store.importJSON(lines)
        #expect(try other.store.fetch(DatedNote.self).all() == stored)

        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        fixture.store.clock = { clock.now }
        let notes = fixture.store.documents(of: "DatedNote")
        var note = try #require(try notes.fetch(id: 1))
        #expect(try notes.save(note)["modified"] == .date(first))
        note["text"] = "one"
        note["created"] = .date(date(3))
        let changed = try notes.save(note)
        #expect(changed["modified"] == .date(clock.now) && changed["created"] == .date(first))
        #expect(try notes.fetch(id: 1) == changed)
        let new = try notes.insert(ModelDocument(["text": "eight"], id: 8))
        #expect(new["created"] == .date(clock.now) && new["modified"] == .date(clock.now))
        #expect(try notes.fetch("modified = ?", clock.now).count() == 2)
        try fixture.reopenStore()
        #expect(
            try fixture.store.fetch(DatedNote.self).all() == [
                DatedNote(1, "one", created: first, modified: clock.now), DatedNote(2, "two", created: first, modified: second),
                DatedNote(3, "3", created: first, modified: first), DatedNote(8, "eight", created: clock.now, modified: clock.now),
            ])
        #expect(try fixture.store.verify().isSound)
    }

    fileprivate enum Before {
        @Model("DatedNote") struct Note {
            let id: Int
            var text: String
        }
    }

    /// What was stored before the model had dates has none until it is saved, and never a creation date that nobody knows.
    @Test(arguments: Engine.allCases) func aModelThatGetsDates(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Before.Note.self) }
        try fixture.store.save((1...3).map { Before.Note(id: $0, text: "\($0)") })
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(DatedNote.self).all() == (1...3).map { DatedNote($0, "\($0)") })
        try fixture.store.save(DatedNote(1, "one"))
        try fixture.store.save(DatedNote(2, "2"))
        try fixture.store.save(DatedNote(3, "three", created: date(1)))
        #expect(
            try fixture.store.fetch(DatedNote.self).all() == [
                DatedNote(1, "one", modified: clock.now), DatedNote(2, "2"), DatedNote(3, "three", created: date(1), modified: clock.now),
            ])
        #expect(try fixture.store.fetch(DatedNote.self).where { $0.created == nil }.ids() == [1, 2])
        #expect(try fixture.store.verify().isSound)
    }

    @Test func whatCannotHaveDates() throws {
        func refusal(_ fields: FieldSchema...) -> String? {
            do {
                try ModelSchema("Odd", fields: fields).checkSavedDates()
                return nil
            } catch {
                return "\(error)"
            }
        }
        let date = FieldType.optional(.date)
        #expect(refusal(FieldSchema("a", type: date, options: .creationDate), FieldSchema("b", type: date, options: .modificationDate)) == nil)
        #expect(refusal(FieldSchema("a", type: .date, options: .creationDate))?.contains("no optional date") == true)
        #expect(refusal(FieldSchema("a", type: .optional(.double), options: .modificationDate))?.contains("no optional date") == true)
        #expect(refusal(FieldSchema("a", type: date, options: .creationDate), FieldSchema("b", type: date, options: .creationDate))?.contains("'a' and 'b'") == true)
        #expect(refusal(FieldSchema("a", type: date, options: [.creationDate, .encrypted]))?.contains("encrypted") == true)
        #expect(refusal(FieldSchema("a", type: date, options: [.creationDate, .writeOnce]))?.contains("writeOnce") == true)
        #expect(refusal(FieldSchema("a", type: date, options: [.creationDate, .modificationDate]))?.contains("both dates") == true)
    }

    /// The days of a zone in which summer time ends and begins have 25 and 23 hours.
    @Test(arguments: Engine.allCases) func daysOfATimeZone(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        var berlin = Calendar(identifier: .gregorian)
        berlin.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var utc = berlin
        utc.timeZone = .gmt
        // One note an hour, around both changes of 2026.
        let starts = try ["2026-03-27T00:30:00Z", "2026-10-23T00:30:00Z"].map { try #require(Date(iso8601: $0)) }
        var moments: [Int: Date] = [:]
        for start in starts {
            for hour in 0..<96 {
                clock.set(start + Double(hour) * 3_600)
                moments[moments.count] = clock.now
                try fixture.store.save(DatedNote(moments.count - 1))
            }
        }
        var sizes: Set<Int> = []
        for calendar in [berlin, utc] {
            for day in starts.flatMap({ start in (0..<5).map { start + Double($0) * 86_400 } }) {
                let expected = moments.filter { calendar.isDate($0.value, inSameDayAs: day) }.keys.sorted()
                #expect(try fixture.store.fetch(DatedNote.self).where { $0.created.isInSame(.day, as: day, by: calendar) }.sorted(by: \.id).ids() == expected)
                sizes.insert(expected.count)
            }
        }
        #expect(sizes.isSuperset(of: [23, 24, 25]))
        let march = fixture.store.fetch(DatedNote.self).where { $0.created.isInSame(.month, as: starts[0], by: utc) }
        #expect(try march.count() == 96)
        #expect(try march.explain().description.contains("created"))
        // Before and after.
        #expect(try fixture.store.fetch(DatedNote.self).where { $0.created < starts[1] }.count() == 96)
        #expect(try fixture.store.fetch(DatedNote.self).where { $0.created.isIn(DateInterval(start: starts[0], duration: 7_200)) }.ids() == [0, 1])
        #expect(throws: TroveError.self) { try fixture.store.fetch(DatedNote.self).where { $0.created.isInSame(.timeZone, as: starts[0]) }.count() }
    }
}
