import TestSupport
import Testing
import Trove

@testable import TestModels

/// Random programs of several values of several bags, against plain dictionaries and lists.
@Suite struct BagProgramTests {
    /// What is put into bags: an object, or a document of the collection `notes`.
    private enum Item {
        case song(Song)
        case note(Document)

        var reference: AnyReference {
            switch self {
            case .song(let song): AnyReference(song)
            case .note(let note): AnyReference(note, in: "notes")
            }
        }

        var song: Song? { if case .song(let song) = self { song } else { nil } }
        var note: Document? { if case .note(let note) = self { note } else { nil } }

        func save(in store: ObjectStore) throws {
            switch self {
            case .song(let song): try store.save(song)
            case .note(let note): try store.documents("notes").save(note)
            }
        }

        func delete(from store: ObjectStore) throws -> Bool {
            switch self {
            case .song(let song): try store.delete(song)
            case .note(let note): try store.documents("notes").delete(note)
            }
        }

        @discardableResult
        func add(to bag: Bag) -> Bool {
            switch self {
            case .song(let song): bag.add(song)
            case .note(let note): bag.add(note, in: "notes")
            }
        }

        func insert(into bag: Bag, at position: Int) {
            switch self {
            case .song(let song): bag.insert(song, at: position)
            case .note(let note): bag.insert(note, in: "notes", at: position)
            }
        }

        func remove(from bag: Bag) -> Bool {
            switch self {
            case .song(let song): bag.remove(song)
            case .note(let note): bag.remove(note, in: "notes")
            }
        }

        func bags(in store: ObjectStore) throws -> [Bag] {
            switch self {
            case .song(let song): try store.bags(containing: song)
            case .note(let note): try store.bags(containing: note, in: "notes")
            }
        }
    }

    /// A value of a bag as a plain list says it should be.
    private struct Handle {
        let bag: Bag
        /// The stored bag as it was read or saved last.
        var base: Stored?
        var members: [AnyReference] = []
        var name: String?
        /// What was added since, with the object where one was.
        var added: [AnyReference: Item?] = [:]

        mutating func add(_ item: Item, asObject: Bool, at position: Int?) {
            let reference = item.reference
            if let position {
                members.removeAll { $0 == reference }
                members.insert(reference, at: min(position, members.count))
            } else if !members.contains(reference) {
                members.append(reference)
            }
            let known = added[reference] ?? nil
            added[reference] = .some(asObject ? item : known)
        }

        mutating func remove(_ item: Item) {
            members.removeAll { $0 == item.reference }
            added[item.reference] = nil
        }

        mutating func settle(_ stored: Stored) {
            (base, members, name, added) = (stored, stored.members, stored.name, [:])
        }
    }

    private struct Stored: Equatable {
        var name: String?
        var members: [AnyReference]
    }

    private struct World {
        var items: [AnyReference: Item] = [:]
        var bags: [ObjectID: Stored] = [:]

        mutating func delete(_ item: Item) {
            items[item.reference] = nil
            for id in bags.keys { bags[id]?.members.removeAll { $0 == item.reference } }
        }

        func save(_ handle: Handle) -> Outcome {
            let stored = bags[handle.bag.id]
            if stored == nil, handle.base != nil { return .deleted }
            let base = handle.base ?? Stored(name: nil, members: [])
            let old = stored ?? base
            var result = Stored(name: handle.name == base.name ? old.name : handle.name, members: handle.members)
            var isOrderKnown = true
            if old.members != base.members {
                result.members = old.members.filter { !base.members.contains($0) || handle.members.contains($0) }
                for member in handle.members where !base.members.contains(member) && !result.members.contains(member) { result.members.append(member) }
                isOrderKnown = false
            }
            var missing: [AnyReference: Item] = [:]
            for member in result.members where !old.members.contains(member) && items[member] == nil {
                guard let object = handle.added[member] ?? nil else { return .dangling }
                missing[member] = object
            }
            if let name = result.name, bags.contains(where: { $0.key != handle.bag.id && $0.value.name == name }) { return .taken(name) }
            return .saved(result, missing, isOrderKnown: isOrderKnown)
        }
    }

    private enum Outcome {
        case saved(Stored, [AnyReference: Item], isOrderKnown: Bool)
        case deleted
        case dangling
        case taken(String)
    }

