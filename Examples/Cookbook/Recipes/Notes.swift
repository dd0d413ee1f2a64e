import Trove

enum Notes: Recipe {
    @Model
    struct Note {
        var text: String
        @Attribute(.indexed) var isDone = false
    }

    static let title = "save, find, change and delete values"
    static let printed = [
        "to do: Buy milk", "to do: Call Ann",
        "1 done, 1 deleted", "left: Buy milk and bread",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Note.self)
        let milk = Note(text: "Buy milk")
        try store.save([milk, Note(text: "Call Ann")])

        for note in try store.fetch(Note.self).where({ !$0.isDone }).sorted(by: \.text).all() { print("to do: \(note.text)") }

        // By id; saving a value again replaces it.
        if var note = try store.fetch(Note.self, id: milk.id) {
            note.text += " and bread"
            try store.save(note)
        }
        // By a condition, without reading objects first.
        let done = try store.fetch(Note.self).where { $0.text.hasPrefix("Call") }.update(\.isDone, to: true)
        let deleted = try store.fetch(Note.self).where { $0.isDone }.delete()
        print("\(done) done, \(deleted) deleted")

        for note in try store.fetch(Note.self).all() { print("left: \(note.text)") }
        try store.close()
    }
}
