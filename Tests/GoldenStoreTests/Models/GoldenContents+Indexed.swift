import Foundation
import Trove

/// What stores have besides: objects with indexes and references, and a bag.
extension GoldenContents {
    static let albums = [
        GoldenAlbum(number: 1, title: "Kind of Blue", label: "CL 1355", year: 1959, genres: ["jazz", "modal"], price: 12, tracks: [1, 2, 3, 1]),
        GoldenAlbum(number: 2, title: "Sketches of Spain", label: "CL 1480", year: 1960, genres: ["jazz", "third stream"], price: 9, tracks: []),
        GoldenAlbum(number: 3, title: "Running Water", label: nil, year: 1959, genres: [], price: 3, tracks: [99]),
        GoldenAlbum(number: 4, title: "Lost", label: "X", year: 1901, genres: ["lost"], price: 1, tracks: [2]),
    ]

    static let presses = [GoldenPress1(id: 1, city: "Pitman", country: "US"), GoldenPress1(id: 2, city: "Diepholz", country: "DE")]

    /// Writes everything: what every format has, then objects with indexes in several states, references and a bag.
    static func writeAll(_ open: () throws -> any StorageBackend) throws {
        try write(open)
        let store = try ObjectStore(open(), models: GoldenThing.self, GoldenTrack2.self, GoldenAlbum.self, GoldenPress1.self)
        try store.save(albums)
        try store.delete(GoldenAlbum.self, id: albums[3].id)
        try store.save(presses)
        let bag = Bag(named: "favourites", in: store)
        bag.add(Reference<GoldenTrack2>(id: 3))
        bag.add(AnyReference(albums[0]))
        try bag.save()
        try store.close()
        let again = try ObjectStore(open(), indexing: .onRequest, models: GoldenThing.self, GoldenTrack2.self, GoldenAlbum.self, GoldenPress2.self)
        try again.close()
    }
}
