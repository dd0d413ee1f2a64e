/// Everybody who takes part.
enum Contestants {
    /// By engine, the C programs first. `Found` is made by the build from the files of this folder.
    static let all: [any Contestant] = (Found.contestants + Found.troveContestants).sorted {
        ($0.engine.order, $0.kind.order, $0.name) < ($1.engine.order, $1.kind.order, $1.name)
    }

    static func named(_ name: String) throws -> any Contestant {
        guard let contestant = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no contestant '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return contestant
    }
}
