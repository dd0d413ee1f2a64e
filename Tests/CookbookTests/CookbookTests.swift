import Synchronization
import Testing

@testable import Cookbook

/// Each recipe prints what it says, on every engine.
@Suite struct CookbookTests {
    private static let names = Cookbook.recipes.map { "\($0)" }

    @Test(arguments: Place.Engine.allCases, names) func prints(engine: Place.Engine, name: String) async throws {
        let recipe = try #require(Cookbook.recipes.first { "\($0)" == name })
        let lines = Mutex<[String]>([])
        try await Cookbook.run(recipe, on: engine) { line in lines.withLock { $0.append(line) } }
        #expect(lines.withLock { $0 } == recipe.printed)
    }
}
