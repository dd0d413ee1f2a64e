import Foundation
import Trove

enum Exchange: Recipe {
    @Model
    struct Photo: Equatable {
        let id: Int
        var place: String
        var taken: Date
        var stars: Double?
    }

    static let title = "objects from what a service sends, as JSON for people, and a whole store as JSON lines"
    static let printed = [
        "2 photos came", #"{"$model":"Photo","$id":1,"place":"Porto","taken":{"$date":"2026-03-01T09:30:00Z"},"stars":4.5}"#,
        "refused: the JSON cannot be read at line 1, column 24 (byte 23): the id is there twice", "imported Photo: 2, 1 blob", "both files are the same",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Photo.self)

        // Names in any order, plain texts for dates, nothing for what is nil.
        let sent = """
            [{"id": 1, "taken": "2026-03-01T09:30:00Z", "place": "Porto", "stars": 4.5},
             {"id": 2, "taken": "2026-03-02T18:00:00+01:00", "place": "Lisbon"}]
            """
        try store.save(store.objects(Photo.self, json: sent))
        print("\(try store.fetch(Photo.self).count()) photos came")
        if let photo = try store.fetch(Photo.self, id: 1) { print(try store.json(of: photo)) }
        do {
            _ = try store.object(Photo.self, json: #"{"id": 3, "place": "", "id": 4}"#)
        } catch {
            print("refused: \(error)")
        }

        // Everything a store has, for any engine.
        try store.setBlob(Data([1, 2, 3]), named: "cover")
        try store.exportJSON(to: place.path("photos.jsonl"))
        let other = try ObjectStore(MemoryBackend(), models: Photo.self)
        print("imported \(try other.importJSON(from: place.path("photos.jsonl")))")
        try other.exportJSON(to: place.path("again.jsonl"))
        let files = try ["photos.jsonl", "again.jsonl"].map { try Data(contentsOf: URL(filePath: place.path($0))) }
        print("both files are \(files[0] == files[1] ? "the same" : "different")")
        try other.close()
        try store.close()
    }
}
