import Trove

enum Prompt: Recipe {
    @Model
    struct City {
        @Attribute(.indexed) var country: String
        var name: String
        var people: Int
    }

    static let title = "criteria that a person types, with values that need no quoting"
    static let printed = [
        "large: Paris, Lyon", "found: Berlin",
        "refused: at character 9 of 'people >> 5': expected a field, a value or a parameter",
    ]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: City.self)
        try store.save([
            City(country: "France", name: "Paris", people: 2_100_000), City(country: "France", name: "Lyon", people: 1_700_000),
            City(country: "Germany", name: "Berlin", people: 900_000),
        ])
        let cities = store.fetch(City.self)

        let large = try cities.matching("people > 1000000 order by people desc").all()
        print("large: \(large.map(\.name).joined(separator: ", "))")
        let found = try cities.matching("country = ? and name begins with ?", "Germany", "Ber").all()
        print("found: \(found.map(\.name).joined(separator: ", "))")
        do {
            _ = try cities.matching("people >> 5").all()
        } catch {
            print("refused: \(error)")
        }
        try store.close()
    }
}
