import TestSupport
import Testing

@testable import Trove
import TroveActiveRecord

/// Saving and finding on live objects.
@Suite struct LiveActiveRecordTests {
    @Test(arguments: Engine.allCases) func savesFindsAndDeletes(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Musician.self, Band.self) }
        try ActiveRecord.using(fixture.store) {
            let band = Band(name: "Trio")
            let evans = Musician(name: "Bill Evans", born: 1929)
            evans.band = band
            try evans.save()
            // What it refers to is saved with it.
            #expect(try Band.find.byName("Trio") == [band])
            #expect(band.members == [evans])
            #expect(try Musician.find(evans.id) === evans)
            #expect(try Musician.find.firstByBorn(1929) === evans)
            #expect(try Musician.where { $0.band.name == "Trio" }.all() == [evans])

            evans.born = 1930
            #expect(try Musician.find.byBorn(1930) == [evans])
            #expect(try fixture.store.fetch(Musician.self).where { $0.born == 1930 }.count() == 0)
            try evans.refresh()
            #expect(evans.born == 1929)
            evans.born = 1931
            try evans.save()
            #expect(try fixture.store.fetch(Musician.self).where { $0.born == 1931 }.count() == 1)
            #expect(try Musician.maximum(\.born) == 1931)

            #expect(try evans.delete())
            #expect(try !evans.delete())
            #expect(try Musician.all.isEmpty)
            #expect(band.members.isEmpty)
            #expect(throws: ActiveRecordError.notFound(model: "Musician", id: "\(evans.id)")) { try evans.refresh() }
        }
    }

    /// In asynchronous code too objects are saved and deleted through the context, which has one object for each record.
    @Test(arguments: Engine.allCases) func asynchronously(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Musician.self, Band.self) }
        try await ActiveRecord.using(fixture.store) {
            let evans = Musician(name: "Bill Evans")
            try await evans.insert()
            #expect(try evans.modelContext === ActiveRecord.context)
            evans.born = 1929
            try await evans.save()
            #expect(try await fixture.store.fetch(Musician.self).where { $0.born == 1929 }.count() == 1)
            #expect(try await Musician.find.firstByBorn(1929) === evans)
            #expect(try await Musician.find(evans.id) === evans)
            await #expect(throws: TroveError.self) { try await evans.insert() }

            evans.born = 1900
            try await evans.refresh()
            #expect(evans.born == 1929)
            try await [evans, Musician(name: "Paul Motian")].save()
            #expect(try Musician.all.count == 2)

            #expect(try await evans.delete())
            #expect(evans.modelContext == nil)
            #expect(try await ActiveRecord.context.fetch(Musician.self, id: evans.id) == nil)
            #expect(try await !evans.delete())
            await #expect(throws: ActiveRecordError.notFound(model: "Musician", id: "\(evans.id)")) { try await evans.refresh() }
            #expect(try await Musician.all.delete() == 1)
        }
    }

    @Test(arguments: Engine.allCases) func whatIsStoredIsTold(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Musician.self, Band.self) }
        try ActiveRecord.using(fixture.store) {
            let (stored, other, new) = (Musician(name: "a"), Musician(name: "b"), Musician(name: "c"))
            try [stored, other].save()
            #expect { try stored.insert() } throws: { if case TroveError.alreadyExists = $0 { true } else { false } }
            // A list with one that is in no context deletes none.
            #expect { try [stored, new, other].delete() } throws: { if case TroveError.notInContext = $0 { true } else { false } }
            #expect(try !ActiveRecord.context.hasChanges)
            // What is deleted beside it is not counted for it.
            try ActiveRecord.context.delete(other)
            try ActiveRecord.context.insert(new)
            #expect(try !new.delete())
            #expect(try Musician.all == [stored])
        }
    }

    private func shops(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Musician.self, Band.self, Shop.self, Shelf.self) }
    }

    private func isTaken(_ error: any Error) -> Bool { if case TroveError.uniqueViolation = error { true } else { false } }
    private func isDenied(_ error: any Error) -> Bool { if case TroveError.deletionDenied = error { true } else { false } }

    /// What one save could not store stayed in the context, so that all later ones failed with the same error.
    @Test(arguments: Engine.allCases) func aFailedSaveIsNotInTheWayOfOthers(_ engine: Engine) throws {
        let fixture = try shops(engine)
        try ActiveRecord.using(fixture.store) {
            try Shop(name: "taken").save()
            let second = Shop(name: "taken")
            #expect { try second.save() } throws: { isTaken($0) }
            #expect { try Shop(name: "taken").insert() } throws: { isTaken($0) }
            #expect { try [Shop(name: "first"), Shop(name: "taken")].save() } throws: { isTaken($0) }
            #expect(try ActiveRecord.context.insertedObjects.isEmpty)
            try Shop(name: "free").save()
            // It can be put right.
            second.name = "other"
            try second.save()
            #expect(Set(try Shop.all.map(\.name)) == ["taken", "free", "other"])

            let band = Band(name: "Trio")
            let shelf = Shelf(name: "jazz")
            shelf.band = band
            try shelf.save()
            #expect { try band.delete() } throws: { isDenied($0) }
            #expect { try Band.deleteAll() } throws: { isDenied($0) }
            #expect { try [band].delete() } throws: { isDenied($0) }
            #expect(try !ActiveRecord.context.hasChanges)
            try Shop(name: "last").save()
            #expect(try Band.all == [band])
            #expect(try band.isSaved)
        }
    }

    @Test(arguments: Engine.allCases) func aFailedSaveIsNotInTheWayOfOthersAsynchronously(_ engine: Engine) async throws {
        let fixture = try shops(engine)
        try await ActiveRecord.using(fixture.store) {
            try await Shop(name: "taken").save()
            await #expect { try await Shop(name: "taken").save() } throws: { isTaken($0) }
            await #expect { try await Shop(name: "taken").insert() } throws: { isTaken($0) }
            await #expect { try await [Shop(name: "first"), Shop(name: "taken")].save() } throws: { isTaken($0) }
            try await Shop(name: "free").save()
            let band = Band(name: "Trio")
            let shelf = Shelf(name: "jazz")
            shelf.band = band
            try await shelf.save()
            await #expect { try await band.delete() } throws: { isDenied($0) }
            await #expect { try await Band.deleteAll() } throws: { isDenied($0) }
            await #expect { try await [band].delete() } throws: { isDenied($0) }
            #expect(try !ActiveRecord.context.hasChanges)
            try await Shop(name: "last").save()
            #expect(try await Shop.count() == 3)
            #expect(try await Band.count() == 1)
        }
    }

    /// A save that was cancelled while it waited for the writer was still under way when its object was taken back, which left what is for rules to heed.
    @Test(arguments: Engine.allCases) func aCancelledSaveIsNotInTheWayOfOthers(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Musician.self, Band.self, Tour.self) }
        let store = fixture.store
        try await ActiveRecord.using(store) {
            let band = Band(name: "Trio")
            try await band.save()
            // Several times, since two threads ran for it.
            for number in 1...10 {
                let tour = Tour(name: "tour \(number)")
                tour.band = band
                let holder = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
                let save = Task { try await tour.save() }
                try await waitUntil("a save in the queue") { store.writeQueue.waitingCount == 1 }
                save.cancel()
                await #expect(throws: CancellationError.self) { try await save.value }
                #expect(try ActiveRecord.context.insertedObjects.isEmpty)
                #expect(try !ActiveRecord.context.hasChanges)
                try await holder.end()
                band.name = "Trio \(number)"
                try await band.save()
            }
            #expect(try await store.fetch(Band.self).first()?.name == "Trio 10")
            #expect(try await store.fetch(Tour.self).count() == 0)
        }
    }

    /// One that could not come back, since another was still deleted, left all after it deleted.
    @Test(arguments: Engine.allCases) func aFailedDeletionIsTakenBackInAnyOrder(_ engine: Engine) throws {
        let fixture = try shops(engine)
        try ActiveRecord.using(fixture.store) {
            let (band, shelf, draft) = (Band(name: "Trio"), Shelf(name: "jazz"), Shelf(name: "draft"))
            shelf.band = band
            try shelf.save()
            draft.band = band
            try ActiveRecord.context.insert(draft)
            #expect { try ActiveRecord.context.save(deleting: [draft, band]) } throws: { isDenied($0) }
            #expect(try ActiveRecord.context.deletedObjects.isEmpty)
            #expect(try ActiveRecord.context.insertedObjects.count == 1)
            try Shop(name: "free").save()
            #expect(try fixture.store.fetch(Shelf.self).where { $0.band.name == "Trio" }.count() == 2)
        }
    }

    /// Taken back is also what the insertion did to stored objects: their owner lost them, and the next save deleted them.
    @Test(arguments: Engine.allCases) func aFailedSaveTakesNothingFromOthers(_ engine: Engine) throws {
        let fixture = try shops(engine)
        try ActiveRecord.using(fixture.store) {
            let (shop, shelf) = (Shop(name: "taken"), Shelf(name: "jazz"))
            shop.shelves = [shelf]
            try shop.save()
            shelf.name = "swing"
            let other = Shop(name: "taken")
            other.shelves = [shelf]
            #expect { try other.save() } throws: { isTaken($0) }
            #expect(shelf.shop === shop && shelf.name == "swing")
            #expect(shop.shelves == [shelf])
            try Shop(name: "free").save()
            #expect(try fixture.store.fetch(Shelf.self).all().map(\.name) == ["swing"])
            #expect(try fixture.store.fetch(Shelf.self).where { $0.shop.name == "taken" }.count() == 1)
        }
    }

    /// On the store's own threads the store was the connected one, or none.
    @Test(arguments: Engine.allCases) func theStoreOfATaskIsThatOfClosuresAndHooks(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self, LogEntry.self) }
        let store = fixture.store
        try await ActiveRecord.using(store) {
            #expect(try await store.write { _ in try ActiveRecord.store === store })
            #expect(try await store.read { _ in try ActiveRecord.store === store })
            let song = Song(name: "Naima")
            try await song.save()
            #expect(try await LogEntry.find.byText("saved Naima").count == 1)
            song.name = "Solar"
            try await [song].save()
            #expect(try await LogEntry.find.byText("saved Solar").count == 1)
            // It waits for its turn, which another task gives it.
            let holder = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
            song.name = "Footprints"
            let first = Task { try await song.save() }
            try await waitUntil("a save in the queue") { store.writeQueue.waitingCount == 1 }
            let context = try ActiveRecord.context
            let second = Task { try await Song(name: "Nardis").save() }
            try await waitUntil("a save that waits") { context.operations.waitingCount == 1 }
            try await holder.end()
            try await first.value
            try await second.value
            #expect(Set(try await LogEntry.fetch().all().map(\.text)) == ["saved Naima", "saved Solar", "saved Footprints", "saved Nardis"])
        }
    }

    /// With a durability of its own a save went past the context, which then took the stored object for a new one.
    @Test(arguments: Engine.allCases) func savesWithADurabilityOfTheirOwn(_ engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Musician.self, Band.self) }
        try ActiveRecord.using(fixture.store) {
            let evans = Musician(name: "a")
            try evans.save(durability: .durable)
            #expect(try evans.modelContext === ActiveRecord.context)
            evans.name = "b"
            try evans.save()
            #expect(try Musician.all == [evans])
            let (motian, lafaro) = (Musician(name: "c"), Musician(name: "d"))
            try motian.insert(durability: .durable)
            try [lafaro, motian].save(durability: .durable)
            #expect(try Musician.count() == 3)
            #expect(try motian.delete(durability: .durable))
            #expect(motian.modelContext == nil)
            #expect(try [evans, lafaro].delete(durability: .durable) == 2)
            #expect(lafaro.modelContext == nil)
        }
        try await ActiveRecord.using(fixture.store) {
            let evans = Musician(name: "a")
            try await evans.insert(durability: .durable)
            evans.name = "b"
            try await evans.save(durability: .durable)
            try await [evans].save(durability: .durable)
            #expect(try await Musician.fetch().all() == [evans])
            #expect(try await evans.delete(durability: .durable))
            #expect(evans.modelContext == nil)
        }
    }
}
