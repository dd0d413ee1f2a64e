import Foundation
import TestSupport
import Testing

/// A program that takes Trove from a static archive, of which the linker uses what something names.
@Suite(.enabled(if: SourceCheck.isPossible && Tool.isInstalled("ar"))) struct StaticLinkTests {
    private static let modules = [
        "Trove", "TroveStorage", "TroveBackendKit", "TroveMemory", "DequeModule", "InternalCollectionsUtilities", "BasicContainers", "ContainersPreview",
    ]

    /// One expression of each file that translates them.
    private static let program = """
        import Foundation
        import Trove
        @Model struct Song { var title: String; var year: Int; var tags: [String]; var rating: Double? }
        let store = try ObjectStore(MemoryBackend(), models: Song.self)
        try store.save([
            Song(title: "Autumn Leaves", year: 1959, tags: ["live"], rating: 4), Song(title: "So What", year: 1960, tags: [], rating: nil),
        ])
        func count(_ predicate: Predicate<Song>) throws -> Int { try store.fetch(Song.self).where(predicate).count() }
        func yearAfter(_ year: Int) -> Predicate<Song> { #Predicate { $0.year == year + 1 } }
        print(
            try count(yearAfter(1958)), try count(#Predicate { $0.tags.contains("live") }), try count(#Predicate { $0.year > 1958 }),
            try count(#Predicate { $0.year > 1958 && !($0.year > 1959) }), try count(#Predicate { $0.title.starts(with: "So") }),
            try count(#Predicate { ($0.rating ?? 0) > 3 }), try count(#Predicate { $0.rating != nil }))
        """

    @Test func knowsEveryPredicate() throws {
        let check = try SourceCheck()
        let archive = check.file("libTroveArchive.a")
        let lifetime = SourceCheck.products.appending(path: "ObjectLifetime.build/ObjectLifetime.c.o").path
        let objects = try Self.modules.flatMap(objectFiles(of:)) + [lifetime]
        let list = try check.write(objects.map { "\"\($0)\"" }.joined(separator: "\n"), named: "objects.txt")
        let packed = try Tool.run("ar", ["crs", archive, "@" + list])
        try #require(packed.status == 0, "\(packed.output)")
        let source = try check.write(Self.program)
        let built = try Tool.run(
            "swiftc", SourceCheck.arguments + ["-Onone", source, "-o", check.file("program"), "-L", URL(filePath: archive).deletingLastPathComponent().path, "-lTroveArchive"])
        try #require(built.status == 0, "\(built.output)")
        let run = try Tool(at: URL(filePath: check.file("program"))).run([])
        #expect(run.status == 0)
        #expect(run.output == "1 1 2 1 1 1 1\n", "\(run.output)")
    }

    /// The object files of a module's sources as they are now; beside them may lie those of sources that are gone.
    private func objectFiles(of module: String) throws -> [String] {
        let list = SourceCheck.products.appending(path: "\(module).build/output-file-map.json")
        guard FileManager.default.fileExists(atPath: list.path) else { return [] }
        let outputs = try JSONDecoder().decode([String: [String: String]].self, from: Data(contentsOf: list))
        return outputs.values.compactMap { $0["object"] }.filter { FileManager.default.fileExists(atPath: $0) }
    }
}
