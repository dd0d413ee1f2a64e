import TestSupport
import Testing
import Trove
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
}