    @Test(arguments: TestShare.trials([1, 2, 3] as [UInt64])) func againstPlainLists(engine: Engine, seed: UInt64) throws {
        let fixture = try BagFixture.make(engine)
        var random = SeededGenerator(seed: seed)
        var pool: [Item] = (0..<8).map { .song(.sample($0)) }
        pool += (0..<4).map { (number: Int64) -> Item in .note(Document(["number": .int(number)])) }
        let names: [String?] = ["a", "b", "c", nil]
        var world = World()
        var handles: [Handle] = []
        for step in 0..<400 {
            let store = fixture.store
            let item = pool.randomElement(using: &random) ?? pool[0]
            let place = handles.isEmpty ? nil : Int.random(in: 0..<handles.count, using: &random)
            let comment = Comment("seed \(seed), step \(step)")
            switch (Int.random(in: 0..<40, using: &random), place) {
            case (0..<4, _):
                try item.save(in: store)
                world.items[item.reference] = item
            case (4..<6, _):
                #expect(try item.delete(from: store) == (world.items[item.reference] != nil), comment)
                world.delete(item)
            case (6, _):
                try store.delete(Song.self, ids: pool[..<3].compactMap { $0.song?.id })
                try store.documents("notes").delete(ids: pool[8..<10].compactMap { $0.note?.id })
                for item in pool[..<3] + pool[8..<10] { world.delete(item) }
            case (7..<9, _), (_, nil):
                let name = names.randomElement(using: &random) ?? nil
                handles.append(Handle(bag: Bag(named: name, in: store), name: name))
            case (9..<12, _):
                guard let (id, stored) = world.bags.sorted(by: { $0.key < $1.key }).randomElement(using: &random) else { continue }
                var handle = Handle(bag: try #require(try stored.name.map { try store.bag(named: $0) } ?? store.bag(id: id), comment))
                #expect(handle.bag.id == id, comment)
                handle.settle(stored)
                handles.append(handle)
            case (12, _):
                guard let id = world.bags.keys.sorted().randomElement(using: &random) else { continue }
                #expect(try store.deleteBag(id: id), comment)
                world.bags[id] = nil
            case (13, let place?):
                handles.remove(at: place)
            case (14..<22, let place?):
                item.add(to: handles[place].bag)
                handles[place].add(item, asObject: true, at: nil)
            case (22..<24, let place?):
                handles[place].bag.add(item.reference)
                handles[place].add(item, asObject: false, at: nil)
            case (24, let place?):
                let position = Int.random(in: 0..<6, using: &random)
                item.insert(into: handles[place].bag, at: position)
                handles[place].add(item, asObject: true, at: position)
            case (25..<29, let place?):
                #expect(item.remove(from: handles[place].bag) == handles[place].members.contains(item.reference), comment)
                handles[place].remove(item)
            case (29, let place?):
                handles[place].name = names.randomElement(using: &random) ?? nil
                handles[place].bag.name = handles[place].name
            case (30, let place?):
                handles[place].bag.undo()
                handles[place].settle(handles[place].base ?? Stored(name: nil, members: []))
                if !handles[place].bag.isStored { handles[place].base = nil }
            case (31, let place?):
                guard let stored = world.bags[handles[place].bag.id], handles[place].base != nil else { continue }
                try handles[place].bag.refresh(keepingChanges: false)
                handles[place].settle(stored)
            case (_, let place?):
                try save(&handles[place], &world, comment)
            }
            if step % 97 == 0 { try fixture.reopenStore(); handles = [] }
            for handle in handles { check(handle, comment) }
            try check(fixture.store, world, item, comment)
        }
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    private func save(_ handle: inout Handle, _ world: inout World, _ comment: Comment) throws {
        let outcome = world.save(handle)
        do {
            try handle.bag.save()
            guard case .saved(var stored, let inserted, let isOrderKnown) = outcome else {
                Issue.record("a save should have failed: \(outcome); \(comment)")
                return
            }
            // Where others changed the bag too, what is in it is known; the order has tests of its own.
            if !isOrderKnown {
                #expect(Set(stored.members) == Set(handle.bag.members), comment)
                stored.members = handle.bag.members
            }
            world.items.merge(inserted) { $1 }
            world.bags[handle.bag.id] = stored
            handle.settle(stored)
        } catch TroveError.bagDeleted {
            if case .deleted = outcome { return }
            Issue.record("deleted, not \(outcome); \(comment)")
        } catch TroveError.danglingReference {
            if case .dangling = outcome { return }
            Issue.record("dangling, not \(outcome); \(comment)")
        } catch TroveError.bagNameTaken(let name) {
            if case .taken(name) = outcome { return }
            Issue.record("taken, not \(outcome); \(comment)")
        }
    }

    private func check(_ handle: Handle, _ comment: Comment) {
        let base = handle.base?.members ?? []
        #expect(handle.bag.members == handle.members, comment)
        #expect(handle.bag.name == handle.name, comment)
        #expect(handle.bag.count == handle.members.count, comment)
        #expect(handle.bag.unsavedMembers == handle.members.filter { !base.contains($0) }, comment)
        #expect(handle.bag.removedMembers == base.filter { !handle.members.contains($0) }, comment)
        #expect(handle.bag.savedCount == handle.members.filter(base.contains).count, comment)
        #expect(handle.bag.hasUnsavedChanges == (handle.base != Stored(name: handle.name, members: handle.members)), comment)
    }

    private func check(_ store: ObjectStore, _ world: World, _ item: Item, _ comment: Comment) throws {
        let bags = try store.bags()
        #expect(bags.map(\.id) == world.bags.keys.sorted(), comment)
        for bag in bags {
            let expected = try #require(world.bags[bag.id], comment)
            #expect(Stored(name: bag.name, members: bag.members) == expected, comment)
            let items = expected.members.compactMap { world.items[$0] }
            #expect(items.count == expected.members.count, comment)
            let (songs, notes) = (items.compactMap(\.song), items.compactMap(\.note))
            #expect(try bag.objects(of: Song.self) == songs && bag.documents("notes").all() == notes, comment)
            #expect(try bag.objects().map { ($0 as? Document)?.id } == items.map { $0.note?.id }, comment)
            let early = songs.filter { $0.year < 1905 }.sorted { $0.id < $1.id }
            #expect(try bag.fetch(Song.self).where { $0.year < 1905 }.all() == early, comment)
            let low = notes.filter { $0["number"] == 0 || $0["number"] == 1 }.sorted { $0.id < $1.id }
            #expect(try bag.documents("notes").fetch { $0["number"] < 2 }.all() == low, comment)
        }
        let containing = world.bags.filter { $0.value.members.contains(item.reference) }.keys.sorted()
        #expect(try item.bags(in: store).map(\.id) == containing, comment)
        #expect(try store.fetch(Song.self).count() + store.documents("notes").count() == world.items.count, comment)
    }
}
