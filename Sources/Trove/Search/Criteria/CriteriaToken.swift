/// The smallest part of criteria text that means something.
struct CriteriaToken {
    enum Kind: Equatable {
        /// A keyword, or a name as it is.
        case word(String)
        /// A name in double quotes.
        case quotedName(String)
        /// A text in single quotes.
        case string(String)
        /// A number without its sign, and without underscores.
        case number(String)
        case symbol(String)
        case end
        /// What no token begins with, and what to write in its place.
        case invalid(expected: String)
    }

    let kind: Kind
    /// Where it begins, in Unicode scalars.
    let position: Int

    /// Whether it is this keyword, in any case.
    func isWord(_ keyword: String) -> Bool {
        if case .word(let word) = kind { word.lowercased() == keyword } else { false }
    }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

    /// Whether a value that has its type written before it may begin here: `date '2020-01-31'`, `float -1.5`.
    var beginsTypedValue: Bool {
        switch kind {
        case .string, .number, .symbol("-"): true
        default: false
        }
    }
}
