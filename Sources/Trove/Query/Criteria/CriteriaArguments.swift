/// The values that stand for a criteria text's parameters.
struct CriteriaArguments {
    private let positional: [Any?]
    private let named: [String: Any?]
    private var used = 0
    private var usedNames: Set<String> = []

    init(positional: [Any?] = [], named: [String: Any?] = [:]) {
        self.positional = positional
        self.named = named
    }

    enum Outcome {
        case value(StoredValue)
        /// What would have had to be given.
        case missing(expected: String)
    }

    /// The value for the next `?`.
    mutating func next() -> Outcome {
        guard used < positional.count else {
            return .missing(expected: "an argument for each ?; \(positional.count) \(positional.count == 1 ? "was" : "were") given")
        }
        used += 1
        return Self.converted(positional[used - 1])
    }

    /// The value for `:name`.
    mutating func value(named name: String) -> Outcome {
        guard let value = named[name] else {
            let names = named.keys.sorted().map { ":" + $0 }.joined(separator: ", ")
            return .missing(expected: "a parameter with an argument; \(names.isEmpty ? "no named ones were given" : "given were \(names)")")
        }
        usedNames.insert(name)
        return Self.converted(value)
    }

    /// What to write so that no argument is left; nil when none is.
    var surplus: String? {
        if used < positional.count { return "a ? for each of the \(positional.count) arguments; there are \(used)" }
        return named.keys.filter { !usedNames.contains($0) }.min().map { "a parameter :\($0), for which an argument was given" }
    }

    private static func converted(_ value: Any?) -> Outcome {
        do throws(TroveError) {
            return .value(try StoredValue(comparing: value as Any))
        } catch {
            return .missing(expected: "an argument that can be stored: \(error)")
        }
    }
}
