import TestSupport
import Testing
import Trove

/// What objects do whose context the program has let go of.
@Suite struct ContextGoneAwayTests {
    @Model final class Folder {
        var name: String
        @Relationship var inner: [Folder] = []
        init(_ name: String) { self.name = name }
    }

    private static func folder(_ engine: Engine, _ use: (Folder) throws -> Void) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Folder.self) }
        do {
            let context = ObjectContext(fixture.store)
            let root = Folder("root")
            root.inner = [Folder("a"), Folder("b")]
            try context.insert(root)
            try context.save()
        }
        let root = try #require(try ObjectContext(fixture.store).fetch(Folder.self).where { $0.name == "root" }.first())
        try use(root)
    }

    /// Plain values can be read without a context.
    @Test(arguments: Engine.allCases) func valuesAreThere(engine: Engine) throws {
        try Self.folder(engine) { #expect($0.name == "root") }
    }

    #if DEBUG
    @Test func readingARelationshipStopsADebugBuild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            for engine in Engine.allCases { try Self.folder(engine) { _ = $0.inner } }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a relationship was read of the Folder"))
    }

    @Test func aChangeStopsADebugBuild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            for engine in Engine.allCases { try Self.folder(engine) { $0.name = "other" } }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a property was changed of the Folder"))
    }
    #endif
}
