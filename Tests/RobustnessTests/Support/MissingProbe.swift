/// The probe was not found beside the tests.
struct MissingProbe: Error, CustomStringConvertible {
    let places: [String]

    var description: String { "there is no StoreProbe beside any of \(places); build the package's executables first" }
}
