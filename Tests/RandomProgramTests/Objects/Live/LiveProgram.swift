import Foundation
import Testing
import TestSupport
import Trove

/// A random program over live objects, saved at arbitrary moments, with undo or with roll-backs, and the plain model it is held to after every step.
struct LiveProgram {
    private let fixture: StoreFixture
    private let context: ObjectContext
    private var random: SeededGenerator
    private var world = LiveWorld()
    /// The states before the steps that can be undone, and after those that can be redone.
    private var done: [LiveWorld] = []
    private var undone: [LiveWorld] = []
    private var saved = LiveWorld()
    /// The state that owners are compared with: that of the last save, or of the last step, which counts as one with undo.
    private var base = LiveWorld()
    private var number = 0
    private let hasUndo: Bool
    /// What was done, for people.
    private var trace: [String] = []

    init(on engine: Engine, seed: UInt64) throws {
        fixture = try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, models: ProgramRoom.self, ProgramChair.self, ProgramSticker.self)
        }
        hasUndo = !seed.isMultiple(of: 3)
        // With nothing kept, most of what a step changes is not in memory.
        let options = ContextOptions(recentObjectCount: seed.isMultiple(of: 2) ? 0 : 4_096, undo: hasUndo ? .unlimited : .none)
        context = ObjectContext(fixture.store, options: options)
        random = SeededGenerator(seed: seed)
    }

    /// Throws at the first difference.
    mutating func run(_ count: Int, place: (Int) -> String) throws {
        for step in 0..<count {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<7: try self.step()
            case 7...9 where !hasUndo:
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                try context.rollback()
                trace.append("rolled back")
                world = saved
            case 7, 8:
                guard try context.undo() == !done.isEmpty else { throw Difference(place: place(step), text: "undo") }
                if let before = done.popLast() {
                    trace.append("undone")
                    undone.append(world)
                    world = before
                }
            case 9:
                guard try context.redo() == !undone.isEmpty else { throw Difference(place: place(step), text: "redo") }
                if let after = undone.popLast() {
                    trace.append("redone")
                    done.append(world)
                    world = after
                }
            default: try save(place(step))
            }
            try check(context.read { try LiveWorld($0) }, place(step))
        }
        if hasUndo {
            while try context.undo() {}
            try context.save()
            try check(fixture.store.read { try LiveWorld($0) }, place(count) + ", all undone", LiveWorld())
            while try context.redo() {}
        }
        try context.save()
        try check(fixture.store.read { try LiveWorld($0) }, place(count) + ", at the end", undone.first ?? world)
        let report = try fixture.store.verify()
        guard report.isSound, report.danglingReferenceCount == 0 else { throw Difference(place: place(count), text: "\(report)") }
    }

    private mutating func save(_ place: String) throws {
        try context.save()
        (saved, base) = (world, world)
        trace.append("saved")
        try check(fixture.store.read { try LiveWorld($0) }, place + ", saved")
    }

    struct Difference: Error {
        let place: String
        let text: String
    }

    private func check(_ found: LiveWorld, _ place: String, _ expected: LiveWorld? = nil) throws {
        let expected = expected ?? world
        if found == expected { return }
        let text = found.difference(from: expected)
        throw Difference(place: place, text: "\(text)\nafter:\n" + trace.suffix(40).joined(separator: "\n"))
    }

    // MARK: Steps

    private mutating func step() throws {
        let before = world
        base = hasUndo ? world : saved
        number += 1
        trace.append("step \(number)")
        let name = "\(number)"
        // Sometimes a step that nobody opened, which the next one ends.
        let isGroup = Int.random(in: 0..<4, using: &random) > 0
        if isGroup {
            var program = self
            try context.undoGroup(name) { try program.changes(inGroup: true) }
            self = program
        } else {
            try changes(inGroup: false)
            context.endUndoStep()
        }
        // What changes nothing is no step; a save between what was done and its contrary may leave lists in another order, which is one.
        if world == before, !isGroup || context.undoNames.first != .some(name) { return }
        done.append(before)
        undone = []
    }

    private mutating func changes(inGroup: Bool) throws {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            try change()
            // A save inside of a group stores a part of its step.
            if inGroup, Int.random(in: 0..<4, using: &random) == 0 { try save("within step \(number)") }
            // What the next change finds shows all before it.
            try check(context.read { try LiveWorld($0) }, "within step \(number)")
        }
    }

    private mutating func change() throws {
        let rooms = try context.fetch(ProgramRoom.self).all()
        let chairs = try context.fetch(ProgramChair.self).all()
        let stickers = try context.fetch(ProgramSticker.self).all()
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            let room = ProgramRoom(name: "\(number)")
            try context.insert(room)
            world.rooms[room.id] = LiveWorld.Room(name: room.name)
            trace.append("new room \(room.id.tail)")
        case 1:
            let sticker = ProgramSticker(name: "\(number)")
            try context.insert(sticker)
            world.stickers[sticker.id] = LiveWorld.Sticker(name: sticker.name)
            trace.append("new sticker \(sticker.id.tail)")
        case 2, 3, 4:
            let chair = ProgramChair(legs: number)
            try context.insert(chair)
            world.chairs[chair.id] = LiveWorld.Chair(legs: number)
            trace.append("new chair \(chair.id.tail)")
            guard let room = rooms.randomElement(using: &random) else { return }
            chair.room = room
            world.move(chair.id, to: room.id, since: base)
            trace.append("its room is \(room.id.tail)")
        case 5:
            guard let chair = chairs.randomElement(using: &random) else { return }
            chair.legs = number
            trace.append("legs of \(chair.id.tail)")
            world.chairs[chair.id]?.legs = number
        case 6:
            guard let chair = chairs.randomElement(using: &random) else { return }
            let room = Int.random(in: 0..<4, using: &random) == 0 ? nil : rooms.randomElement(using: &random)
            chair.room = room
            world.move(chair.id, to: room?.id, since: base)
            trace.append("room of \(chair.id.tail) is \(room?.id.tail ?? "none")")
        case 7:
            guard let chair = chairs.randomElement(using: &random) else { return }
            let list = stickers.filter { _ in Bool.random(using: &random) }
            chair.stickers = list
            world.stick(Set(list.map(\.id)), on: chair.id)
            trace.append("stickers of \(chair.id.tail) are \(list.map(\.id.tail))")
        case 8:
            guard let room = rooms.randomElement(using: &random) else { return }
            let list = chairs.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            room.chairs = list
            world.fill(room.id, with: list.map(\.id), since: base)
            trace.append("chairs of \(room.id.tail) are \(list.map(\.id.tail))")
        case 9:
            guard let chair = chairs.randomElement(using: &random) else { return }
            try context.delete(chair)
            world.delete(chair: chair.id)
            trace.append("deleted chair \(chair.id.tail)")
        case 10:
            guard let sticker = stickers.randomElement(using: &random) else { return }
            try context.delete(sticker)
            world.delete(sticker: sticker.id)
            trace.append("deleted sticker \(sticker.id.tail)")
        default:
            guard let room = rooms.randomElement(using: &random) else { return }
            try context.delete(room)
            world.delete(room: room.id)
            trace.append("deleted room \(room.id.tail)")
        }
    }
}

@Suite struct LiveProgramTests {
    /// How many programs of 80 steps each engine runs; `TROVE_LIVE_PROGRAMS` says another number.
    private static let count = ProcessInfo.processInfo.environment["TROVE_LIVE_PROGRAMS"].flatMap(UInt64.init) ?? UInt64(TestShare.rounds(12))

    @Test(arguments: Engine.allCases) func undoAmongSavesIsExact(engine: Engine) throws {
        for seed in [runSeed] + Array(1...Self.count) {
            var program = try LiveProgram(on: engine, seed: seed)
            do {
                try program.run(80) { "seed \(seed), step \($0)" }
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }
}
