import Testing

/// Models in modules whose declarations are on the main actor unless they say otherwise, as in new projects of Xcode.
@Suite(.enabled(if: SourceCheck.isPossible)) struct IsolationTests {
    private static let source = #"""
        import Foundation
        import Trove
        enum Genre: String, Codable { case jazz, rock }
        nonisolated struct Place: Codable, Hashable { var city: String }
        @Model struct Song { var title: String; var year: Int = 1; var rating: Double?; var genre = Genre.jazz; var recorded: Place? }
        @Model final class Album {
            #Index<Album>([\.name])
            var name: String
            var genres: [Genre] = []
            @Relationship(inverse: \Track.album) var tracks: [Track] = []
            @Attribute(.lazy) var cover: Data?
            @Transient var opened = 1
            init(name: String) { self.name = name }
        }
        @Model final class Track { var title: String; @Relationship var album: Album?; init(title: String) { self.title = title } }
        @AbstractModel class Media { var year = 1; init() {} }
        @Model final class Film: Media { var length = 1 }
        func show(store: ObjectStore, context: ObjectContext) async throws {
            try context.insert(Album(name: "Blue"))
            try await context.save()
            _ = try await store.fetch(Song.self).where { $0.year > 1 && $0.genre == .jazz && $0.recorded.city == "Paris" }.all()
            _ = try await context.fetch(Album.self).where { $0.name == "Blue" }.sorted(by: \.name).all().map(\.name)
        }
        @concurrent func change(_ album: Album, _ song: Song) async -> String {
            let track = Track(title: song.title)
            track.album = album
            album.opened += 1
            album.tracks.append(track)
            return album.name + track.title
        }
        """#

    @Test(arguments: [[], ["NonisolatedNonsendingByDefault", "InferIsolatedConformances", "MemberImportVisibility", "ExistentialAny", "InternalImportsByDefault"]])
    func modelsAreUsedOnAnyThread(features: [String]) throws {
        let options = ["-default-isolation", "MainActor"] + features.flatMap { ["-enable-upcoming-feature", $0] }
        #expect(try SourceCheck().errors(in: Self.source, options: options) == [])
    }

    /// The options do what they are for.
    @Test func otherTypesAreNot() throws {
        let other = Self.source + "\nfinal class Player { var volume = 1 }\n@concurrent func loud(_ player: Player) async { player.volume = 11 }"
        let errors = try SourceCheck().errors(in: other, options: ["-default-isolation", "MainActor"])
        #expect(errors == ["main actor-isolated property 'volume' can not be mutated from a nonisolated context"])
    }

    /// The closures of asynchronous calls need not leave the actor of the caller.
    @Test(arguments: ["@MainActor", ""]) func actorsAskAsynchronously(isolation: String) throws {
        let body = """
            _ = try await store.fetch(Player.self).including { $0.team }
                    _ = try await store.fetch(Player.self).including({ $0.team }, { $0.others })
                    _ = try await store.fetch(Player.self).where { $0.lines.any { $0.isDone } && $0.lines.all { !$0.isDone } && $0.flags.none { $0 } }.all()
                    _ = try await store.fetch(Player.self).grouped { $0.points }.aggregate(.count)
                    _ = try await store.fetch(Player.self).update(\\.points, adding: 1)
                    for try await players in store.observe(store.fetch(Player.self)) { print(players.count); break }
            """
        let user = isolation.isEmpty ? "actor Service {\n    let store: ObjectStore\n    init(_ store: ObjectStore) { self.store = store }\n    func run() async throws {\n        \(body)\n    }\n}"
            : "\(isolation) func run(_ store: ObjectStore) async throws {\n        \(body)\n}"
        let source = """
            import Trove
            @Model struct Team { var name: String }
            struct Line: Codable, Hashable { var isDone = false }
            @Model struct Player { var points = 0; var team: Reference<Team>?; var others: [Reference<Team>] = []; var lines: [Line] = []; var flags: [Bool] = [] }
            \(user)
            """
        #expect(try SourceCheck().errors(in: source, options: ["-emit-sil", "-o", "/dev/null"]) == [])
    }
}
