import Foundation

/// What the environment asks of these tests.
enum Environment {
    /// Whether the cases with several threads are to be run by themselves.
    static let runsThreadedCases = ProcessInfo.processInfo.environment["TROVE_THREADED_CASES"] != nil
    static let mutants = ProcessInfo.processInfo.environment["TROVE_MUTANTS"]
    /// Whether the tables and the code in `docs/writing-a-backend.md` are to be written anew.
    static let updatesDocuments = ProcessInfo.processInfo.environment["TROVE_UPDATE_DOCS"] != nil
}
