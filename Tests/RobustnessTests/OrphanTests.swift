import Foundation
import ProbeKit
import TestSupport
import Testing

/// What objects do whose context the program has let go of.
@Suite struct OrphanTests {
    /// Plain values can be read without a context.
    @Test(arguments: Engine.allCases) func valuesAreThere(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        #expect(try Orphan.stored(on: engine, at: directory.file()).name == "root")
    }

    #if DEBUG
    private static let messages: [Orphan.Use: String] = [
        .readingARelationship: "a relationship was read of the Orphan",
        .readingARelationshipOfAnObjectOfTheStore: "which is in no ObjectContext",
        .emptyingARelationshipOfAnObjectOfTheStore: "which is in no ObjectContext",
        .changingAProperty: "a property was changed of the Orphan",
    ]

    @Test(arguments: Engine.allCases, Orphan.Use.allCases) func aUseStopsADebugBuild(engine: Engine, use: Orphan.Use) throws {
        let directory = try TemporaryDirectory()
        let probe = try Tool(at: ProgramBesideTests.named("StoreProbe"))
        let (status, output) = try probe.run(["orphan", engine.rawValue, directory.file(), use.rawValue, "0"])
        #expect([SIGILL, SIGTRAP].contains(status), "\(status)")
        #expect(output.contains(try #require(Self.messages[use])), "\(output)")
    }
    #endif
}
