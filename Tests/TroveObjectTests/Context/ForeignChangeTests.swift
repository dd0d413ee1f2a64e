import Foundation
import TestSupport
import Testing

@testable import Trove

/// What others change beside a context stays whole: through undo, saves that are under way, merges of lists, and objects that are no longer there.
@Suite struct ForeignChangeTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: PencilBox.self, Pencil.self) }
    }

    private func isNotInContext(_ error: any Error, _ model: String, _ id: String) -> Bool {
        if case TroveError.notInContext(model, id) = error { true } else { false }
    }

    enum Taking: CaseIterable { case merge, refresh }

    @Test(arguments: Engine.allCases, Taking.allCases) func undoKeepsWhatOthersHaveSaved(engine: Engine, taking: Taking) throws {
        let fixture = try fixture(engine)
        let mine = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited)), other = ObjectContext(fixture.store)
        let box = PencilBox(id: 1)
        try mine.insert(box)
        try mine.save()
        mine.undoGroup("Rename") {
            box.name = "new"
            box.n = 1
        }
        try mine.save()
        let same = try #require(try other.fetch(PencilBox.self, id: 1))
        same.n = 5
        same.own.append(Pencil(id: 1))
        try other.save()
        switch taking {
        case .merge: try mine.mergeChanges()
        case .refresh: try mine.refresh(box)
        }
        #expect(box.n == 5)
        #expect(try mine.undo())
        #expect(box.name == "" && box.n == 5 && box.own.map(\.id) == [1])
        try mine.save()
        var stored = try #require(try fixture.store.fetch(PencilBox.self, id: 1))
        #expect(stored.name == "" && stored.n == 5)
        #expect(try mine.redo())
        try mine.save()
        stored = try #require(try fixture.store.fetch(PencilBox.self, id: 1))
        #expect(stored.name == "new" && stored.n == 5)
        #expect(box.own.map(\.id) == [1] && box.own[0].box === box)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func undoLeavesOutWhatOthersHaveDeleted(engine: Engine) throws {
        let fixture = try fixture(engine)
        let mine = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let box = PencilBox(id: 1), pencil = Pencil(id: 1)
        box.own = [pencil]
        try mine.insert(box)
        try mine.save()
        mine.undoGroup("Number") {
            pencil.n = 1
            box.n = 1
        }
        try mine.save()
        let other = ObjectContext(fixture.store)
        try other.delete(#require(try other.fetch(Pencil.self, id: 1)))
        try other.save()
        try mine.refresh(pencil)
        try mine.refresh(box)
        #expect(try mine.undo())
        try mine.save()
        #expect(box.n == 0 && box.own.isEmpty)
        #expect(try fixture.store.fetch(Pencil.self).count() == 0)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    /// Boxes 1 to 3 and pencil 1, in a context with undo; and the same boxes and pencil in another context.
    private func sides(_ fixture: StoreFixture, _ policy: MergePolicy = .error) throws -> (
        mine: ObjectContext, boxes: [PencilBox], pencil: Pencil, other: ObjectContext, others: [PencilBox], same: Pencil
    ) {
        let mine = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy, undo: .unlimited)), other = ObjectContext(fixture.store)
        let boxes = (1...3).map { PencilBox(id: $0) }, pencil = Pencil(id: 1)
        try mine.insert(boxes)
        try mine.insert(pencil)
        try mine.save()
        return (mine, boxes, pencil, other, try other.fetch(PencilBox.self).all(), try #require(try other.fetch(Pencil.self, id: 1)))
    }

    /// Lets another context delete an object, and this one know of it.
    private func delete(_ same: any LiveModel, in other: ObjectContext, and mine: ObjectContext) throws {
        try other.mergeChanges()
        try other.delete(same)
        try other.save()
        try mine.mergeChanges()
    }

    /// Both sides of each link say the same, in memory and stored.
    private func expectLinks(_ fixture: StoreFixture, _ boxes: [PencilBox], _ pencil: Pencil, _ own: [[Int]], in context: ObjectContext) throws {
        let fresh = ObjectContext(fixture.store)
        for (boxes, pencil) in [(boxes, pencil), (try fresh.fetch(PencilBox.self).all(), try #require(try fresh.fetch(Pencil.self, id: 1)))] {
            #expect(boxes.map { $0.own.map(\.id) } == own)
            #expect(pencil.box?.id == own.firstIndex(of: [1]).map { $0 + 1 })
        }
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases, [0, 1]) func undoneLinksHaveTwoSides(engine: Engine, moves: Int) throws {
        let fixture = try fixture(engine)
        let (mine, boxes, pencil, other, others, same) = try sides(fixture)
        pencil.box = boxes[0]
        try mine.save()
        // From 1 to none or 2 here, then to 3 there.
        mine.undoGroup("Move") { pencil.box = moves == 0 ? nil : boxes[1] }
        try mine.save()
        try other.mergeChanges()
        same.box = others[2]
        try other.save()
        try mine.mergeChanges()
        #expect(try mine.undo())
        let isBack = pencil.box === boxes[0]
        #expect(boxes.map { $0.own == [pencil] } == boxes.map { $0 === pencil.box })
        try mine.save()
        try expectLinks(fixture, boxes, pencil, isBack ? [[1], [], []] : [[], [], [1]], in: mine)
        // A step in between takes nothing with it.
        mine.undoGroup("Rename") { boxes[2].name = "new" }
        try mine.save()
        #expect(try mine.undo())
        try mine.save()
        try expectLinks(fixture, boxes, pencil, isBack ? [[1], [], []] : [[], [], [1]], in: mine)
        let place = pencil.box?.id ?? 0
        try expectLinks(fixture, boxes, pencil, (1...3).map { $0 == place ? [1] : [] }, in: mine)
    }

    @Test(arguments: Engine.allCases, [false, true]) func undoPointsAtNothingThatOthersHaveDeleted(engine: Engine, isAdded: Bool) throws {
        let fixture = try fixture(engine)
        let (mine, boxes, _, other, _, same) = try sides(fixture)
        let pencil = try #require(try mine.fetch(Pencil.self, id: 1))
        if !isAdded {
            boxes[0].pencils = [pencil]
            try mine.save()
        }
        mine.undoGroup("List") { boxes[0].pencils = isAdded ? [pencil] : [] }
        try mine.save()
        try delete(same, in: other, and: mine)
        #expect(try mine.undo())
        try mine.save()
        #expect(boxes[0].pencils.isEmpty)
        // Nothing is left of the step.
        #expect(try !mine.canRedo && !mine.redo())
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func aDeletedObjectComesBackWithoutWhatOthersHaveDeleted(engine: Engine) throws {
        let fixture = try fixture(engine)
        let (mine, boxes, pencil, other, _, same) = try sides(fixture)
        boxes[0].pencils = [pencil]
        try mine.save()
        try mine.undoGroup("Delete") { try mine.delete(boxes[0]) }
        try mine.save()
        try delete(same, in: other, and: mine)
        #expect(try mine.undo())
        try mine.save()
        #expect(boxes[0].pencils.isEmpty)
        #expect(try fixture.store.fetch(PencilBox.self).count() == 3)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func undoOfADeletionKeepsWhatTheStoreHasKept(engine: Engine) throws {
        let fixture = try fixture(engine)
        let (mine, _, pencil, other, _, same) = try sides(fixture, .byProperty)
        try mine.undoGroup("Delete") { try mine.delete(pencil) }
        same.n = 5
        try other.save()
        // Deleted here, changed there: it is restored.
        try mine.save()
        #expect(pencil.n == 5)
        #expect(try mine.undo())
        try mine.save()
        #expect(pencil.n == 5)
        #expect(try fixture.store.fetch(Pencil.self, id: 1)?.n == 5)
    }

    @Test(arguments: Engine.allCases) func redoBringsBackWhatUndoTookAway(engine: Engine) throws {
        let fixture = try fixture(engine)
        let mine = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited)), other = ObjectContext(fixture.store)
        let pencil = Pencil(id: 1)
        try mine.undoGroup("Insert") { try mine.insert(pencil) }
        try mine.save()
        try #require(try other.fetch(Pencil.self, id: 1)).n = 5
        try other.save()
        try mine.mergeChanges()
        #expect(try mine.undo())
        try mine.save()
        #expect(try fixture.store.fetch(Pencil.self).count() == 0)
        #expect(try mine.redo())
        try mine.save()
        #expect(try fixture.store.fetch(Pencil.self, id: 1)?.n == 5)
    }

    @Test(arguments: Engine.allCases) func resettingForgetsUndoSteps(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .objectWins, undo: .unlimited))
        let box = PencilBox(id: 1)
        try context.insert(box)
        try context.save()
        context.undoGroup("Rename") { box.name = "new" }
        try context.save()
        try context.reset()
        #expect(!context.canUndo && !context.canRedo)
        #expect(try !context.undo())
        #expect(!context.hasChanges)
    }

    @Test(arguments: Engine.allCases) func whatAResetForgotComesBackTogether(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), pencil = Pencil(id: 1), second = PencilBox(id: 2), other = Pencil(id: 2)
        box.own = [pencil]
        second.own = [other]
        try context.insert(second)
        try context.rollback()
        try context.insert(box)
        try context.reset()
        try context.insert([box, second])
        try context.save()
        #expect(box.own == [pencil] && second.own == [other])
        #expect(try fixture.store.fetch(Pencil.self).count() == 2)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func aChangeDuringASaveBringsNothingBackThatItsRulesRemove(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), (a, b) = (Pencil(id: 1), Pencil(id: 2))
        try context.insert([box, a, b] as [any LiveModel])
        box.pencils = [a]
        try context.save()
        try context.delete(a)
        let during = ActionDuringSave { box.pencils.append(b) }
        fixture.store.delegate = during
        try context.save()
        fixture.store.delegate = nil
        try context.save()
        #expect(box.pencils == [b])
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    /// Also in a context that is never without pending changes.
    @Test(arguments: Engine.allCases) func whatWasNotLoadedIsForgottenWithTheSave(engine: Engine) throws {
        let fixture = try fixture(engine)
        let filling = ObjectContext(fixture.store)
        for id in 1...5 {
            let box = PencilBox(id: id)
            box.own = [Pencil(id: id)]
            try filling.insert(box)
        }
        try filling.save()
        let context = ObjectContext(fixture.store)
        let keeper = PencilBox(id: 9)
        try context.insert(keeper)
        try context.save()
        for id in 1...5 {
            try #require(try context.fetch(PencilBox.self, id: id)).own = []
            #expect(context.state.outdated.count == 1)
            let during = ActionDuringSave { keeper.n += 1 }
            fixture.store.delegate = during
            try context.save()
            fixture.store.delegate = nil
            #expect(context.hasChanges && context.state.outdated.isEmpty)
        }
        #expect(try context.fetch(Pencil.self).all().map { $0.box == nil } == [true, true, true, true, true])
    }

    @Test(arguments: Engine.allCases) func dictionariesOfBothSidesAreMerged(engine: Engine) throws {
        let fixture = try fixture(engine)
        let options = ContextOptions(mergePolicy: .byProperty)
        let (a, b) = (ObjectContext(fixture.store, options: options), ObjectContext(fixture.store, options: options))
        let box = PencilBox(id: 1), pencils = (1...4).map { Pencil(id: $0) }
        try a.insert(box)
        try a.insert(pencils)
        box.named = ["a": pencils[0], "b": pencils[1]]
        try a.save()
        let same = try #require(try b.fetch(PencilBox.self, id: 1))
        same.named["a"] = nil
        same.named["c"] = try b.fetch(Pencil.self, id: 3)
        try b.save()
        box.named["d"] = pencils[3]
        box.named["b"] = pencils[0]
        try a.save()
        #expect(box.named.mapValues(\.id) == ["b": 1, "c": 3, "d": 4])
        // And with what the rules of a save under way remove.
        try a.delete(pencils[2])
        fixture.store.delegate = ActionDuringSave { box.named["e"] = pencils[1] }
        let delegate = fixture.store.delegate
        try a.save()
        fixture.store.delegate = nil
        withExtendedLifetime(delegate) {}
        try a.save()
        #expect(box.named.mapValues(\.id) == ["b": 1, "d": 4, "e": 2])
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func listsOfBothSidesAreMerged(engine: Engine) throws {
        let cases: [(base: [Int], mine: [Int], theirs: [Int], stored: [Int])] = [
            ([1, 2, 3], [3, 2, 1], [1, 2, 3, 4], [3, 2, 1, 4]), ([1, 2, 3], [1, 2, 1, 3], [1, 2, 3, 4], [1, 2, 1, 3, 4]),
            ([1, 1, 2], [1, 2], [1, 1, 2, 4], [1, 2, 4]), ([1, 2, 3], [4, 1, 2, 3], [2, 3], [4, 2, 3]), ([1, 2], [1, 2, 3], [1, 2, 4], [1, 2, 4, 3]),
            ([1, 2, 3], [1, 3], [3, 2, 1], [3, 1]), ([1], [], [1, 1], [1]),
        ]
        for (base, mine, theirs, expected) in cases {
            let fixture = try fixture(engine)
            let options = ContextOptions(mergePolicy: .byProperty)
            let (a, b) = (ObjectContext(fixture.store, options: options), ObjectContext(fixture.store, options: options))
            let box = PencilBox(id: 1), pencils = (1...4).map { Pencil(id: $0) }
            try a.insert(box)
            try a.insert(pencils)
            box.pencils = base.map { pencils[$0 - 1] }
            try a.save()
            let same = try #require(try b.fetch(PencilBox.self, id: 1))
            same.pencils = try theirs.map { try #require(try b.fetch(Pencil.self, id: $0)) }
            try b.save()
            box.pencils = mine.map { pencils[$0 - 1] }
            try a.save()
            #expect(box.pencils.map(\.id) == expected, "\(base), \(mine), \(theirs)")
            let fresh = ObjectContext(fixture.store)
            #expect(try fresh.fetch(PencilBox.self, id: 1)?.pencils.map(\.id) == expected, "\(base), \(mine), \(theirs)")
        }
    }

    @Test(arguments: Engine.allCases) func anObjectThatWasTakenBackHasNoPartInTheContext(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), pencil = Pencil(id: 1), second = Pencil(id: 2)
        try context.insert([pencil, second] as [any LiveModel])
        try context.save()
        try context.insert(box)
        try context.rollback()
        #expect(box.modelContext == nil)
        box.own = [pencil]
        #expect(pencil.box == nil && !context.hasChanges)
        #expect(try context.save() == SaveSummary())
        #expect(try fixture.store.danglingReferences().isEmpty)
        // Inserted again, it has what was assigned to it meanwhile.
        try context.insert(box)
        #expect(box.modelContext === context && pencil.box === box)
        try context.save()
        let fresh = ObjectContext(fixture.store)
        #expect(try fresh.fetch(Pencil.self, id: 1)?.box?.id == 1)
        // A new object that holds one brings it in again.
        let third = Pencil(id: 3)
        try context.insert(third)
        try context.rollback()
        let other = PencilBox(id: 2)
        other.own = [third, second]
        try context.insert(other)
        try context.save()
        #expect(try fixture.store.fetch(Pencil.self).count() == 3)
        #expect(third.box === other && second.box === other)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func whatWasTakenBackComesBackTogether(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), pencil = Pencil(id: 1), stored = Pencil(id: 2)
        try context.insert(stored)
        try context.save()
        box.own = [pencil]
        try context.insert(box)
        try context.rollback()
        // It brings nothing new in.
        box.own.append(Pencil(id: 7))
        #expect { try context.save() } throws: { if case TroveError.contextMisuse = $0 { true } else { false } }
        box.own = [pencil, stored]
        #expect(stored.box == nil && !context.hasChanges)
        // An object with the id of one is there: nothing is inserted.
        let double = Pencil(id: 1)
        try context.insert(double)
        let holder = PencilBox(id: 5)
        holder.own = [pencil]
        #expect { try context.insert(holder) } throws: { if case TroveError.alreadyExists("Pencil", "1") = $0 { true } else { false } }
        #expect(context.insertedObjects.count == 1)
        try context.rollback()
        try context.insert(box)
        #expect(pencil.box === box && stored.box === box)
        try context.save()
        #expect(try fixture.store.fetch(Pencil.self).count() == 2)
        #expect(try fixture.store.danglingReferences().isEmpty)
        // What it refers to is deleted meanwhile.
        let second = PencilBox(id: 2)
        try context.insert(second)
        try context.rollback()
        second.pencils = [stored]
        try context.delete(stored)
        try context.save()
        #expect { try context.insert(second) } throws: { isNotInContext($0, "Pencil", "2") }
        second.pencils = []
        try context.insert(second)
        try context.save()
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func whatWasEmptiedMeanwhileComesBackEmpty(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), pencil = Pencil(id: 1)
        try context.insert(pencil)
        try context.save()
        box.own = [pencil]
        try context.insert(box)
        try context.delete(box)
        box.own = []
        try context.insert(box)
        try context.save()
        #expect(box.own.isEmpty && pencil.box == nil)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func nothingNewPointsAtWhatIsDeleted(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), pencil = Pencil(id: 1), kept = Pencil(id: 2)
        try context.insert([box, pencil, kept] as [any LiveModel])
        try context.save()
        // Marked as deleted, then deleted.
        try context.delete(pencil)
        for _ in 0..<2 {
            let new = PencilBox(id: 9)
            new.pencils = [kept, pencil]
            #expect { try context.insert(new) } throws: { isNotInContext($0, "Pencil", "1") }
            box.pencils = [pencil]
            #expect { try context.save() } throws: { isNotInContext($0, "Pencil", "1") }
            #expect(box.pencils.isEmpty)
            try context.save()
        }
        try context.delete(box)
        kept.box = box
        #expect { try context.save() } throws: { isNotInContext($0, "PencilBox", "1") }
        try context.save()
        #expect(try fixture.store.fetch(PencilBox.self).count() == 0)
        #expect(try fixture.store.fetch(Pencil.self).count() == 1)
        #expect(try fixture.store.danglingReferences().isEmpty)
    }

    @Test(arguments: Engine.allCases) func theFirstRefusedChangeIsKeptForTheNextSave(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let box = PencilBox(id: 1), pencils = (1...2).map { Pencil(id: $0) }
        try context.insert(box)
        try context.insert(pencils)
        try context.save()
        try context.delete(pencils)
        for pencil in pencils { box.pencils = [pencil] }
        #expect(context.state.refusal.map { isNotInContext($0, "Pencil", "1") } == true)
        #expect { try context.save() } throws: { isNotInContext($0, "Pencil", "1") }
        #expect(context.state.refusal == nil)
        try context.save()
    }

    @Test(arguments: Engine.allCases) func aSummaryCountsWhatWasStored(engine: Engine) throws {
        let fixture = try fixture(engine)
        let mine = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .storeWins)), other = ObjectContext(fixture.store)
        let boxes = (1...3).map { PencilBox(id: $0) }
        try mine.insert(boxes)
        try mine.save()
        try #require(try other.fetch(PencilBox.self, id: 1)).n = 7
        try other.delete(#require(try other.fetch(PencilBox.self, id: 2)))
        try other.save()
        for box in boxes { box.n = 1 }
        let summary = try mine.save()
        #expect(summary.updatedCount == 1 && summary.deletedCount == 0 && summary.insertedCount == 0)
        #expect(try fixture.store.fetch(PencilBox.self).all().map(\.n) == [7, 1])
    }

    /// A `Set` on either side of an inverse that a key path names, in any order of the classes.
    @Test(arguments: Engine.allCases) func setsHaveInversesNamedByKeyPaths(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: JazzBand.self, JazzPlayer.self, JazzClub.self) }
        let context = ObjectContext(fixture.store)
        let band = JazzBand(name: "Trio"), player = JazzPlayer(name: "Bill"), club = JazzClub(name: "Village Vanguard")
        band.players = [player]
        club.guests = [player]
        club.regulars = [player]
        try context.insert([band, club] as [any LiveModel])
        #expect(player.bands == [band] && player.club === club)
        try context.save()
        let fresh = ObjectContext(fixture.store)
        let stored = try #require(try fresh.fetch(JazzPlayer.self).first())
        #expect(stored.bands.map(\.name) == ["Trio"] && stored.club?.name == "Village Vanguard")
    }
}

@Model final class PencilBox {
    let id: Int
    var name = ""
    var n = 0
    @Relationship var pencils: [Pencil] = []
    @Relationship var named: [String: Pencil] = [:]
    @Relationship(inverse: \Pencil.box) var own: [Pencil] = []
    init(id: Int) { self.id = id }
}

@Model final class Pencil {
    let id: Int
    var n = 0
    @Relationship var box: PencilBox?
    init(id: Int) { self.id = id }
}

@Model final class JazzBand {
    var name: String
    @Relationship(inverse: \JazzPlayer.bands) var players: Set<JazzPlayer> = []
    init(name: String) { self.name = name }
}

@Model final class JazzClub {
    var name: String
    @Relationship(inverse: \JazzPlayer.club) var guests: [JazzPlayer] = []
    @Relationship var regulars: Set<JazzPlayer> = []
    init(name: String) { self.name = name }
}

@Model final class JazzPlayer {
    var name: String
    @Relationship var bands: Set<JazzBand> = []
    @Relationship var club: JazzClub?
    init(name: String) { self.name = name }
}
