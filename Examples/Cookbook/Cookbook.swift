import Foundation

/// `Cookbook` runs all recipes in memory, `Cookbook bank` one of them, `Cookbook bank lmdb` on that engine.
@main
enum Cookbook {
    static let recipes: [any Recipe.Type] = [
        Notes.self, Albums.self, Shelf.self, Photos.self, SearchBox.self, Report.self, Prompt.self, Bank.self, Import.self, Watch.self, Favourites.self, Upgrade.self,
        Moving.self, Exchange.self, Cards.self, Load.self, Audit.self,
    ]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { $0.lowercased() }
        let chosen = recipes.filter { arguments.isEmpty || "\($0)".lowercased() == arguments[0] }
        guard !chosen.isEmpty, let engine = Place.Engine(rawValue: arguments.count > 1 ? arguments[1] : "memory") else {
            print("Cookbook [\(recipes.map { "\($0)".lowercased() }.joined(separator: " | "))] "
                + "[\(Place.Engine.allCases.map(\.rawValue).joined(separator: " | "))]")
            exit(2)
        }
        for recipe in chosen {
            print("\(recipe): \(recipe.title)")
            try await run(recipe, on: engine) { print("    " + $0) }
        }
    }

    /// Runs a recipe in a directory that is gone afterwards.
    static func run(_ recipe: any Recipe.Type, on engine: Place.Engine, print: @Sendable (String) -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-cookbook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        do {
            try await recipe.run(in: Place(engine: engine, directory: directory.path), print: print)
        } catch {
            try FileManager.default.removeItem(at: directory)
            throw error
        }
        try FileManager.default.removeItem(at: directory)
    }
}
