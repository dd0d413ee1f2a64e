import Foundation
import TestSupport
import Testing

/// The samples of the documentation compile, so that none names what is no longer there.
///
/// What a page takes for granted, such as a store that is open, stands in `Surroundings`, in a file of the page's name.
@Suite(.enabled(if: SourceCheck.isPossible)) struct SampleTests {
    private static let package = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
    private static let surroundings = package.appending(path: "Tests/HouseTests/Samples/Surroundings")

    /// Whose samples are parts of one program, which `BackendMatrixTests` compares with the example that is built.
    private static let comparedElsewhere = ["docs/writing-a-backend.md"]
    /// How many samples are marked in their pages because they cannot be compiled, those of SwiftUI left out. It only becomes less.
    private static let markedCount = 1

    private static func pages() throws -> [PageSamples] {
        let names = try FileManager.default.contentsOfDirectory(atPath: package.appending(path: "docs").path)
        let guides = ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        let firstPages = try ReferencePages.modules().sorted().map { try ReferencePages(module: $0).firstPage }
        return try (guides.filter { !comparedElsewhere.contains($0) } + firstPages).map { path in
            PageSamples(try String(contentsOf: package.appending(path: path), encoding: .utf8), path: path)
        }
    }

    @Test func samplesOfThePages() throws {
        let check = try SourceCheck()
        var files: [String] = []
        for page in try Self.pages() where !page.samples.isEmpty {
            let name = page.path.contains(".docc/") ? "ReferencePages" : page.typeName
            let around = Self.surroundings.appending(path: name + ".swift")
            try #require(FileManager.default.fileExists(atPath: around.path), "\(page.path) has samples, and Surroundings no \(name).swift")
            let imports = try String(contentsOf: around, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("import ") }
            let source = page.source(importing: Set(imports))
            if !files.contains(around.path) { files.append(around.path) }
            files.append(try check.write(source, named: page.typeName + "+Samples.swift"))
        }
        try #require(files.count > 40)
        files.append(Self.surroundings.appending(path: "Missing.swift").path)
        let (status, output) = try Tool.run("swiftc", ["-typecheck", "-wmo", "-suppress-warnings"] + SourceCheck.arguments + Self.modulesOfC + files)
        let errors = output.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.contains("error: ") }
        #expect(status == 0 && errors.isEmpty, "\(errors.joined(separator: "\n"))\n\(errors.isEmpty ? output : "")")
    }

    @Test func samplesThatAreMarked() throws {
        let marked = try Self.pages().flatMap { page in page.reasons.filter { !$0.hasPrefix("SwiftUI") }.map { "\(page.path): \($0)" } }
        #expect(marked.count == Self.markedCount, "\(marked)")
    }

    /// One that is indented would be passed over.
    @Test func noSampleIsIndented() throws {
        for page in try Self.pages() { #expect(page.indented.isEmpty, "\(page.path) has samples that begin with spaces, in the lines \(page.indented)") }
        #expect(PageSamples("- A list:\n\n  ```swift\n  none()\n  ```\n", path: "docs/page.md").indented == [3])
    }

    /// A sample that names what is not there is found, in its line of the page.
    @Test func aWrongSample() throws {
        let page = PageSamples(
            """
            # Page

            ```swift
            @Model struct Song { var title: String }
            try store.fetch(Song.self)
                .where { $0.title == "So What" }.all()
            try store.fetch(Song.self).where { $0.titel == "So What" }.all()
            ```
            """, path: "docs/wrong-page.md")
        #expect(page.typeName == "WrongPagePage" && page.samples.map(\.line) == [4])
        let check = try SourceCheck()
        let around = try check.write("import Trove\nenum WrongPagePage { static var store: ObjectStore { fatalError() } }", named: "Around.swift")
        let source = try check.write(page.source(importing: ["import Trove"]), named: "Samples.swift")
        let (_, output) = try Tool.run("swiftc", ["-typecheck", "-wmo", "-suppress-warnings"] + SourceCheck.arguments + [around, source])
        let errors = output.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.contains("error: ") }
        #expect(errors.count == 1 && errors.first?.hasPrefix("docs/wrong-page.md:7:") ?? false, "\(output)")
    }

    /// The modules of C that the products import, whose maps are not beside the others.
    private static var modulesOfC: [String] {
        let products = SourceCheck.products
        let maps =
            ["CSQLite", "CLMDB", "CTokyoCabinet"].map { package.appending(path: "Backends/\($0)/module.modulemap") } + [
                products.appending(path: "TokyoCabinetYield.build/module.modulemap"),
                // Of FlyingFox, on Linux.
                products.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
                    .appending(path: "checkouts/FlyingFox/CSystemLinux/include/module.modulemap"),
            ]
        return maps.filter { FileManager.default.fileExists(atPath: $0.path) }.flatMap { ["-Xcc", "-fmodule-map-file=" + $0.path] }
    }
}
