import TroveStorage

extension BackendSpecification {
    /// Scans that no change disturbs: early stop, errors, nesting.
    static let scans: [SpecificationCase] = [
        SpecificationCase("scans.stop", "A scan ends when its body says so, in both directions.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<1_000))
            try store.reading { reader, data in
                for (order, expected) in [(ScanOrder.ascending, [0, 1, 2]), (.descending, [999, 998, 997])] {
                    var seen: [Int] = []
                    try reader.scan(.all, in: data, order: order) { key, _ in
                        seen.append([UInt8](copying: key).asNumber)
                        return seen.count < 3 ? .next : .stop
                    }
                    try run.equal(seen, expected, "the keys before the stop, \(order)")
                }
            }
        },
        SpecificationCase("scans.body-errors", "What the body of a scan throws comes through, and the transaction goes on.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            try store.writing { writer, data in
                for order in [ScanOrder.ascending, .descending] {
                    var calls = 0
                    try run.failsOnPurpose("the scan", number: 4) {
                        try writer.scan(.all, in: data, order: order) { _, _ in
                            calls += 1
                            if calls == 7 { throw SpecificationRun.Deliberate(number: 4) }
                            return .next
                        }
                    }
                    try run.equal(calls, 7, "the calls of the body")
                }
                try writer.put(.number(100), [1], in: data)
            }
            try run.equal(try store.entries()?.count, 101, "the number of entries after the commit")
        },
        SpecificationCase("scans.nested", "Scans nest, over one keyspace and over two, with gets in between.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<30))
            try store.fill(.numbered(100..<110), in: "other")
            let body: (any StorageReader) throws -> Void = { reader in
                guard let data = try reader.keyspace(named: "data"), let other = try reader.keyspace(named: "other") else {
                    throw MissingKeyspace()
                }
                var pairs = 0
                var outer: [Int] = []
                try reader.scan(in: data) { key, value in
                    outer.append([UInt8](copying: key).asNumber)
                    pairs += try reader.keys(in: data, order: .descending).count + reader.keys(in: other).count
                    let again = try reader.value(of: [UInt8](copying: key), in: data)
                    try run.equal(again, [UInt8](copying: value), "the value of a get inside the scan")
                    return .next
                }
                try run.equal(outer, Array(0..<30), "the outer scan's keys")
                try run.equal(pairs, 30 * 40, "the entries of the inner scans")
            }
            try store.read(body)
            try store.write(.buffered, body)
        },
        SpecificationCase("scans.large", "A scan of 20,000 entries visits each once, in order, both ways.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<20_000, valueSize: 60)
            try store.fill(entries)
            try store.reading { reader, data in
                try run.equal(try reader.entries(in: data), entries, "the ascending scan")
                try run.equal(try reader.entries(in: data, order: .descending), entries.reversed(), "the descending scan")
            }
        },
    ]
}
