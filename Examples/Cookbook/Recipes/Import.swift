import Trove

enum Import: Recipe {
    @Model
    struct Station {
        #Unique<Station>([\.code], identity: true)
        var code: String
        var name: String
        var height: Int?
    }

    static let title = "a file that is imported again and again"
    static let printed = ["inserted: 3, updated: 0, unchanged: 0", "inserted: 1, updated: 1, unchanged: 2", "4 stations"]

    private static let first = ["ZRH,Zurich,432", "GVA,Geneva,430", "BSL,Basel,"]
    private static let second = ["ZRH,Zürich,432", "GVA,Geneva,430", "BSL,Basel,", "LUG,Lugano,279"]

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Station.self)
        for lines in [first, second] {
            // A transaction for some thousand lines is much faster than one for each.
            let outcomes = try store.write { transaction in
                try lines.map { try transaction.upsert(station($0)) }
            }
            let counts = [UpsertOutcome.inserted, .updated, .unchanged].map { outcome in "\(outcome): \(outcomes.count { $0 == outcome })" }
            print(counts.joined(separator: ", "))
        }
        print("\(try store.fetch(Station.self).count()) stations")
        try store.close()
    }

    private static func station(_ line: String) -> Station {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        return Station(code: String(fields[0]), name: String(fields[1]), height: Int(fields[2]))
    }
}
