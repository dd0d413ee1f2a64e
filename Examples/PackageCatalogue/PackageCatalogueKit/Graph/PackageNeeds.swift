/// What a package needs, directly and through what it needs.
struct PackageNeeds: Equatable, Sendable {
    /// The package itself and all packages it needs.
    var packages: Set<String> = []
    /// The names of no package that were met, each with the package that was taken for it: the first that provides it.
    var virtual: [String: String] = [:]
    /// The names that nothing has or provides.
    var missing: Set<String> = []
}
