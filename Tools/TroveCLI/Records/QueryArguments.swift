import ArgumentParser
import Trove
import TroveStoreTools

/// Which records of a model are sought.
struct QueryArguments: ParsableArguments {
    @Argument(help: "The model's or collection's name, as 'trove models' has it.")
    var model: String

    @Argument(help: "What is true of the records, in criteria text: \"year > 1959 and artist = 'Bill Evans'\". All without it.")
    var criteria: String?

    /// The records of the model, in a store or in a transaction of it.
    ///
    /// - Throws: ``CommandError/noSuchModel(name:known:)``.
    func fetch<Source: ObjectSource>(from source: Source, _ models: StoreModels) throws -> MixedFetch<StoredRecord, Source> {
        let fetch = source.fetchRecords(of: [try models[model].name])
        return criteria.map { fetch.matching($0) } ?? fetch
    }
}

/// Which part of an answer is given.
struct LimitOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "How many to give at most.")
    var limit: Int?

    @Option(parsing: .unconditional, help: "How many to pass over.")
    var offset: Int?

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit is at least 0, not \(limit)") }
        if let offset, offset < 0 { throw ValidationError("--offset is at least 0, not \(offset)") }
    }
}

/// In which order records come.
struct OrderOptions: ParsableArguments {
    @Option(help: "The order: paths with commas between, each with 'desc' or 'ignoring case and accents' behind it where wanted.")
    var sort: String?

    func applied<Source>(to fetch: MixedFetch<StoredRecord, Source>, _ limits: LimitOptions) throws -> MixedFetch<StoredRecord, Source> {
        var fetch = fetch
        if let sort { fetch = fetch.sorted(using: try QueryText.sortKeys(sort)) }
        if let limit = limits.limit { fetch = fetch.limit(limit) }
        if let offset = limits.offset { fetch = fetch.offset(offset) }
        return fetch
    }
}
