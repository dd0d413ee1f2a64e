extension Found {
    /// Throws when two workloads, or two contestants, have the same name: results are kept by it.
    static func checkNames() throws {
        try check(Workloads.all.map(\.name), "workloads")
        try check(Contestants.all.map(\.name), "contestants")
    }

    private static func check(_ names: [String], _ kind: String) throws {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted { throw BenchmarkError("two \(kind) are named '\(name)'; give one of them another name") }
    }
}
