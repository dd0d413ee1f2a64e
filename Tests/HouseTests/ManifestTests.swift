import Foundation
import Testing

/// Each target of `Package.swift` names all modules of the package that it imports.
///
/// What comes along with another is found by the compiler too, but SwiftPM does not compile the target again when it has changed: its code then takes
/// classes to have the properties they had.
@Suite struct ManifestTests {
    private struct Target {
        let name: String
        let folder: String
        let dependencies: Set<String>
    }

    private static let package = (0..<3).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }

    @Test func targetsNameWhatTheyImport() throws {
        let targets = try Self.targets(in: String(contentsOf: Self.package.appending(path: "Package.swift"), encoding: .utf8))
        let names = Set(targets.map(\.name))
        try #require(names.isSuperset(of: ["Trove", "TroveCLI", "HouseTests", "CLMDB"]))
        var importCount = 0
        for target in targets {
            let imported = try Self.imports(below: Self.package.appending(path: target.folder)).intersection(names)
            importCount += imported.count
            let missing = imported.subtracting(target.dependencies).subtracting([target.name]).sorted()
            #expect(missing.isEmpty, "\(target.name) imports \(missing) and does not name them in Package.swift")
        }
        #expect(importCount > 150)
    }

    @Test func aMissingDependencyIsFound() throws {
        let manifest = """
            let shared: [Target.Dependency] = ["B"]
            targets: [
                    .target(name: "A", dependencies: shared),
                    .testTarget(
                        name: "ATests",
                        dependencies: [
                            "A",
                            .target(name: "C", condition: .when(traits: ["T"])),
                        ], path: "Elsewhere/ATests"),
            ]
            """
        let targets = Self.targets(in: manifest)
        #expect(targets.map(\.name) == ["A", "ATests"])
        #expect(targets.map(\.folder) == ["Sources/A", "Elsewhere/ATests"])
        #expect(targets.map { $0.dependencies.intersection(["A", "B", "C"]) } == [["B"], ["A", "C"]])
        #expect(Self.imports(in: "@testable import A\nimport struct B.C\n// import D\nlet text = \"\"\"\nimport E\n\"\"\"\n") == ["A", "B"])
    }

    /// Read from the text, which is formatted alike everywhere.
    private static func targets(in manifest: String) -> [Target] {
        let lists = Dictionary(
            manifest.matches(of: /let (\w+): \[Target\.Dependency\] = \[([^\]]*)\]/).map { (String($0.1), quoted($0.2)) }, uniquingKeysWith: { $1 })
        let starts = Array(manifest.matches(of: /\n {8}\.(target|testTarget|executableTarget|macro|systemLibrary)\(\s*name: "(\w+)"/))
        return starts.enumerated().map { number, start in
            let end = number + 1 < starts.count ? starts[number + 1].range.lowerBound : manifest.endIndex
            let text = manifest[start.range.upperBound..<end]
            let name = String(start.2)
            let folder = text.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) } ?? (start.1 == "testTarget" ? "Tests/" : "Sources/") + name
            let list = text.firstMatch(of: /dependencies: (\w+)/).flatMap { lists[String($0.1)] }
            return Target(name: name, folder: folder, dependencies: list ?? quoted(text))
        }
    }

    private static func quoted(_ text: Substring) -> Set<String> { Set(text.matches(of: /"(\w+)"/).map { String($0.1) }) }

    private static func imports(below folder: URL) throws -> Set<String> {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        // What samples import is compiled by a test, and not by SwiftPM.
        return try files.filter { $0.pathExtension == "swift" && !$0.path.contains("/Samples/Surroundings/") }
            .reduce(into: []) { try $0.formUnion(imports(in: String(contentsOf: $1, encoding: .utf8))) }
    }

    /// Up to the first declaration: texts of programs may come after it.
    private static func imports(in source: String) -> Set<String> {
        let head = source.split(separator: "\n", omittingEmptySubsequences: true).prefix { line in
            line.isEmpty || line.hasPrefix("//") || line.hasPrefix("#") || line.hasPrefix("@") || line.hasPrefix("import") || line.contains(" import ")
        }
        return Set(head.compactMap { $0.firstMatch(of: /^(?:@\w+ )*(?:(?:public|package|internal) )?import (?:(?:struct|class|enum|func|protocol) )?(\w+)/).map { String($0.1) } })
    }
}
