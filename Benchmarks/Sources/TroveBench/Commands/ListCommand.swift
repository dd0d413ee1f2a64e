import ArgumentParser

/// Tells who takes part and what is measured.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the contestants and the workloads, with what each does.")

    func run() throws {
        try Found.checkNames()
        print("Contestants\n")
        for contestant in Contestants.all {
            print("  \(contestant.name): \(contestant.title)\n\(Self.wrapped(contestant.approach))")
            var without: [(reason: String, names: [String])] = []
            for workload in Workloads.all {
                guard let reason = contestant.reasonAgainst(workload) else { continue }
                if let place = without.firstIndex(where: { $0.reason == reason }) {
                    without[place].names.append(workload.name)
                } else {
                    without.append((reason, [workload.name]))
                }
            }
            for (reason, names) in without { print(Self.wrapped("Without \(names.joined(separator: ", ")): \(reason).")) }
        }
        print("\nWorkloads\n")
        for workload in Workloads.all {
            print("  \(workload.name): \(workload.family.rawValue), \(workload.title)\n\(Self.wrapped(workload.explanation))")
        }
    }

    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 90 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "      " : " ") + word
        }
        return lines.joined(separator: "\n")
    }
}
