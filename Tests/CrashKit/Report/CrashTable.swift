/// The tallies as a table, as `docs/durability.md` has it.
struct CrashTable {
    let tallies: [CrashTally]

    var text: String {
        var lines = [
            "| engine | level | crash | promised | rounds | failures | rounds with commits gone | not opened | damaged | first seed |",
            "|---|---|---|---|--:|--:|--:|--:|--:|--:|",
        ]
        for tally in tallies {
            let setup = tally.setup
            lines.append(
                "| \(setup.engine) | \(setup.level) | \(setup.kind) | \(tally.isPromised ? "yes" : "no") | \(tally.rounds) | \(tally.failures.count) | "
                    + "\(tally.dropping) | \(tally.refusing) | \(tally.damaging) | \(setup.seed) |")
        }
        let windows = KillWindow.allCases.map { window in "\(window) \(tallies.reduce(0) { $0 + $1.byWindow[window, default: 0] })" }
        lines.append("")
        lines.append("Rounds by where they were ended: " + windows.joined(separator: ", ") + ".")
        return lines.joined(separator: "\n")
    }
}
