import TroveStorage

extension BackendSpecification {
    /// Scans whose body changes what they read.
    static let scansAmongChanges: [SpecificationCase] = [
        SpecificationCase("scans.insert-ahead-and-behind", "What the body inserts ahead is visited, what it inserts behind is not.") { run in
            let store = try run.open()
            for order in [ScanOrder.ascending, .descending] {
                try store.writing { writer, data in
                    try writer.deleteRange(.all, in: data)
                    for number in stride(from: 100, through: 200, by: 10) { try writer.put(.number(number), [1], in: data) }
                    let ahead = order == .ascending ? 1 : -1
                    var seen: [Int] = []
                    try writer.scan(.all, in: data, order: order) { key, _ in
                        let number = [UInt8](copying: key).asNumber
                        seen.append(number)
                        if number % 10 == 0 {
                            try writer.put(.number(number + 3 * ahead), [2], in: data)
                            try writer.put(.number(number - 3 * ahead), [3], in: data)
                        }
                        return .next
                    }
                    let tens = Array(stride(from: 100, through: 200, by: 10))
                    let expected = (order == .ascending ? tens : tens.reversed()).flatMap { [$0, $0 + 3 * ahead] }
                    try run.equal(seen, expected, "the visited keys, \(order)")
                    try run.equal(try writer.count(in: data), 33, "the number of entries, \(order)")
                }
            }
        },
        SpecificationCase(
            "scans.insert-next-to-current", "The nearest possible keys to the current one, put by the body, are visited or not as they lie ahead or behind."
        ) { run in
            let store = try run.open()
            for order in [ScanOrder.ascending, .descending] {
                try store.writing { writer, data in
                    try writer.deleteRange(.all, in: data)
                    for byte: UInt8 in [10, 20, 30] { try writer.put([byte], [1], in: data) }
                    var seen: [[UInt8]] = []
                    try writer.scan(.all, in: data, order: order) { key, _ in
                        let key = [UInt8](copying: key)
                        seen.append(key)
                        if key.count == 1, let byte = key.first {
                            try writer.put([byte, 0], [2], in: data)
                            try writer.put([byte - 1, 0xFF, 0xFF], [3], in: data)
                        }
                        return .next
                    }
                    let expected: [[UInt8]] =
                        order == .ascending
                        ? [[10], [10, 0], [20], [20, 0], [30], [30, 0]]
                        : [[30], [29, 0xFF, 0xFF], [20], [19, 0xFF, 0xFF], [10], [9, 0xFF, 0xFF]]
                    try run.equal(seen, expected, "the visited keys, \(order)")
                    let cursor = try writer.cursor(in: data)
                    try run.equal(try cursor.seeking([20]), [20], "the key sought")
                    try writer.delete([20, 0], in: data)
                    try writer.put([20, 0], [4], in: data)
                    try run.equal(try cursor.steppingUp(), [20, 0], "the step up to the nearest possible key")
                    try writer.put([20, 0, 0], [5], in: data)
                    try run.equal(try cursor.steppingUp(), [20, 0, 0], "the step up to the nearest possible key put since")
                }
            }
        },
        SpecificationCase("scans.delete-in-body", "The body may delete the current entry, those ahead and those behind.") { run in
            let store = try run.open()
            for order in [ScanOrder.ascending, .descending] {
                for (distance, expected) in [(0, Array(0..<60)), (1, Array(stride(from: 0, to: 60, by: 2))), (-1, Array(0..<60))] {
                    try store.writing { writer, data in
                        try writer.deleteRange(.all, in: data)
                        for number in 0..<60 { try writer.put(.number(number), .number(number), in: data) }
                        var seen: [Int] = []
                        try writer.scan(.all, in: data, order: order) { key, _ in
                            let number = [UInt8](copying: key).asNumber
                            seen.append(order == .ascending ? number : 59 - number)
                            let target = number + (order == .ascending ? distance : -distance)
                            if (0..<60).contains(target) { try writer.delete(.number(target), in: data) }
                            return .next
                        }
                        try run.equal(seen, expected, "the visits when the entry at distance \(distance) is deleted, \(order)")
                    }
                }
            }
        },
        SpecificationCase("scans.replace-in-body", "The body may replace the current value and sees values it has replaced ahead.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<200))
            try store.writing { writer, data in
                for order in [ScanOrder.ascending, .descending] {
                    var visits = 0
                    try writer.scan(.all, in: data, order: order) { key, value in
                        let number = [UInt8](copying: key).asNumber
                        if visits > 0 {
                            try run.equal([UInt8](copying: value), .pattern(300, seed: number), "the value replaced ahead, \(order)")
                        }
                        visits += 1
                        try writer.put(.number(number), .pattern(5, seed: number), in: data)
                        let next = number + (order == .ascending ? 1 : -1)
                        if (0..<200).contains(next) { try writer.put(.number(next), .pattern(300, seed: next), in: data) }
                        return .next
                    }
                    try run.equal(visits, 200, "the visits, \(order)")
                }
            }
            try run.equal(try store.entries() ?? [], .numbered(0..<200, valueSize: 5), "the contents")
        },
        SpecificationCase("scans.delete-all-in-body", "A scan ends when its body deletes everything, and goes on to what is put ahead then.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<500))
            try store.writing { writer, data in
                var seen: [Int] = []
                try writer.scan(.all, in: data, order: .ascending) { key, _ in
                    seen.append([UInt8](copying: key).asNumber)
                    if seen.count == 100 {
                        try writer.deleteRange(.all, in: data)
                        try writer.put(.number(50), [1], in: data)
                        try writer.put(.number(7_000), [1], in: data)
                    }
                    return .next
                }
                try run.equal(seen, Array(0..<100) + [7_000], "the visited keys")
                try run.equal(try writer.keys(in: data).map(\.asNumber), [50, 7_000], "the keys left")
            }
        },
        SpecificationCase("scans.many-changes-in-body", "Each visited entry may bring many new ones, so that the tree changes its shape under the scan.") {
            run in
            let store = try run.open()
            try store.fill([Entry].numbered((0..<300).map { $0 * 1_000 }))
            try store.writing { writer, data in
                var seen: [Int] = []
                try writer.scan(.all, in: data, order: .ascending) { key, _ in
                    let number = [UInt8](copying: key).asNumber
                    seen.append(number)
                    if number % 1_000 == 0 {
                        for step in 1...20 { try writer.put(.number(number + step), .pattern(200, seed: step), in: data) }
                        for step in 1...20 { try writer.put(.number(max(0, number - 1_000) + 500 + step), .pattern(90, seed: step), in: data) }
                        for step in 11...20 { try writer.delete(.number(number + step), in: data) }
                    }
                    return .next
                }
                var expected = Array(0...10) + Array(501...520)
                for thousand in 1..<300 { expected += (0...10).map { thousand * 1_000 + $0 } }
                try run.equal(seen, expected, "the visited keys")
            }
        },
        SpecificationCase("scans.bounds-stay", "A scan keeps to its bounds when its body inserts at and beyond them.") { run in
            let store = try run.open()
            try store.fill(.numbered([10, 20, 30]))
            try store.writing { writer, data in
                for order in [ScanOrder.ascending, .descending] {
                    var seen: [Int] = []
                    try writer.scan(KeyRange(from: .number(10), upTo: .number(30)), in: data, order: order) { key, _ in
                        seen.append([UInt8](copying: key).asNumber)
                        for number in [5, 9, 29, 31, 35, 11] { try writer.put(.number(number), [1], in: data) }
                        return .next
                    }
                    try run.equal(seen, order == .ascending ? [10, 11, 20, 29] : [29, 20, 11, 10], "the visited keys, \(order)")
                }
            }
        },
        SpecificationCase("scans.drop-in-body", "After its keyspace is dropped a scan throws invalidKeyspace, unless its body ends it.") { run in
            let store = try run.open()
            for order in [ScanOrder.ascending, .descending] {
                // The first entry, one in the middle, and the last.
                for (last, step) in [(1, ScanStep.next), (50, .next), (100, .next), (1, .stop), (100, .stop)] {
                    for readsValues in [true, false] {
                        let what = "\(order), dropped at entry \(last) and then \(step), \(readsValues ? "with" : "without") values"
                        try store.fill(.numbered(0..<100))
                        try store.writing { writer, data in
                            var visits = 0
                            func visit() throws -> ScanStep {
                                visits += 1
                                if visits < last { return .next }
                                try writer.dropKeyspace(data)
                                return step
                            }
                            func scan() throws {
                                if readsValues {
                                    try writer.scan(.all, in: data, order: order) { _, _ in try visit() }
                                } else {
                                    try writer.scanKeys(.all, in: data, order: order, expecting: nil) { _ in try visit() }
                                }
                            }
                            if step == .stop { try scan() } else { try run.fails(with: StorageError.invalidKeyspace, "a scan, \(what)", scan) }
                            try run.equal(visits, last, "the visits, \(what)")
                        }
                        try run.equal(try store.entries(), nil, "the dropped keyspace, \(what)")
                    }
                }
            }
        },
        SpecificationCase("scans.rollback-in-body", "A savepoint rolled back inside the body does not disturb the scan.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<100))
            try store.writing { writer, data in
                for order in [ScanOrder.ascending, .descending] {
                    var seen: [Int] = []
                    try writer.scan(.all, in: data, order: order) { key, _ in
                        seen.append([UInt8](copying: key).asNumber)
                        try run.failsOnPurpose("the savepoint") {
                            try writer.savepoint {
                                try writer.deleteRange(.all, in: data)
                                for number in 1_000..<1_050 { try writer.put(.number(number), [1], in: data) }
                                throw SpecificationRun.Deliberate()
                            }
                        }
                        return .next
                    }
                    try run.equal(seen, order == .ascending ? Array(0..<100) : (0..<100).reversed(), "the visited keys, \(order)")
                }
            }
        },
    ]
}
