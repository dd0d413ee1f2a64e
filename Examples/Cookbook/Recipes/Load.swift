import Trove

enum Load: Recipe {
    @Model
    struct Reading {
        let id: Int
        var celsius: Double
    }

    struct Stopped: Error {}

    static let title = "a load in batches that tells how far it is, and goes on where it was stopped"
    static let printed = ["400 of 1000", "800 of 1000", "stopped", "1000 of 1000", "1000 readings"]

    private static let lines = (0..<1_000).map { "\($0),\(Double($0 % 30) / 2)" }

    static func run(in place: Place, print: @Sendable (String) -> Void) throws {
        let store = try ObjectStore(place.backend(), models: Reading.self)
        do {
            try load(into: store) { done in
                print("\(done) of \(lines.count)")
                if done == 800 { throw Stopped() }
            }
        } catch is Stopped {
            print("stopped")
        }
        try store.close()

        // Later, as another process.
        let again = try ObjectStore(place.backend(), models: Reading.self)
        try load(into: again) { done in print("\(done) of \(lines.count)") }
        print("\(try again.fetch(Reading.self).count()) readings")
        try again.close()
    }

    private static func load(into store: ObjectStore, progress: (Int) throws -> Void) throws {
        let key = "readings done"
        var done = 0
        if case .int(let count)? = try store.metadata(forKey: key) { done = Int(count) }
        while done < lines.count {
            let end = min(done + 400, lines.count)
            // The place is stored with the objects, so the two never differ.
            try store.write(.relaxed) { transaction in
                try transaction.save(lines[done..<end].map(reading))
                try transaction.setMetadata(.int(Int64(end)), forKey: key)
            }
            done = end
            try progress(done)
        }
        try store.setMetadata(nil, forKey: key)
        try store.synchronize()
    }

    private static func reading(_ line: String) -> Reading {
        let fields = line.split(separator: ",")
        return Reading(id: Int(fields[0]) ?? 0, celsius: Double(fields[1]) ?? 0)
    }
}
