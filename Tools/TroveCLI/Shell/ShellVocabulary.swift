import Trove
import TroveStoreTools

/// What a shell completes words with.
struct ShellVocabulary: Sendable {
    private static let settings = [".help", ".mode", ".models", ".plans", ".quit", ".timing"]
    private static let criteriaWords = [
        "and", "or", "not", "in", "between", "begins with", "ends with", "contains", "matches", "is nil", "is not nil", "any", "all", "none", "order by",
        "desc", "limit", "offset",
    ]

    private static let groupWords = ["--average", "--by", "--count", "--distinct", "--having", "--limit", "--maximum", "--minimum", "--sort", "--sum"]

    private var commands: [String] = []
    /// The properties of each model, or the attributes of each collection.
    private var models: [String: [String]] = [:]

    init() {}

    /// The names that are in a store now.
    init(_ session: ShellSession, commands: Set<String>) throws {
        self.commands = commands.sorted()
        try session.open.store.read { transaction in
            for model in try StoreModels(transaction).all {
                models[model.name] =
                    [StoredModel.idName]
                    + (model.isCollection
                        ? (try model.attributes(in: transaction) ?? []).map(\.path).filter { !$0.contains("[]") } : model.fields.map(\.name))
            }
        }
    }

    /// What a word can become.
    ///
    /// - Parameters:
    ///   - word: the beginning of the word.
    ///   - line: what stands before it.
    func completions(of word: String, after line: String) -> [String] {
        let earlier = line.split(whereSeparator: \.isWhitespace).map { String($0.drop { $0 == "\"" || $0 == "'" }) }
        guard let first = earlier.first else { return Self.matching(word, Self.settings + commands + models.keys.sorted()) }
        if first == ".mode" { return Self.matching(word, OutputFormat.allCases.map(\.rawValue)) }
        if [".timing", ".plans"].contains(first) { return Self.matching(word, ["off", "on"]) }
        if ["help", ".help"].contains(first) { return Self.matching(word, commands) }
        guard let model = earlier.first(where: { models[$0] != nil }), first != ".models" else { return Self.matching(word, models.keys.sorted()) }
        return Self.matching(word, (models[model] ?? []) + (["group", "aggregate"].contains(first) ? Self.groupWords : []) + Self.criteriaWords)
    }

    private static func matching(_ beginning: String, _ words: [String]) -> [String] { words.filter { $0.hasPrefix(beginning) } }
}
