import Foundation
import Testing
import TroveSortedArray
import TroveTesting

/// `docs/writing-a-backend.md` says what the code says. With TROVE_UPDATE_DOCS it is written anew.
@Suite(.serialized) struct DocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let page = root.appendingPathComponent("docs/writing-a-backend.md")
    private static let example = root.appendingPathComponent("Examples/SortedArrayBackend")

    /// The example's files are on the page, whole.
    @Test func `the code is the example's`() throws {
        var shown: Set<String> = []
        try compare { page in
            var blocks = page.components(separatedBy: "```")
            for index in stride(from: 1, to: blocks.count, by: 2) where blocks[index].hasPrefix("swift\n// ") {
                let name = String(blocks[index].dropFirst("swift\n// ".count).prefix { $0 != "\n" })
                let file = Self.example.appendingPathComponent(name)
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                shown.insert(name)
                blocks[index] = "swift\n// \(name)\n" + (try String(contentsOf: file, encoding: .utf8))
            }
            return blocks.joined(separator: "```")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.example.path).filter { $0.hasSuffix(".swift") }
        #expect(shown == Set(files))
    }

    @Test func `the tables are those of the specification`() throws {
        let requirements = BackendSpecification.requirements.map { requirement in
            let topics = requirement.topics.map { topic in "`\(topic).*` (\(BackendSpecification.cases.filter { $0.topic == topic }.count))" }
            let cases = (topics + requirement.otherCases.map { "`\($0)`" }).joined(separator: ", ")
            return "| \(requirement.title) | \(requirement.text) | \(cases) | \(requirement.exclusion ?? "") |"
        }
        let errors = BackendSpecification.errors.map { error in
            switch BackendSpecification.coverage(of: error) {
            case .provoked(let name): "| `\(error.name)` | `\(name)` |"
            case .excluded(let reason): "| `\(error.name)` | none: \(reason) |"
            }
        }
        let mutants = Mutant.allCases.map { "| \($0) | `\($0.caughtBy)` |" }
        try compare { page in
            var page = page
            page = replace("requirements", in: page, with: ["| what | in a sentence | cases | not checked here |", "|---|---|---|---|"] + requirements)
            page = replace("errors", in: page, with: ["| error | provoked by |", "|---|---|"] + errors)
            return replace("mutants", in: page, with: ["| what is wrong | caught by |", "|---|---|"] + mutants)
        }
    }

    /// Whoever copies the page's test has a list of deviations that is right.
    @Test func `the cases that need a second process are named`() async throws {
        let factory = BackendFactory(name: "sorted array") { try SortedArrayBackend(path: $0) }
        var failing: [String] = []
        for specification in BackendSpecification.cases where specification.topic == "sharing" {
            do { try await specification.run(on: factory) } catch { failing.append("\"\(specification.name)\"") }
        }
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let names = failing.joined(separator: ", ")
        #expect(!failing.isEmpty && page.contains("private let deviations = [\(names)].map {"), "\(names)")
    }

    /// A requirement without cases checks nothing, and a case of no requirement is one whose purpose nobody knows.
    @Test func `every case belongs to a requirement and every requirement has cases`() {
        let known = Set(BackendSpecification.cases.map(\.name))
        let topics = Set(BackendSpecification.cases.map(\.topic))
        for requirement in BackendSpecification.requirements {
            #expect(!requirement.cases.isEmpty, "\(requirement.title)")
            #expect(Set(requirement.topics).isSubset(of: topics), "\(requirement.title): \(requirement.topics)")
            #expect(Set(requirement.otherCases).isSubset(of: known), "\(requirement.title): \(requirement.otherCases)")
        }
        let required = Set(BackendSpecification.requirements.flatMap(\.cases).map(\.name))
        #expect(known.subtracting(required) == [])
        for error in BackendSpecification.errors {
            if case .provoked(let name) = BackendSpecification.coverage(of: error) { #expect(known.contains(name), "\(error.name): \(name)") }
        }
    }

    private func replace(_ name: String, in page: String, with lines: [String]) -> String {
        let (start, end) = ("<!-- \(name) -->\n", "<!-- /\(name) -->")
        let parts = page.components(separatedBy: start)
        guard parts.count == 2, let rest = parts[1].range(of: end) else { return "the page has no place for \(name)" }
        return parts[0] + start + lines.joined(separator: "\n") + "\n" + parts[1][rest.lowerBound...]
    }

    private func compare(_ change: (String) throws -> String) throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let right = try change(page)
        if Environment.updatesDocuments { try right.write(to: Self.page, atomically: true, encoding: .utf8) } else {
            #expect(page == right, "the page is stale; run the tests once with TROVE_UPDATE_DOCS=1")
        }
    }
}
