import RawEngines

/// A C program that keeps documents as NanoStore does: an archive, and a row for each value.
struct PathsContestant: Contestant {
    let name = "raw-sqlite-paths"
    let title = "C on SQLite, a row for each path"
    let engine = EngineName.sqlite
    let kind = ContestantKind.raw
    let approach = """
        NanoStore's layout: a table of keys and archives, which are ready, and a table of keys, paths and values with an index on the key and one on path and value; \
        Trove's pragmas, statements prepared once.
        """

    func reasonAgainst(_ workload: any Workload) -> String? { workload is any NoteWorkload ? nil : "it keeps documents without a type" }

    func openNotes(_ place: StorePlace) throws -> any NoteStore { try RawNoteStore(path: "\(place.directory)/store.sqlite", place) }
}
