import Foundation

/// Writes a Swift file that lists the workloads and contestants declared in others: `MemberFinder OUTPUT FILE…`.
///
/// A member is a struct outside of other types that conforms to a protocol named `…Workload` or `…Contestant`, in its declaration or in an extension. It
/// is listed as `Name()`, or, when it has a `static let variants`, with all of those. Other types that conform to such a protocol, which cannot be
/// made so, are told with a warning.
@main
struct MemberFinder {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else { throw CocoaError(.fileNoSuchFile) }
        var types = TypeScanner()
        for path in arguments.dropFirst() { types.scan(try String(contentsOfFile: path, encoding: .utf8), path: path) }
        for warning in types.warnings { print(warning) }
        let lists = [("workloads", "Workload"), ("contestants", "Contestant"), ("troveContestants", "TroveContestant")].map { list, type in
            let members = types.members.filter { Self.list(of: $0.conformance) == list }
            let parts = members.map { "        \($0.hasVariants ? "\($0.name).variants" : "[\($0.name)()]"),\n" }.joined()
            return "    static let \(list): [any \(type)] = ([\n\(parts)    ] as [[any \(type)]]).flatMap { $0 }\n"
        }
        let text = "/// The workloads and contestants that there are files of.\nenum Found {\n\(lists.joined(separator: "\n"))}\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: output))
    }

    private static func list(of conformance: String) -> String {
        conformance.hasSuffix("Workload") ? "workloads" : conformance == "TroveContestant" ? "troveContestants" : "contestants"
    }
}
