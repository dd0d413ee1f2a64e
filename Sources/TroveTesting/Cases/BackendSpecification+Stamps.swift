import Synchronization
import TroveStorage

extension BackendSpecification {
    /// What ``StorageReader/stateStamp`` stands for, where an engine gives one.
    static let stamps: [SpecificationCase] = [
        SpecificationCase(
            "stamps.one-state", "No stamp stands for two states, after commits, undone transactions, dropped keyspaces and compactions; writes have none."
        ) { run in
            let store = try run.open()
            var states: [StateStamp: [String: [Entry]]] = [:]
            func look(_ reader: any StorageReader, _ moment: String) throws {
                guard let stamp = reader.stateStamp else { return }
                let state = try reader.everything()
                if let known = states.updateValue(state, forKey: stamp) {
                    try run.equal(state, known, "the contents under a stamp that was given before, \(moment)")
                }
            }
            func look(_ moment: String) throws { try store.read { try look($0, moment) } }
            try look("in the empty store")
            for round in 0..<40 {
                try store.fill(.numbered(round..<round + 3, seed: round))
                try look("after the commit of round \(round)")
                try look("after another read of round \(round)")
                try run.failsOnPurpose("a write that is undone", number: round) {
                    try store.writing { writer, data in
                        try run.equal(writer.stateStamp, nil, "the stamp in a write")
                        try writer.put(.number(900 + round), [1], in: data)
                        try run.equal(writer.stateStamp, nil, "the stamp in a write after a change")
                        try writer.withConcurrentReaders(upTo: 1) { for other in $0 { try look(other, "in a further reader of a write") } }
                        throw SpecificationRun.Deliberate(number: round)
                    }
                }
                try look("after a write of round \(round) that was undone")
                try store.writing { writer, data in
                    do {
                        try writer.savepoint { () throws -> Void in
                            _ = try writer.createKeyspace(named: "undone")
                            try writer.put(.number(800), [2], in: data)
                            throw SpecificationRun.Deliberate(number: round)
                        }
                    } catch is SpecificationRun.Deliberate {}
                    try writer.put(.number(700), .number(round), in: data)
                }
                try look("after a savepoint of round \(round) that was undone")
                if round % 8 == 3 { try store.compact() }
                try look("after the compaction of round \(round)")
                if round % 5 == 4 {
                    try store.fill([Entry([1], .pattern(70_000, seed: round))], in: "other")
                    try look("after a large value of round \(round)")
                    try store.write { writer in if let other = try writer.keyspace(named: "other") { try writer.dropKeyspace(other) } }
                    try look("after the end of a keyspace in round \(round)")
                }
            }
            var ended: (any StorageReader)?
            try store.read { ended = $0 }
            try run.equal(ended?.stateStamp, nil, "the stamp of a reader that has ended")
        },
        SpecificationCase(
            "stamps.beside-commits",
            "A read's stamp is that of the state that it shows, though it is asked for after another commit, or by many threads at once."
        ) { run in
            let store = try run.open()
            try store.fill([Entry([1], .number(0))])
            let states = Mutex<[StateStamp: [UInt8]]>([:])
            @Sendable func look(_ reader: any StorageReader, _ data: Keyspace, _ moment: String) throws {
                let value = try reader.value(of: [1], in: data) ?? []
                guard let stamp = reader.stateStamp else { return }
                let known = states.withLock { states in states.updateValue(value, forKey: stamp) }
                if let known { try run.equal(value, known, "the value under a stamp that was given before, \(moment)") }
            }
            if store.capabilities.readersDuringWrite == .proceed {
                for round in 1...30 {
                    try store.reading { reader, data in
                        let first = round.isMultiple(of: 2) ? reader.stateStamp : nil
                        _ = try reader.value(of: [1], in: data)
                        let writer = run.worker { try store.fill([Entry([1], .number(round))]) }
                        try writer.join()
                        try look(reader, data, "after a commit in round \(round)")
                        if let first, let second = reader.stateStamp { try run.equal(second, first, "the stamp after another commit in round \(round)") }
                    }
                    try store.reading { reader, data in try look(reader, data, "in a new read of round \(round)") }
                }
            }
            let done = Mutex(false)
            let writer = run.worker {
                defer { done.withLock { $0 = true } }
                for round in 100..<400 { try store.fill([Entry([1], .number(round))]) }
            }
            try run.onThreads(3) { thread in
                while !done.withLock({ $0 }) { try store.reading { reader, data in try look(reader, data, "on thread \(thread) beside commits") } }
            }
            try writer.join()
        },
    ]
}
