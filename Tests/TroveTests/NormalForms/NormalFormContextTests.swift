import TestSupport
import Testing

@testable import Trove

/// Live objects tell ids by their bytes, in relationships to many, their inverses, and where two contexts change one object.
@Suite struct NormalFormContextTests {
    private typealias Key = NormalForms.Key

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: FormRoom.self, FormChair.self, FormTag.self) }
        let context = ObjectContext(fixture.store)
        for id in NormalForms.ids {
            try context.insert(FormRoom(id: id))
            try context.insert(FormChair(id: id))
            try context.insert(FormTag(id: id))
        }
        try context.save()
        return fixture
    }

    private func record<Value: Storable>(_ store: ObjectStore, _ model: String, _ key: Key, _ field: String) throws -> Value {
        var found: Value?
        try store.read {
            try $0.forEachStoredRecord(of: model) { record, _ in
                if try NormalForms.key(String(keyBytes: record.key)) == key { found = try record.value(of: field) }
            }
        }
        return try #require(found)
    }

    /// Two contexts change one object's relationships to many; the second save merges.
    @Test(arguments: Engine.allCases, 1...3 as ClosedRange<UInt64>) func conflictsMergeByBytes(engine: Engine, seed: UInt64) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var random = SeededGenerator(seed: seed)
        var tags: [Key: Set<Key>] = [:]
        for round in 0..<40 {
            let chair = NormalForms.random(&random)
            let contexts = (0..<2).map { _ in ObjectContext(store, options: ContextOptions(mergePolicy: .byProperty)) }
            let chairs = try contexts.map { try #require(try $0.fetch(FormChair.self, id: NormalForms.text(chair))) }
            let before = tags[chair, default: []]
            #expect(chairs.map { Set($0.tags.map { NormalForms.key($0.id) }) } == [before, before], "seed \(seed), round \(round)")
            var sides = [before, before]
            for side in 0..<2 {
                for tag in NormalForms.someKeys(&random) {
                    let object = try #require(try contexts[side].fetch(FormTag.self, id: NormalForms.text(tag)))
                    if Bool.random(using: &random) {
                        chairs[side].tags.insert(object)
                        sides[side].insert(tag)
                    } else {
                        chairs[side].tags.remove(object)
                        sides[side].remove(tag)
                    }
                }
            }
            for context in contexts { try context.save() }
            let merged = sides[0].subtracting(before.subtracting(sides[1])).union(sides[1].subtracting(before))
            tags[chair] = merged
            let stored: Set<Reference<FormTag>> = try record(store, "form chair", chair, "tags")
            #expect(Set(stored.map { NormalForms.key($0.id) }) == merged, "seed \(seed), round \(round)")
            #expect(stored.count == merged.count, "seed \(seed), round \(round)")
        }
        #expect(try store.verify().isSound)
    }

    /// Chairs go from room to room, by either side of the relationship, are put into lists and taken out.
    @Test(arguments: Engine.allCases, 1...3 as ClosedRange<UInt64>) func inversesAndListsGoByBytes(engine: Engine, seed: UInt64) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var random = SeededGenerator(seed: seed)
        let context = ObjectContext(store)
        var rooms: [Key: [Key]] = [:]
        var lists: [Key: [Key]] = [:]
        for round in 0..<60 {
            let (room, chair) = (NormalForms.random(&random), NormalForms.random(&random))
            let roomObject = try #require(try context.fetch(FormRoom.self, id: NormalForms.text(room)))
            let chairObject = try #require(try context.fetch(FormChair.self, id: NormalForms.text(chair)))
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                chairObject.room = roomObject
                if rooms[room]?.contains(chair) != true { move(chair, to: room, &rooms) }
            case 1:
                chairObject.room = nil
                move(chair, to: nil, &rooms)
            case 2:
                var chosen: [Key] = []
                for key in NormalForms.someKeys(&random) where !chosen.contains(key) { chosen.append(key) }
                roomObject.chairs = try chosen.map { try #require(try context.fetch(FormChair.self, id: NormalForms.text($0))) }
                for key in chosen { move(key, to: nil, &rooms) }
                rooms[room] = chosen
            case 3:
                let tag = NormalForms.random(&random)
                chairObject.list.append(try #require(try context.fetch(FormTag.self, id: NormalForms.text(tag))))
                lists[chair, default: []].append(tag)
            default:
                let tag = NormalForms.random(&random)
                chairObject.list.remove(try #require(try context.fetch(FormTag.self, id: NormalForms.text(tag))))
                lists[chair, default: []].removeAll { $0 == tag }
            }
            let place: Testing.Comment = "seed \(seed), round \(round)"
            if Bool.random(using: &random) { try context.save() }
            for object in try context.fetch(FormRoom.self).all() {
                #expect(object.chairs.map { NormalForms.key($0.id) } == rooms[NormalForms.key(object.id), default: []], place)
            }
            for object in try context.fetch(FormChair.self).all() {
                let key = NormalForms.key(object.id)
                #expect(object.room.map { NormalForms.key($0.id) } == rooms.first { $0.value.contains(key) }?.key, place)
                #expect(object.list.map { NormalForms.key($0.id) } == lists[key, default: []], place)
            }
        }
        try context.save()
        for (room, chairs) in rooms {
            let stored: [Reference<FormChair>] = try record(store, "form room", room, "chairs")
            #expect(stored.map { NormalForms.key($0.id) } == chairs, "seed \(seed)")
        }
        #expect(try store.verify().isSound)
    }

    private func move(_ chair: Key, to room: Key?, _ rooms: inout [Key: [Key]]) {
        for other in rooms.keys { rooms[other]?.removeAll { $0 == chair } }
        if let room { rooms[room, default: []].append(chair) }
    }
}
