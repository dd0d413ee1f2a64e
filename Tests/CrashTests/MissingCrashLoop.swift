/// The program was not found beside the tests.
struct MissingCrashLoop: Error, CustomStringConvertible {
    let places: [String]

    var description: String { "there is no CrashLoop beside any of \(places); build the package's executables first" }
}
