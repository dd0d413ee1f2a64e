/// How the plans of rounds are made.
enum KillPlans {
    /// Drawn by the series' seed, in one of these windows.
    case random(windows: [KillWindow])
    /// Each call of each window in turn, a new store for each; and each call of recovering from a crash.
    case sweep(windows: [KillWindow], stride: Int)
    /// One round.
    case one(KillPlan)
}
