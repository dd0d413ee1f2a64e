/// Everybody who takes part.
enum Contestants {
    static let all: [any Contestant] = [
        RawContestant.lmdb, TroveOnLMDB(), LiveContestant(TroveOnLMDB()),
        RawContestant.sqlite, ColumnsContestant(), TroveOnSQLite(), LiveContestant(TroveOnSQLite()),
        GRDBContestant.handWritten, GRDBContestant.codable, GRDBContestant.statements,
        RawContestant.tokyoCabinet, TroveOnTokyoCabinet(), LiveContestant(TroveOnTokyoCabinet()),
        TroveInMemory(), LiveContestant(TroveInMemory()),
    ]

    static func named(_ name: String) throws -> any Contestant {
        guard let contestant = all.first(where: { $0.name == name }) else {
            throw BenchmarkError("no contestant '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return contestant
    }
}
