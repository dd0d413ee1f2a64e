import Trove

enum Watch: Recipe {
    @Model
    struct Message {
        @Attribute(.indexed) var room: String
        var text: String
    }

    static let title = "a list on the screen that follows the store"
    static let printed = ["0 messages", "1 messages, the last is Hello", "2 messages, the last is Is anybody here?"]

    static func run(in place: Place, print: @Sendable (String) -> Void) async throws {
        let store = try ObjectStore(place.backend(), models: Message.self)
        let messages = store.fetch(Message.self).where { $0.room == "lobby" }.sorted(by: \.id)

        // The result at the beginning, and again after each commit that concerns it.
        for try await list in store.observe(messages) {
            switch list.count {
            case 0:
                print("0 messages")
                try await store.save(Message(room: "lobby", text: "Hello"))
            case 1:
                print("1 messages, the last is \(list[0].text)")
                // One transaction, one result.
                try await store.write { transaction in
                    try transaction.save(Message(room: "kitchen", text: "Not for the lobby"))
                    try transaction.save(Message(room: "lobby", text: "Is anybody here?"))
                }
            default:
                print("\(list.count) messages, the last is \(list[list.count - 1].text)")
                try await store.close()
                return
            }
        }
    }
}
