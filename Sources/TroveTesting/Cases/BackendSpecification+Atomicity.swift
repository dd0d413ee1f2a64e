import Foundation
import TroveStorage

extension BackendSpecification {
    /// Guarantee 2: a write body that throws leaves no trace.
    static let atomicity: [SpecificationCase] = [
        SpecificationCase("atomicity.throwing-body", "A write body that throws undoes every kind of change, and its error comes through.") { run in
            let store = try run.open()
            try store.fill(.numbered(0..<1_000))
            try store.fill(.numbered(0..<10), in: "other")
            let before = try store.read { try $0.everything() }
            try run.failsOnPurpose("the write", number: 5) {
                try store.writing { writer, data in
                    guard let other = try writer.keyspace(named: "other") else { throw MissingKeyspace() }
                    try writer.put(.number(5), [1], in: data)
                    try writer.put(.number(5_000), .pattern(20_000), in: data)
                    _ = try writer.insert(.number(5_001), [1], in: data)
                    try writer.delete(.number(7), in: data)
                    try writer.deleteRange(KeyRange(from: .number(100), upTo: .number(900)), in: data)
                    try writer.dropKeyspace(other)
                    try writer.put([1], [1], in: writer.createKeyspace(named: "new"))
                    throw SpecificationRun.Deliberate(number: 5)
                }
            }
            try run.equal(try store.read { try $0.everything() }, before, "the contents after the rollback")
            let reopened = try run.reopen(store)
            try run.equal(try reopened.read { try $0.everything() }, before, "the contents after opening again")
        },
        SpecificationCase("atomicity.large-rollback", "A transaction of 40,000 changes is undone whole.") { run in
            let store = try run.open()
            let entries = [Entry].numbered(0..<2_000, valueSize: 100)
            try store.fill(entries)
            try run.failsOnPurpose("the write") {
                try store.writing { writer, data in
                    for number in 0..<40_000 { try writer.put(.number(number &* 7 % 50_000), .pattern(200, seed: number), in: data) }
                    throw SpecificationRun.Deliberate()
                }
            }
            try run.equal(try store.entries() ?? [], entries, "the contents")
            let reopened = try run.reopen(store)
            try run.equal(try reopened.entries() ?? [], entries, "the contents after opening again")
        },
        SpecificationCase("atomicity.after-rollback", "Writes go on after rollbacks as if those had not been.") { run in
            let store = try run.open()
            var model = SortedModel()
            for round in 0..<60 {
                let fails = round % 3 != 0
                do {
                    try store.writing { writer, data in
                        for number in 0..<20 { try writer.put(.number(round * 10 + number), .number(round), in: data) }
                        if fails { throw SpecificationRun.Deliberate() }
                    }
                } catch is SpecificationRun.Deliberate {}
                if !fails { for number in 0..<20 { model.put(.number(round * 10 + number), .number(round)) } }
            }
            try run.equal(try store.entries() ?? [], model.entries, "the contents")
        },
        SpecificationCase("atomicity.caught-errors", "An error the body catches itself does not stop the commit.") { run in
            let store = try run.open()
            try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                try run.failsOnPurpose("the scan") {
                    try writer.scan(.all, in: data, order: .ascending) { _, _ in throw SpecificationRun.Deliberate() }
                }
                try writer.put([2], [2], in: data)
            }
            try run.equal(try store.entries() ?? [], [Entry([1], [1]), Entry([2], [2])], "the contents")
        },
        SpecificationCase("atomicity.results", "read and write give the body's result, and a write without changes is one.") { run in
            let store = try run.open()
            try run.equal(try store.write { _ in 7 }, 7, "the result of a write that changes nothing")
            try run.equal(try store.read { _ in "text" }, "text", "the result of a read")
            try run.failsOnPurpose("the read", number: 2) { try store.read { _ in throw SpecificationRun.Deliberate(number: 2) } }
            try run.equal(try store.read { try $0.keyspaceNames() }, [], "the names in a store nobody wrote to")
            let count: Int = try store.writing { writer, data in
                try writer.put([1], [1], in: data)
                return try writer.count(in: data)
            }
            try run.equal(count, 1, "the result of a write")
        },
        SpecificationCase("atomicity.calling-thread", "Bodies run on the calling thread, that of a read once after its first answer.") { run in
            let store = try run.open()
            let caller = Thread.current
            try store.fill([Entry([2], [2])])
            var runs = 0
            try store.reading { reader, data in
                try run.equal(try reader.value(of: [2], in: data), [2], "the value in the read")
                runs += 1
                try run.check(Thread.current === caller, "the read body on the calling thread", found: "\(Thread.current)")
            }
            try run.equal(runs, 1, "the runs of the read body")
            try store.writing { writer, data in
                try run.check(Thread.current === caller, "the write body on the calling thread", found: "\(Thread.current)")
                try writer.savepoint {
                    try run.check(Thread.current === caller, "the savepoint body on the calling thread", found: "\(Thread.current)")
                }
                try writer.put([1], [1], in: data)
            }
        },
        SpecificationCase("atomicity.many-small", "500 transactions in a row each leave their whole change.") { run in
            let store = try run.open()
            for number in 0..<500 {
                try store.write(.relaxed) { writer in
                    try writer.put(.number(number), [1], in: writer.createKeyspace(named: "left"))
                    try writer.put(.number(number), [2], in: writer.createKeyspace(named: "right"))
                }
            }
            let reopened = try run.reopen(store)
            let left = try reopened.entries(named: "left") ?? []
            try run.equal(left.map(\.key), (0..<500).map { .number($0) }, "the keys of one keyspace")
            try run.equal((try reopened.entries(named: "right") ?? []).map(\.key), left.map(\.key), "the keys of the other")
        },
    ]
}
