import TroveStorage

/// Random operations on a store and on a model of it, checked after each transaction. The same seed gives the same operations.
struct RandomProgram {
    private static let names = ["a", "b", "it's\0odd"]

    private let run: SpecificationRun
    private let seed: UInt64
    private var generator: SeededGenerator
    private var model: [String: SortedModel] = [:]

    init(seed: UInt64, in run: SpecificationRun) {
        self.run = run
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    /// Runs `transactions` random transactions, opening the store anew from time to time.
    mutating func execute(transactions: Int) throws {
        do {
            var store = try run.open("random \(seed)")
            for transaction in 0..<transactions {
                try change(store)
                try compare(store, "after transaction \(transaction)")
                if chance(1, in: 10) {
                    store = try run.reopen(store, "random \(seed)")
                    try compare(store, "after opening again, transaction \(transaction)")
                }
                if chance(1, in: 25) { try store.compact() }
            }
        } catch let failure as SpecificationFailure {
            throw run.failure("seed \(seed): \(failure.expectation)", found: failure.found, file: failure.file, line: failure.line)
        } catch {
            throw run.failure("seed \(seed): no error", found: "\(error)")
        }
    }

    private mutating func chance(_ part: Int, in whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &generator) < part
    }

    private mutating func change(_ store: any StorageBackend) throws {
        // The body may run twice, so it works on copies and begins with the same random numbers.
        let before = self
        var after = self
        let fails = after.chance(1, in: 6)
        let start = after
        do {
            try store.write(.relaxed) { writer in
                after = start
                try after.operate(writer, count: Int.random(in: 1...60, using: &after.generator), depth: 0)
                if fails { throw SpecificationRun.Deliberate() }
            }
        } catch is SpecificationRun.Deliberate {
            after.model = before.model
        }
        self = after
    }

