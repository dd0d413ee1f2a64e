import RawEngines

/// An open store of items of a C program.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawItemStore: ItemStore, @unchecked Sendable {
    private let engine: raw_item_engine
    private let store: OpaquePointer

    init(_ engine: raw_item_engine, path: String, _ place: StorePlace) throws {
        self.engine = engine
        var store: OpaquePointer?
        try RawError.check(engine.message, engine.open(path, raw_durability(UInt32(place.durability.rawValue)), place.isBulkLoad, &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    /// Runs calls of the engine as one transaction.
    private func transaction(_ access: raw_access, _ body: () -> Int32) throws {
        var code = engine.begin(store, access)
        if code == 0 { code = engine.end(store, access, body()) }
        try RawError.check(engine.message, code)
    }

    private func putting(_ items: RawItems, appends: Bool) -> () throws -> Void {
        {
            try self.transaction(raw_writes) {
                for place in 0..<items.count {
                    let code = self.engine.put(self.store, items[place], appends)
                    if code != 0 { return code }
                }
                return 0
            }
        }
    }

    func insertion(of numbers: Range<Int>) throws -> () throws -> Void {
        putting(RawItems(numbers), appends: true)
    }

    func fetchAll() throws -> () -> Tally {
        var tally = raw_tally()
        try transaction(raw_reads) { engine.scan(store, nil, .max, &tally) }
        let result = Tally(tally)
        return { result }
    }

    func lengthening(every step: Int) throws -> () throws -> Void {
        let count = try count()
        let items = RawItems(stride(from: 0, to: count, by: step)) { ItemData.seconds($0) + ItemData.change }
        return {
            try self.transaction(raw_writes) {
                var tally = raw_tally()
                var code = self.engine.scan(self.store, nil, .max, &tally)
                for place in 0..<items.count where code == 0 { code = self.engine.put(self.store, items[place], false) }
                return code
            }
        }
    }

    func deletion(of numbers: [Int]) throws -> () throws -> Void {
        let items = RawItems(numbers)
        return {
            try self.transaction(raw_writes) {
                for place in 0..<items.count {
                    let code = self.engine.erase(self.store, items[place])
                    if code != 0 { return code }
                }
                return 0
            }
        }
    }

    func perform(_ operation: ItemOperation, _ tally: inout Tally) throws {
        var found = raw_tally()
        switch operation {
        case .read(let number):
            try Self.withItem(number) { item in try transaction(raw_reads_once) { engine.get(store, item, &found) } }
        case .update(let number, let seconds):
            try Self.withItem(number, ItemData.title(number), seconds) { item in try transaction(raw_writes) { engine.put(store, item, false) } }
        case .insert(let number):
            try Self.withItem(number, ItemData.title(number), ItemData.seconds(number)) { item in
                try transaction(raw_writes) { engine.put(store, item, true) }
            }
        case .scan(let first, let limit):
            try Self.withItem(first) { item in try transaction(raw_reads_once) { engine.scan(store, item, limit, &found) } }
        case .modify(let number, let change):
            try transaction(raw_writes) {
                let code = Self.withItem(number) { engine.get(store, $0, &found) }
                if code != 0 { return code }
                return Self.withItem(number, ItemData.title(number), Int(found.years) + change) { engine.put(store, $0, false) }
            }
        }
        tally.append(Tally(found))
    }

    /// Makes one item, which is valid in the closure.
    private static func withItem<Result>(
        _ number: Int, _ title: String = "", _ seconds: Int = 0, _ body: (UnsafePointer<raw_item>) throws -> Result
    ) rethrows -> Result {
        let id = ItemData.id(number).keyBytes
        var title = title
        return try id.withUnsafeBufferPointer { id in
            try title.withUTF8 { bytes in
                let text = raw_text(bytes: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self), size: bytes.count)
                var item = raw_item(id: id.baseAddress, number: Int64(number) + 1, title: text, seconds: Int64(seconds))
                return try body(&item)
            }
        }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(engine.message, engine.count(store, &count))
        return Int(count)
    }

    func close() throws { try RawError.check(engine.message, engine.close(store)) }
}
