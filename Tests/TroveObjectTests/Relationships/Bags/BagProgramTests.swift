import TestSupport
import Testing
import Trove

@testable import TestModels

/// Random programs of several values of several bags, against plain dictionaries and lists.
@Suite struct BagProgramTests {
    /// A value of a bag as a plain list says it should be.
    private struct Handle {
        let bag: Bag
        /// The stored bag as it was read or saved last.
        var base: Stored?
        var members: [AnyReference] = []
        var name: String?
        /// What was added since, with the object where one was.
        var added: [AnyReference: Song?] = [:]

        mutating func add(_ song: Song, asObject: Bool, at position: Int?) {
            let reference = AnyReference(song)
            if let position {
                members.removeAll { $0 == reference }
                members.insert(reference, at: min(position, members.count))
            } else if !members.contains(reference) {
                members.append(reference)
            }
            let known = added[reference] ?? nil
            added[reference] = .some(asObject ? song : known)
        }

        mutating func remove(_ song: Song) {
            members.removeAll { $0 == AnyReference(song) }
            added[AnyReference(song)] = nil
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
        var songs: [AnyReference: Song] = [:]
        var bags: [ObjectID: Stored] = [:]

        mutating func delete(_ song: Song) {
            songs[AnyReference(song)] = nil
            for id in bags.keys { bags[id]?.members.removeAll { $0 == AnyReference(song) } }
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
            var missing: [AnyReference: Song] = [:]
            for member in result.members where !old.members.contains(member) && songs[member] == nil {
                guard let object = handle.added[member] ?? nil else { return .dangling }
                missing[member] = object
            }
            if let name = result.name, bags.contains(where: { $0.key != handle.bag.id && $0.value.name == name }) { return .taken(name) }
            return .saved(result, missing, isOrderKnown: isOrderKnown)
        }
    }

    private enum Outcome {
        case saved(Stored, [AnyReference: Song], isOrderKnown: Bool)
        case deleted
        case dangling
        case taken(String)
    }

    @Test(arguments: TestShare.trials([1, 2, 3] as [UInt64])) func againstPlainLists(engine: Engine, seed: UInt64) throws {
        let fixture = try BagFixture.make(engine)
        var random = SeededGenerator(seed: seed)
        let pool = (0..<12).map(Song.sample)
        let names: [String?] = ["a", "b", "c", nil]
        var world = World()
        var handles: [Handle] = []
        for step in 0..<400 {
            let store = fixture.store
            let song = pool.randomElement(using: &random) ?? pool[0]
            let place = handles.isEmpty ? nil : Int.random(in: 0..<handles.count, using: &random)
            let comment = Comment("seed \(seed), step \(step)")
            switch (Int.random(in: 0..<40, using: &random), place) {
            case (0..<4, _):
                try store.save(song)
                world.songs[AnyReference(song)] = song
            case (4..<6, _):
                #expect(try store.delete(song) == (world.songs[AnyReference(song)] != nil), comment)
                world.delete(song)
            case (6, _):
                let ids = pool[..<3].map(\.id)
                try store.delete(Song.self, ids: ids)
                for song in pool[..<3] { world.delete(song) }
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
                handles[place].bag.add(song)
                handles[place].add(song, asObject: true, at: nil)
            case (22..<24, let place?):
                handles[place].bag.add(Reference(song))
                handles[place].add(song, asObject: false, at: nil)
            case (24, let place?):
                let position = Int.random(in: 0..<6, using: &random)
                handles[place].bag.insert(song, at: position)
                handles[place].add(song, asObject: true, at: position)
            case (25..<29, let place?):
                #expect(handles[place].bag.remove(song) == handles[place].members.contains(AnyReference(song)), comment)
                handles[place].remove(song)
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
            try check(fixture.store, world, song, comment)
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
            world.songs.merge(inserted) { $1 }
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

    private func check(_ store: ObjectStore, _ world: World, _ song: Song, _ comment: Comment) throws {
        let bags = try store.bags()
        #expect(bags.map(\.id) == world.bags.keys.sorted(), comment)
        for bag in bags {
            let expected = try #require(world.bags[bag.id], comment)
            #expect(Stored(name: bag.name, members: bag.members) == expected, comment)
            #expect(try bag.objects(of: Song.self) == expected.members.map { world.songs[$0] }, comment)
            let early = expected.members.compactMap { world.songs[$0] }.filter { $0.year < 1905 }.sorted { $0.id < $1.id }
            #expect(try bag.fetch(Song.self).where { $0.year < 1905 }.all() == early, comment)
        }
        let containing = world.bags.filter { $0.value.members.contains(AnyReference(song)) }.keys.sorted()
        #expect(try store.bags(containing: song).map(\.id) == containing, comment)
        #expect(try store.fetch(Song.self).count() == world.songs.count, comment)
    }
}
