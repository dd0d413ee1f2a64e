import Trove

/// The store that a shell has open, and how the shell answers. Commands that are given in it find it here, and leave the store open.
final class ShellSession: Sendable {
    /// The shell that runs the present command; nil where none does.
    @TaskLocal static var current: ShellSession?

    let path: String
    let open: OpenStore
    /// The keys that opened the store, as far as it needs some, else where options said that they are: nobody is asked for them twice.
    let keys: StoreKeys
    /// Whether commands may change the store without saying `--write`.
    let allowsChanges: Bool
    /// How commands answer that do not say so.
    let format: OutputFormat?
    /// Whether the time that a command took is told.
    let showsTime: Bool
    /// Whether the plan of a query is shown before its answer.
    let showsPlans: Bool
    /// The number of the line that is run, of a file or pipe; nil where a person types.
    let line: Int?

    init(
        path: String, open: OpenStore, keys: StoreKeys, allowsChanges: Bool, format: OutputFormat? = nil, showsTime: Bool = false, showsPlans: Bool = false,
        line: Int? = nil
    ) {
        self.line = line
        (self.path, self.open, self.allowsChanges) = (path, open, allowsChanges)
        self.keys = StoreKeys(store: open.storeKey.map { .known($0) }, fields: open.fieldKey.map { .known($0) }).filled(from: keys)
        (self.format, self.showsTime, self.showsPlans) = (format, showsTime, showsPlans)
    }

    /// Refuses a command that would read standard input where the lines of the shell come from there: it would take those behind it.
    ///
    /// - Throws: ``CommandError/inputHasLines``.
    static func checkInput() throws {
        if current?.line != nil { throw CommandError.inputHasLines }
    }

    /// The same store with other settings.
    func with(format: OutputFormat?? = nil, showsTime: Bool? = nil, showsPlans: Bool? = nil, line: Int? = nil) -> ShellSession {
        ShellSession(
            path: path, open: open, keys: keys, allowsChanges: allowsChanges, format: format ?? self.format, showsTime: showsTime ?? self.showsTime,
            showsPlans: showsPlans ?? self.showsPlans, line: line ?? self.line)
    }
}
