import Trove
import TroveStoreTools

/// The query that the fields of a page ask for.
struct ObjectQuery {
    let model: StoredModel
    /// Criteria text; nil for all.
    let condition: String?
    let sort: String?
    /// What is sought in the texts of the full-text index.
    let words: String?
    /// The full-text index that the words are sought in; nil when the model has none.
    let wordsIndex: IndexStatistics?
    private let keys: [SortKey]
    private let limits: InspectorLimits

    init(_ request: PageRequest, _ transaction: ReadTransaction) throws {
        model = try request.model(in: transaction)
        condition = try request.criteria("where")
        sort = try request.criteria("sort")
        words = try request.criteria("words")
        limits = request.site.limits
        keys = try sort.map { try SortText.keys($0) } ?? []
        wordsIndex = try transaction.indexes(of: model.name).first { if case .fullText = $0.schema.kind { $0.state == .ready } else { false } }
    }

    /// The records, within the time that a page may take.
    func fetch<Source: ObjectSource>(from source: Source, time: Duration? = nil) throws -> MixedFetch<StoredRecord, Source> {
        try narrowed(source.fetchRecords(of: [model.name]), time)
    }

    /// The same with what tells each record from others.
    func fetchDigested<Source: ObjectSource>(from source: Source) throws -> MixedFetch<DigestedRecord, Source> {
        try narrowed(source.fetchDigestedRecords(of: [model.name]), nil)
    }

    private func narrowed<Object, Source>(_ all: MixedFetch<Object, Source>, _ time: Duration?) throws -> MixedFetch<Object, Source> {
        var fetch = all
        if let condition { fetch = fetch.matching(condition) }
        if let words {
            guard wordsIndex != nil else { throw HTTPRefusal(400, "the words of \(model.name) cannot be searched: it has no full-text index") }
            fetch = fetch.matching("has words ?", words)
        }
        if !keys.isEmpty { fetch = fetch.sorted(using: keys) }
        return fetch.deadline(time ?? limits.queryTime)
    }

    /// The number of records; nil when counting takes too long.
    func count(in transaction: ReadTransaction) throws -> Int? {
        if condition == nil, words == nil { return try transaction.counts()[model.name] ?? 0 }
        do {
            return try fetch(from: transaction, time: limits.countTime).count()
        } catch TroveError.deadlineExceeded {
            return nil
        }
    }

    /// The condition with another one; nil where the text has more than a condition in it.
    func condition(and other: Filter) -> String? {
        guard let condition else { return "\(other)" }
        do {
            return "\(Filter.and([try Filter(criteria: condition), other]))"
        } catch {
            // It has an order or a limit, or is wrong: the page shows that anyway.
            return nil
        }
    }

    /// Where the words stand in the text of a property.
    func marks(in property: String) throws -> ((String) -> [Range<String.Index>])? {
        guard let words, let schema = wordsIndex?.schema, case .fullText(let options, let weights) = schema.kind else { return nil }
        let names = schema.parts.map { "\($0.path)" }
        let fields = FullTextFields(zip(names, weights).map { ($0, weight: $1) })
        // The full text of a collection may have all texts below a path.
        let covering = model.isCollection ? fields.name(covering: DocumentPath([.name(property)]), of: Document.self) : names.first { $0 == property }
        guard let covering else { return nil }
        let highlighter = try FullTextHighlighter(words, fields: fields, options: options)
        return { highlighter.ranges(in: $0, field: covering) }
    }
}
