extension BackendSpecification {
    /// Random programs against a model; see ``StorageProgram``. A failure gives the seed and a short program.
    static let random: [SpecificationCase] = (1...4).map { group in
        SpecificationCase(
            "random.group-\(group)",
            "Random transactions, savepoints, cursors, snapshots, backups and re-openings agree with a model (seeds \(group)00 to \(group)04)."
        ) { run in
            var tester = StorageProgram.tester(on: [run.factory])
            tester.maxShrinkingTime = min(tester.maxShrinkingTime, run.timeLimit / 10)
            for seed in 0..<5 {
                do {
                    try tester.test(seed: UInt64(group * 100 + seed))
                } catch let failure as ProgramFailure {
                    throw run.failure("the answers of the model", found: "\(failure)")
                }
            }
        }
    }
}
