import Foundation

/// Writes a Swift file that lists the workloads and contestants declared in others: `MemberFinder OUTPUT FILE…`.
///
/// A member is a struct whose declaration begins a line and whose first conformance is a protocol named `…Workload` or `…Contestant`. It
/// is listed as `Name()`, or, when its file has a `static let variants`, with all of those.
@main
struct MemberFinder {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else { throw CocoaError(.fileNoSuchFile) }
        var members: [String: [String]] = [:]
        for path in arguments.dropFirst() {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for (name, conformance) in declarations(in: text) {
                let member = text.contains("static let variants:") ? "\(name).variants" : "[\(name)()]"
                let list = conformance.hasSuffix("Workload") ? "workloads" : conformance == "TroveContestant" ? "troveContestants" : "contestants"
                members[list, default: []].append(member)
            }
        }
        let lists = [("workloads", "Workload"), ("contestants", "Contestant"), ("troveContestants", "TroveContestant")].map { list, type in
            let parts = (members[list] ?? []).map { "        \($0),\n" }.joined()
            return "    static let \(list): [any \(type)] = ([\n\(parts)    ] as [[any \(type)]]).flatMap { $0 }\n"
        }
        let text = "/// The workloads and contestants that there are files of.\nenum Found {\n\(lists.joined(separator: "\n"))}\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: output))
    }

    /// The names of structs and their first conformances, of those that are workloads or contestants.
    private static func declarations(in text: String) -> [(name: String, conformance: String)] {
        text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("struct ") else { return nil }
            let words = line.dropFirst("struct ".count).split { ":,{ ".contains($0) }.map(String.init)
            guard line.contains(":"), words.count > 1, words[1].hasSuffix("Workload") || words[1].hasSuffix("Contestant") else { return nil }
            return (words[0], words[1])
        }
    }
}
