import Foundation
import ProbeKit
import TestSupport
import Testing

/// Damage in the files beside a store that a killed process has left: logs, shared memory, tables of locks.
@Suite(.serialized) struct NeighbourDamageTests {
    private static let cases = 15 * DamageTests.rounds

    @Test(arguments: Engine.persistent) func flippedBytes(engine: Engine) async throws {
        let (original, acknowledged) = try await filesOfAKilledProcess(engine)
        let neighbours = original.keys.filter { $0 != "store" && original[$0]?.isEmpty == false }.sorted()
        var generator = SeededGenerator(seed: 1)
        for number in 0..<Self.cases {
            let name = neighbours[number % neighbours.count]
            var bytes = Array(try #require(original[name]))
            let offset = Int.random(in: 0..<(number.isMultiple(of: 2) ? min(256, bytes.count) : bytes.count), using: &generator)
            let end = min(bytes.count, offset + (number.isMultiple(of: 3) ? 1 : 64))
            for index in offset..<end { bytes[index] ^= UInt8.random(in: 1...255, using: &generator) }
            let description = "\(engine), case \(number), bytes \(offset) to \(end - 1) of \(bytes.count) in \(name)"
            try await check(engine, original.merging([name: Data(bytes)]) { $1 }, acknowledged, description)
        }
    }

    @Test(arguments: Engine.persistent) func truncated(engine: Engine) async throws {
        let (original, acknowledged) = try await filesOfAKilledProcess(engine)
        for (name, bytes) in original where name != "store" && !bytes.isEmpty {
            for length in [0, 1, 12, 32, 100, bytes.count / 2, bytes.count - 1] where length < bytes.count {
                let description = "\(engine), \(name) cut from \(bytes.count) to \(length) bytes"
                try await check(engine, original.merging([name: bytes.prefix(length)]) { $1 }, acknowledged, description)
            }
        }
    }

    @Test(arguments: Engine.persistent, PageDamage.allCases.filter { $0 != .stale }) func pages(engine: Engine, kind: PageDamage) async throws {
        let (original, acknowledged) = try await filesOfAKilledProcess(engine)
        var generator = SeededGenerator(seed: 3)
        for name in original.keys.sorted() where name != "store" {
            let bytes = Array(original[name] ?? Data())
            // Nothing can be torn out of a file that is shorter than two blocks.
            guard bytes.count > 1_024 else { continue }
            for number in 0..<2 * DamageTests.rounds {
                let damage = Damage(bytes, kind, older: [], using: &generator)
                try await check(engine, original.merging([name: Data(damage.bytes)]) { $1 }, acknowledged, "\(engine), case \(number), \(name): \(damage)")
            }
        }
    }

    /// What a process leaves that is killed while it writes, and how many transactions it has acknowledged.
    ///
    /// Tokyo Cabinet's log is empty between commits, so it takes some kills to get one that is not.
    private func filesOfAKilledProcess(_ engine: Engine) async throws -> ([String: Data], Int) {
        let directory = try TemporaryDirectory()
        var generator = SeededGenerator(seed: 2)
        var acknowledged = 0
        for _ in 0..<100 {
            let target = acknowledged + 20
            let delay = UInt32.random(in: 0...2_000, using: &generator)
            let replies = try await ProbeProcess.use { probe in
                try await probe.require(.open(engine, path: directory.file()))
                return try await probe.killDuring(.append(path: directory.file(), payloadSize: 500, limit: .max)) { reply in
                    guard reply.number ?? .max >= target else { return false }
                    usleep(delay)
                    return true
                }
            }
            acknowledged = try #require(replies.compactMap(\.number).max())
            let files = try directory.contents()
            if files.contains(where: { $0.key != "store" && !$0.value.isEmpty }) { return (files, acknowledged) }
        }
        throw NothingBesideTheStore()
    }

    /// The store opens, or an error says why not. SQLite ends its log at the first damage, so the store is then an earlier state, but a whole one;
    /// the other engines need nothing from these files but what undoes an unfinished transaction.
    private func check(_ engine: Engine, _ files: [String: Data], _ acknowledged: Int, _ description: String) async throws {
        let directory = try TemporaryDirectory()
        for (name, bytes) in files { try bytes.write(to: URL(fileURLWithPath: directory.file(name))) }
        let path = directory.file()
        do {
            try await ProbeProcess.use { probe in
                if let fault = try await probe.ask(.open(engine, path: path)).fault {
                    #expect(fault.isTyped, "\(description): \(fault)")
                    #expect(try directory.contents()["store"] == files["store"], "\(description): the store was refused and changed")
                    return
                }
                let reply = try await probe.ask(.countTransactions(path: path))
                if let fault = reply.fault {
                    #expect(fault.isTyped, "\(description): \(fault)")
                    return
                }
                let least = engine == .sqlite ? 0 : acknowledged
                #expect((least...acknowledged + 1).contains(reply.number ?? -1), "\(description): \(String(describing: reply.number)) of \(acknowledged)")
                let more = try await probe.askAll(.append(path: path, payloadSize: 500, limit: 2)).last?.fault
                #expect(more?.isTyped != false, "\(description): \(String(describing: more))")
            }
        } catch let end as ProbeEnd {
            Issue.record("\(description): \(end)")
        }
    }
}

/// A killed process has left no other file than the store.
private struct NothingBesideTheStore: Error {}
