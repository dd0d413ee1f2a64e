import Foundation
import Testing

/// How the commands' options are declared.
@Suite struct OptionGroupTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Tools/TroveCLI").standardized

    /// In debug builds the parser checks a group several times at each level that it lies at, and every test of a command starts a program.
    @Test func groupsHaveNoGroups() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path).filter { $0.hasSuffix(".swift") }
        var count = 0
        for file in files {
            let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
            for declaration in text.components(separatedBy: "\nstruct ").dropFirst() {
                let header = declaration.prefix { $0 != "{" }
                guard header.contains("ParsableArguments") else { continue }
                count += 1
                let body = declaration.components(separatedBy: "\n}")[0]
                #expect(!body.contains("@OptionGroup"), "\(file): \(header)")
            }
        }
        #expect(count >= 10)
    }
}
