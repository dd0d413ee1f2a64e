extension BackendSpecification {
    /// Random operations against a model. A failure names its seed.
    static let random: [SpecificationCase] = (1...4).map { group in
        SpecificationCase("random.group-\(group)", "Random transactions, savepoints, cursors and re-openings agree with a model (seeds \(group)00 to \(group)04).") { run in
            for seed in 0..<5 {
                var program = RandomProgram(seed: UInt64(group * 100 + seed), in: run)
                try program.execute(transactions: 60)
            }
        }
    }
}