    private mutating func operate(_ writer: any StorageWriter, count: Int, depth: Int) throws {
        for _ in 0..<count {
            let name = Self.names.randomElement(using: &generator) ?? "a"
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<3: try drop(name, writer)
            case 3..<8 where depth < 3: try nest(writer, depth: depth)
            case 8..<12: try deleteRange(name, writer)
            case 12..<20: try walk(name, writer)
            case 20..<26: try look(name, writer)
            case 26..<46: try delete(name, writer)
            case 46..<56: try insert(name, writer)
            default: try put(name, writer)
            }
        }
    }

    private mutating func randomKey() -> [UInt8] {
        chance(1, in: 30) ? generator.key(400...511) : generator.key(1...3)
    }

    private mutating func randomValue() -> [UInt8] {
        chance(1, in: 30) ? generator.value(1_000...20_000) : generator.value(0...120)
    }

    private mutating func randomRange() -> KeyRange {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: .prefix(generator.key(0...2))
        case 1: KeyRange(from: generator.key(0...3))
        case 2: KeyRange(upTo: generator.key(0...3))
        default: KeyRange(from: generator.key(0...3), upTo: generator.key(0...3))
        }
    }

    // MARK: Operations

    private mutating func put(_ name: String, _ writer: any StorageWriter) throws {
        let (key, value) = (randomKey(), randomValue())
        try writer.put(key, value, in: writer.createKeyspace(named: name))
        model[name, default: SortedModel()].put(key, value)
    }

    private mutating func insert(_ name: String, _ writer: any StorageWriter) throws {
        let (key, value) = (randomKey(), randomValue())
        let found = try writer.insert(key, value, in: writer.createKeyspace(named: name))
        try run.equal(found, model[name, default: SortedModel()].insert(key, value), "the answer to insert of \(key.hexadecimal)")
    }

    private mutating func delete(_ name: String, _ writer: any StorageWriter) throws {
        var key = randomKey()
        if let entry = model[name]?.entries.randomElement(using: &generator), chance(2, in: 3) { key = entry.key }
        guard let keyspace = try writer.keyspace(named: name) else { return try checkIsAbsent(name) }
        try run.equal(try writer.delete(key, in: keyspace), model[name]?.delete(key), "the answer to delete of \(key.hexadecimal)")
    }

    private mutating func deleteRange(_ name: String, _ writer: any StorageWriter) throws {
        let range = randomRange()
        guard let keyspace = try writer.keyspace(named: name) else { return try checkIsAbsent(name) }
        let found = try writer.deleteRange(range, in: keyspace)
        try run.equal(found, model[name]?.deleteRange(range), "the number deleted from \(BackendSpecification.describe(range))")
    }

    private mutating func drop(_ name: String, _ writer: any StorageWriter) throws {
        guard let keyspace = try writer.keyspace(named: name) else { return try checkIsAbsent(name) }
        try writer.dropKeyspace(keyspace)
        model[name] = nil
    }

    private mutating func nest(_ writer: any StorageWriter, depth: Int) throws {
        let before = model
        let fails = chance(1, in: 2)
        let count = Int.random(in: 0...15, using: &generator)
        do {
            try writer.savepoint {
                try operate(writer, count: count, depth: depth + 1)
                if fails { throw SpecificationRun.Deliberate(number: depth + 1) }
            }
        } catch let error as SpecificationRun.Deliberate where error.number == depth + 1 {
            model = before
        }
    }

    /// Moves a cursor about, changing entries meanwhile.
    private mutating func walk(_ name: String, _ writer: any StorageWriter) throws {
        guard let keyspace = try writer.keyspace(named: name) else { return try checkIsAbsent(name) }
        var contents = model[name] ?? SortedModel()
        let cursor = try writer.cursor(in: keyspace)
        var place = ModelCursor()
        for _ in 0..<Int.random(in: 1...30, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                let key = generator.key(0...3)
                try run.equal(try cursor.seek(to: key.span.bytes), place.seek(to: key, in: contents), "the answer to seek")
            case 1: try run.equal(try cursor.seekToLast(), place.seekToLast(in: contents), "the answer to seekToLast")
            case 2, 3: try run.equal(try cursor.previous(), place.previous(in: contents), "the answer to previous")
            case 4:
                let key = try cursor.entry()?.key ?? randomKey()
                try run.equal(try writer.delete(key, in: keyspace), contents.delete(key), "the answer to delete under a cursor")
            case 5:
                let (key, value) = (randomKey(), randomValue())
                try writer.put(key, value, in: keyspace)
                contents.put(key, value)
            default: try run.equal(try cursor.next(), place.next(in: contents), "the answer to next")
            }
            try run.equal(try cursor.entry().map { Entry($0.key, $0.value) }, place.entry(in: contents), "the entry at the cursor")
        }
        model[name] = contents
    }

    /// Reads a range, a key and the count.
    private mutating func look(_ name: String, _ reader: any StorageReader) throws {
        let (range, key) = (randomRange(), randomKey())
        let order: ScanOrder = chance(1, in: 2) ? .ascending : .descending
        guard let keyspace = try reader.keyspace(named: name) else { return try checkIsAbsent(name) }
        let contents = model[name] ?? SortedModel()
        try run.equal(
            try reader.entries(range, in: keyspace, order: order), contents.entries(range, order: order),
            "the scan from \(BackendSpecification.describe(range)), \(order)")
        try run.equal(try reader.value(of: key, in: keyspace), contents.value(of: key), "the value of \(key.hexadecimal)")
        try run.equal(try reader.count(in: keyspace), contents.entries.count, "the count")
    }

    private func checkIsAbsent(_ name: String) throws {
        try run.check(model[name] == nil, "a keyspace named '\(name)'", found: "none")
    }

    private func compare(_ store: any StorageBackend, _ moment: String) throws {
        let found = try store.read { try $0.everything() }
        try run.equal(found.keys.sorted(), model.keys.sorted(), "the names \(moment)")
        for (name, contents) in model { try run.equal(found[name] ?? [], contents.entries, "the contents of '\(name)' \(moment)") }
    }
}
