import Foundation
import Testing

/// The layers of the library hold: nothing uses what lies in a higher one.
@Suite struct LayerTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let sources = package.appending(path: "Sources/Trove")

    @Test func nothingUsesAHigherLayer() throws {
        let index = try CompilerIndex(module: "Trove", root: Self.sources)
        // An index of something else would let everything pass.
        #expect(index.definitions.count > 5_000)
        #expect(index.uses.count > 50_000)
        let uses = Layers.upwardUses(index.definitions, index.uses)
        #expect(uses.isEmpty, "\(uses.count) uses of a higher layer:\n\(uses.joined(separator: "\n"))")
    }

    @Test func anUpwardUseIsFound() {
        let definitions = ["bag": SourcePlace(file: "Bags/Bag.swift", line: 3), "text": SourcePlace(file: "Text/CaseFolding.swift", line: 1)]
        let uses = [
            SymbolUse(symbol: "bag", name: "Bag", place: SourcePlace(file: "Kernel/StoreCore.swift", line: 7)),
            SymbolUse(symbol: "text", name: "CaseFolding", place: SourcePlace(file: "Kernel/StoreCore.swift", line: 8)),
        ]
        #expect(Layers.upwardUses(definitions, uses) == ["Kernel/StoreCore.swift:7 uses 'Bag' of Bags/Bag.swift"])
    }

    @Test func everyFolderIsInALayer() throws {
        // The pages of the reference are no layer.
        let others = [".swift", ".docc"]
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
            .filter { name in !name.hasPrefix(".") && !others.contains { name.hasSuffix($0) } }
        #expect(Set(folders) == Set(Layers.order.joined()))
    }

    @Test func theDrawingHasTheSameLayers() throws {
        let page = try String(contentsOf: Self.package.appending(path: "docs/architecture.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").drop { $0 != "| layer | what it has |" }.dropFirst(2).prefix { $0.hasPrefix("| `") }
        let drawn = rows
            .map { row -> [String] in row.split(separator: "|")[0].split(separator: "`").map { String($0) }.filter { $0.allSatisfy(\.isLetter) } }
            .filter { !$0.isEmpty }
        #expect(drawn == Layers.order.reversed().map { $0 })
    }
}
