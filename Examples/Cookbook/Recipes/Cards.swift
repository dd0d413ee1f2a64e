import Trove

enum Cards: Recipe {
    static let title = "documents: attributes that nobody declared"
    static let printed = [
        "Fjord, Tide", "Tide is by Ann", "1 with a price above 5", "found anywhere: Tide", "author.name: 2 text", "north: 1, sea: 2",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: [])
        let cards = store.documents("cards")
        try cards.save([
            ["title": "Fjord", "author": ["name": "Ane"], "tags": ["sea", "north"], "rating": 7],
            ["title": "Tide", "author": ["name": "Ann", "born": 1970], "tags": ["sea"], "editions": [["price": 4], ["price": 9.5]], "rating": 8],
            ["title": "Stub"],
        ])
        let found = cards.fetch { $0["tags"].contains("sea") && $0["rating"] > 5 }
        let titles = try found.sorted(by: "title").all().compactMap { try $0.value(at: "title", as: String.self) }
        print(titles.joined(separator: ", "))

        if var tide = try cards.fetch("author.born < 2000").first() {
            print("\(try tide.value(at: "title", as: String.self) ?? "?") is by \(try tide.value(at: "author.name", as: String.self) ?? "?")")
            tide["editions[0].price"] = 5
            tide["author.address.city"] = "Oslo"
            try cards.save(tide)
        }
        print("\(try cards.fetch("any editions (price > 5)").count()) with a price above 5")
        if let oslo = try cards.fetch({ $0.anywhere.contains("Oslo") }).first() { print("found anywhere: \(try oslo.value(at: "title", as: String.self) ?? "?")") }
        for attribute in try cards.attributes() where attribute.path == "author.name" { print("\(attribute)") }
        let tags = try ["north", "sea"].map { tag in "\(tag): \(try cards.fetch("any tags = ?", tag).count())" }
        print(tags.joined(separator: ", "))
        try store.close()
    }
}
